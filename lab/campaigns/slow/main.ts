/**
 * Measures how much memory the server takes for forms of which half is sent, with and without a session. Also measures what others notice
 * while `slowhttptest` (a package of Debian's) holds a thousand slow connections: heads that never end, bodies that arrive in small pieces,
 * answers that are hardly read. Without slowhttptest it measures the forms only.
 *
 *     npm run campaign slow -- [--connections N] [--forms N] [--seconds N]
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expectOk } from '@sotto/test-kit'
import { bundle } from '../support/bundle.ts'
import { conclude, optionsFrom } from '../support/command.ts'
import { holdHalfBodies } from '../support/half-bodies.ts'
import { memoryOf, pace, partOf, shown, warmUp, type Short } from '../support/others.ts'
import { makePlace, openPlace, type Place } from '../support/place.ts'
import { serve, type Served } from '../support/served.ts'

/** What others may wait at p99. */
const boundMillis = 100

/** How much more memory forms may take: 64 MiB for their bytes, and what 1,500 connections take. */
const boundMebibytes = 160

/** The longest form: its note has 64 KiB, and each byte is escaped. */
const formBytes = 3 * 65_536 + 16_384

const modes = {
  slowHeads: ['-H', '-u', '/api/folders'],
  slowBodies: ['-B', '-t', 'POST', '-s', '8192', '-u', '/login'],
  slowReaders: ['-X', '-u', '/openapi.json', '-w', '64', '-y', '128', '-n', '5', '-z', '16'],
} as const

const { connections, forms, seconds } = optionsFrom({ connections: 1_000, forms: 1_500, seconds: 25 })
const hasSlowHttpTest = spawnSync('slowhttptest', ['-h']).error === undefined
if (!hasSlowHttpTest) console.error('slowhttptest is not installed: only forms are measured')
const figures: Record<string, string> = {}
const violations: string[] = []
const { programs, remove } = await bundle({
  main: new URL('../../../packages/server/src/main.ts', import.meta.url),
})
try {
  await onServer((server) => measureForms('formsOfNobody', server, undefined))
  await onServer((server, { session }) => measureForms('formsOfAnOwner', server, session))
  if (hasSlowHttpTest) await onServer((server, { token }) => measureModes(server, token))
} finally {
  remove()
}
conclude(figures, violations)

interface Credentials {
  readonly token: string
  readonly session: string
}

/** Calls back with a server of its own, which has one account. */
async function onServer(measure: (server: Served, owner: Credentials) => Promise<void>): Promise<void> {
  const place = makePlace()
  try {
    const owner = await seed(place)
    const server = await serve(fileURLToPath(programs.main), place)
    try {
      await warmUp({ url: `${server.origin}/api/folders`, token: owner.token })
      await measure(server, owner)
    } finally {
      await server.stop()
    }
  } finally {
    place.remove()
  }
}

async function seed(place: Place): Promise<Credentials> {
  const { sotto, close } = await openPlace(place)
  const invited = expectOk(await sotto.inviteAccount({ email: 'other@example.org' }))
  const choice = { token: invited.token, password: 'a passphrase for campaigns', address: '127.0.0.1' }
  const { accountId, token: session } = expectOk(await sotto.choosePassword(choice))
  const { token } = expectOk(await sotto.createAccessToken({ accountId, name: 'campaign' }))
  await close()
  return { token, session }
}

async function measureForms(
  name: string,
  { origin, pid }: Served,
  session: string | undefined,
): Promise<void> {
  const before = memoryOf(pid)
  const lines = session === undefined ? [] : [`Cookie: sotto=${session}`]
  const holding = holdHalfBodies(forms, { origin, path: '/secrets/new', lines, length: formBytes })
  await pause(1_000 * seconds)
  holding.end()
  const after = memoryOf(pid)
  const answers = Object.entries(holding.statuses).map(([status, count]) => `${status}: ${count}`)
  figures[name] =
    `${holding.held} connections held (${answers.join(', ')}); ` +
    `memory ${Math.round(before)} MiB before, ${Math.round(after)} MiB at most`
  if (after - before > boundMebibytes) violations.push(`${name}: ${Math.round(after - before)} MiB more`)
  if (holding.held < forms / 2) violations.push(`${name}: only ${holding.held} connections were held`)
}

async function measureModes({ origin, pid }: Served, token: string): Promise<void> {
  const short = { url: `${origin}/api/folders`, token }
  for (const [name, options] of Object.entries(modes)) {
    const { held, millis } = await measureMode(origin, options, short)
    figures[name] = `${held} connections held; others: ${shown(millis)}`
    if (partOf(millis, 0.99) > boundMillis) violations.push(`${name}: others waited ${shown(millis)}`)
    if (held < connections / 2) violations.push(`${name}: only ${held} connections were held`)
  }
  figures['memoryMebibytes'] = String(Math.round(memoryOf(pid)))
}

/** The most connections that were open at the same time, and what others waited, on new connections and on kept-alive ones. */
async function measureMode(
  origin: string,
  options: readonly string[],
  short: Short,
): Promise<{ held: number; millis: readonly number[] }> {
  const args = options.map((option) => (option.startsWith('/') ? origin + option : option))
  const load = ['-c', String(connections), '-r', String(connections), '-i', '2', '-x', '16', '-v', '1']
  const child = spawn('slowhttptest', [...load, '-l', String(seconds), '-p', '5', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let held = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const plain = stripVTControlCharacters(text)
    for (const [, count] of plain.matchAll(/connected:\s*(\d+)/g)) held = Math.max(held, Number(count))
  })
  let isHolding = true
  const ended = once(child, 'close').finally(() => (isHolding = false))
  const agent = new Agent({ keepAlive: true })
  const paced = await Promise.all([false as const, agent].map((use) => pace(() => isHolding, short, use)))
  await ended
  agent.destroy()
  return { held, millis: paced.flat() }
}

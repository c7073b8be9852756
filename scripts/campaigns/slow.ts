/**
 * Measures what others notice while `slowhttptest` (a package of Debian's) holds a thousand slow connections: heads that never end, bodies
 * that arrive in small pieces, answers that are hardly read.
 *
 *     npm run campaign:slow -- [--connections N] [--seconds N]
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expectOk } from '../../packages/test-kit/src/index.ts'
import { bundle } from './support/bundle.ts'
import { conclude, numbersFrom } from './support/command.ts'
import { memoryOf, pace, partOf, shown, warmUp, type Short } from './support/others.ts'
import { makePlace, openPlace } from './support/place.ts'
import { serve } from './support/served.ts'

/** What others may wait at p99. */
const boundMillis = 100

const modes = {
  slowHeads: ['-H', '-u', '/api/folders'],
  slowBodies: ['-B', '-t', 'POST', '-s', '8192', '-u', '/login'],
  slowReaders: ['-X', '-u', '/openapi.json', '-w', '64', '-y', '128', '-n', '5', '-z', '16'],
} as const

const { connections, seconds } = numbersFrom({ connections: 1_000, seconds: 25 })
if (spawnSync('slowhttptest', ['-h']).error !== undefined) {
  console.error('slowhttptest is not installed')
  process.exit(2)
}
const place = makePlace()
const { programs, remove } = await bundle({
  main: new URL('../../packages/server/src/main.ts', import.meta.url),
})
try {
  const token = await seed()
  const server = await serve(fileURLToPath(programs.main), place)
  try {
    await measure(server.origin, { url: `${server.origin}/api/folders`, token }, server.pid)
  } finally {
    await server.stop()
  }
} finally {
  place.remove()
  remove()
}

async function seed(): Promise<string> {
  const { sotto, close } = await openPlace(place)
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'other@example.org' }))
  const { token } = expectOk(await sotto.createAccessToken({ accountId, name: 'campaign' }))
  await close()
  return token
}

async function measure(origin: string, short: Short, pid: number): Promise<void> {
  await warmUp(short)
  const figures: Record<string, string> = {}
  const violations: string[] = []
  for (const [name, options] of Object.entries(modes)) {
    const { held, millis } = await measureMode(origin, options, short)
    figures[name] = `${held} connections held; others: ${shown(millis)}`
    if (partOf(millis, 0.99) > boundMillis) violations.push(`${name}: others waited ${shown(millis)}`)
    if (held < connections / 2) violations.push(`${name}: only ${held} connections were held`)
  }
  conclude({ ...figures, memoryMebibytes: Math.round(memoryOf(pid)) }, violations)
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

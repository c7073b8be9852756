import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  findAccount,
  listAccessTokens,
  listDrafts,
  listFolders,
  listSecrets,
  openSecret,
  type Slices,
} from '@sotto/core'
import type { Installation } from '../../../src/installation.ts'
import { addCast, addDraft, addSecret, okOf, openIn, type Cast } from './world.ts'

const child = fileURLToPath(new URL('./rotate-until-killed.ts', import.meta.url))

/** Rows that are there to be put under another key, and what has to be read of them afterwards. */
export interface Rows {
  readonly cast: Cast
  readonly links: readonly {
    readonly token: string
    readonly note: string
    readonly password: string | undefined
  }[]
  readonly drafts: number
}

/** Adds secrets and drafts, with passwords among them. */
export async function addRows(cwd: string, count: number): Promise<Rows> {
  const installation = await openIn(cwd)
  const cast = await addCast(installation)
  const links: Rows['links'][number][] = []
  // Not all at once: only so many passwords may wait to be hashed.
  while (links.length < count) {
    const numbers = Array.from({ length: Math.min(20, count - links.length) }, (_, at) => links.length + at)
    links.push(...(await Promise.all(numbers.map((number) => addLink(installation, cast, number)))))
  }
  const drafts = Math.ceil(count / 10)
  await Promise.all(
    Array.from({ length: drafts }, (_, at) => addDraft(installation, cast, { note: `draft ${at}` })),
  )
  await installation.close()
  return { cast, links, drafts }
}

async function addLink(
  installation: Installation,
  cast: Cast,
  number: number,
): Promise<Rows['links'][number]> {
  const password = number % 5 === 0 ? `password ${number}` : undefined
  const note = `note ${number}`
  const row = { label: `label ${number}`, note, ...(password === undefined ? {} : { password }) }
  const { link } = await addSecret(installation, cast, row)
  return { token: link.token, note, password }
}

export interface Killed {
  /** How often the rotation was killed. */
  readonly kills: number
  /** Rows that could not be read after some kill, or at the end: there must be none. */
  readonly unreadable: number
  /** The numbers of the keys in use at the end: there must be one. */
  readonly kids: readonly number[]
}

/**
 * Rotates the keys in processes that are killed with SIGKILL, each before the next of these steps, and after each kill reads every row
 * and goes on, until a rotation comes to its end.
 */
export async function killAtSteps(
  cwd: string,
  rows: Rows,
  steps: Iterable<number>,
  onKill: (kills: number) => void = () => undefined,
): Promise<Killed> {
  let kills = 0
  let unreadable = 0
  for (const step of steps) {
    const { signal, status, stderr } = spawnSync(process.execPath, [child, cwd, String(step)], {
      encoding: 'utf8',
    })
    if (signal !== 'SIGKILL' && status !== 0) throw new Error(stderr)
    kills += signal === 'SIGKILL' ? 1 : 0
    unreadable += await readAll(cwd, rows)
    onKill(kills)
  }
  outwaitLock(cwd)
  const last = spawnSync(process.execPath, [child, cwd, 'never'], { encoding: 'utf8' })
  if (last.status !== 0) throw new Error(last.stderr)
  unreadable += await readAll(cwd, rows)
  const installation = await openIn(cwd)
  const known = await okOf(installation.rotation.keys.list())
  await installation.close()
  return { kills, unreadable, kids: known.filter((key) => key.rows > 0).map(({ kid }) => kid) }
}

/** The same with kills at any moment, from outside. */
export async function killAtRandom(
  cwd: string,
  rows: Rows,
  times: number,
  onKill: (kills: number) => void = () => undefined,
): Promise<Killed> {
  let kills = 0
  let unreadable = 0
  for (let time = 0; time < times; time += 1) {
    outwaitLock(cwd)
    const rotation = spawn(process.execPath, [child, cwd, 'never'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(rotation, 'close') as Promise<[number | null, string | null]>
    await Promise.race([once(rotation.stdout, 'data'), ended])
    const timer = setTimeout(() => rotation.kill('SIGKILL'), Math.random() * 400)
    const [, signal] = await ended
    clearTimeout(timer)
    kills += signal === 'SIGKILL' ? 1 : 0
    unreadable += await readAll(cwd, rows)
    onKill(kills)
  }
  const last = await killAtSteps(cwd, rows, [])
  return { kills, unreadable: unreadable + last.unreadable, kids: last.kids }
}

/** Lets the time pass after which the lock of a process that was killed while it changed the key file is no obstacle any more. */
function outwaitLock(cwd: string): void {
  const lock = join(cwd, 'keys', 'sotto-keys.json.lock')
  const longAgo = Date.now() / 1_000 - 120
  if (existsSync(lock)) utimesSync(lock, longAgo, longAgo)
}

/** Reads every row in every way there is. Ok with how many could not be read, or were not what they have to be. */
export async function readAll(cwd: string, rows: Rows): Promise<number> {
  const installation = await openIn(cwd)
  try {
    return await countUnreadable(installation, rows)
  } finally {
    await installation.close()
  }
}

async function countUnreadable(
  { ports }: Installation,
  { cast: { accountId }, links, drafts }: Rows,
): Promise<number> {
  let wrong = 0
  const expect = (ok: boolean): void => void (wrong += ok ? 0 : 1)
  for (const { token, note, password } of links) {
    const opened = await openSecret(ports, { token, password })
    expect(opened.isOk() && opened.value.note === note)
  }
  expect((await countIn(listSecrets(ports, { accountId }))) === links.length)
  expect((await countIn(listDrafts(ports, { accountId }))) === drafts)
  expect((await countIn(listFolders(ports, { accountId }))) === 1)
  expect((await countIn(listAccessTokens(ports, { accountId }))) === 1)
  const account = await findAccount(ports, { email: 'ann@example.org' })
  expect(account.isOk() && account.value.id === accountId)
  return wrong
}

/** -1 when a row cannot be read. */
async function countIn(slices: Slices<unknown, unknown>): Promise<number> {
  let count = 0
  for await (const slice of slices) {
    if (slice.isErr()) return -1
    count += slice.value.length
  }
  return count
}

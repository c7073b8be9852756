import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Pages } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { cheapCrypto } from '../support/cheap-crypto.ts'
import { compileCache } from '../support/child.ts'
import { addOwner, type Owner } from '../support/owner.ts'
import { openPlace, type Place } from '../support/place.ts'

const child = fileURLToPath(new URL('./rotate-process.ts', import.meta.url))

/** The rows that a rotation moves to another key, and what must be readable afterwards. */
export interface Rows {
  readonly owner: Owner
  readonly links: readonly {
    readonly token: string
    readonly note: string
    readonly password: string | undefined
  }[]
  readonly drafts: number
}

/** Adds secrets, every fifth with a password, and drafts. */
export async function addRows(place: Place, count: number): Promise<Rows> {
  const installation = await open(place)
  const owner = await addOwner(installation.sotto)
  const links: Rows['links'][number][] = []
  // In parts, because only a bounded number of passwords may wait to be hashed.
  while (links.length < count) {
    const numbers = Array.from({ length: Math.min(20, count - links.length) }, (_, at) => links.length + at)
    links.push(...(await Promise.all(numbers.map((number) => addLink(installation, owner, number)))))
  }
  const drafts = Math.ceil(count / 10)
  const saved = await Promise.all(
    Array.from({ length: drafts }, (_, at) =>
      installation.sotto.saveDraft({ ...idsOf(owner), label: 'a draft', note: `draft ${at}` }),
    ),
  )
  for (const each of saved) expectOk(each)
  await installation.close()
  return { owner, links, drafts }
}

async function addLink(
  installation: Installation,
  owner: Owner,
  number: number,
): Promise<Rows['links'][number]> {
  const password = number % 5 === 0 ? `password ${number}` : undefined
  const note = `note ${number}`
  const fields = { ...idsOf(owner), label: `label ${number}`, note, password }
  const { link } = expectOk(await installation.sotto.createSecret(fields))
  return { token: link.token, note, password }
}

export interface Killed {
  /** How often the rotation was killed. */
  readonly kills: number
  /** How many rows could not be read after a kill or at the end. Must be 0. */
  readonly unreadable: number
  /** The numbers of the keys in use at the end. Must be one. */
  readonly kids: readonly number[]
}

/**
 * Rotates the keys in processes that are killed with SIGKILL, each before the next of these steps. Reads every row after each kill. At the
 * end lets one rotation finish.
 */
export async function killAtSteps(place: Place, rows: Rows, steps: Iterable<number>): Promise<Killed> {
  let kills = 0
  let unreadable = 0
  for (const step of steps) {
    const { signal, status, stderr } = runRotation(place, String(step))
    if (signal !== 'SIGKILL' && status !== 0) throw new Error(stderr)
    kills += signal === 'SIGKILL' ? 1 : 0
    unreadable += await readAll(place, rows)
  }
  ageLock(place)
  const last = runRotation(place, 'never')
  if (last.status !== 0) throw new Error(last.stderr)
  unreadable += await readAll(place, rows)
  const installation = await open(place)
  const known = expectOk(await installation.storage.keys.list())
  await installation.close()
  return { kills, unreadable, kids: known.filter((key) => key.rows > 0).map(({ kid }) => kid) }
}

/** The same with kills at random times, from outside. */
export async function killAtRandom(place: Place, rows: Rows, times: number): Promise<Killed> {
  let kills = 0
  let unreadable = 0
  for (let time = 0; time < times; time += 1) {
    ageLock(place)
    const rotation = spawn(process.execPath, [child, place.directory, 'never'], {
      env: envOf(place),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(rotation, 'close') as Promise<[number | null, string | null]>
    await Promise.race([once(rotation.stdout, 'data'), ended])
    const timer = setTimeout(() => rotation.kill('SIGKILL'), Math.random() * 400)
    const [, signal] = await ended
    clearTimeout(timer)
    kills += signal === 'SIGKILL' ? 1 : 0
    unreadable += await readAll(place, rows)
  }
  const last = await killAtSteps(place, rows, [])
  return { kills, unreadable: unreadable + last.unreadable, kids: last.kids }
}

function runRotation(place: Place, step: string) {
  return spawnSync(process.execPath, [child, place.directory, step], { encoding: 'utf8', env: envOf(place) })
}

function envOf({ env }: Place): NodeJS.ProcessEnv {
  return { ...env, NODE_COMPILE_CACHE: compileCache }
}

function open(place: Place): Promise<Installation> {
  return openPlace(place, { createCrypto: cheapCrypto })
}

function idsOf({ accountId, folderId }: Owner) {
  return { accountId, folderId }
}

/** Ages the lock of a process that was killed while it changed the key file, so that the next one breaks it. */
function ageLock({ settings }: Place): void {
  const lock = `${settings.keysFile}.lock`
  const longAgo = Date.now() / 1_000 - 120
  if (existsSync(lock)) utimesSync(lock, longAgo, longAgo)
}

/** Reads every row in every way. Returns how many were not readable or not as they must be. */
export async function readAll(place: Place, rows: Rows): Promise<number> {
  const installation = await open(place)
  try {
    return await countUnreadable(installation, rows)
  } finally {
    await installation.close()
  }
}

async function countUnreadable(
  { sotto }: Installation,
  { owner: { accountId }, links, drafts }: Rows,
): Promise<number> {
  let wrong = 0
  const expect = (ok: boolean): void => void (wrong += ok ? 0 : 1)
  for (const { token, note, password } of links) {
    const opened = await sotto.openSecret({ token, password })
    expect(opened.isOk() && opened.value.note === note)
  }
  expect((await countIn(sotto.listSecrets({ accountId }))) === links.length)
  expect((await countIn(sotto.listDrafts({ accountId }))) === drafts)
  expect((await countIn(sotto.listFolders({ accountId }))) === 1)
  expect((await countIn(sotto.listAccessTokens({ accountId }))) === 1)
  const account = await sotto.findAccount({ email: 'owner@example.org' })
  expect(account.isOk() && account.value.id === accountId)
  return wrong
}

/** -1 when a row cannot be read. */
async function countIn(pages: Pages<unknown, unknown>): Promise<number> {
  let count = 0
  for await (const page of pages) {
    if (page.isErr()) return -1
    count += page.value.items.length
  }
  return count
}

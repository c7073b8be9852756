import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Pages, Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { cheapCrypto } from '../support/cheap-crypto.ts'
import { compileCache } from '../support/child.ts'
import { contentOf, readTicketWhole, uploadFile } from '../support/files.ts'
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
    readonly file: Buffer | undefined
    /** What an open gave before the rotation. */
    readonly ticket: string | undefined
  }[]
  readonly drafts: number
}

/** Adds secrets, every fifth with a password and every fourth with a file, and drafts, every second with a file. */
export async function addRows(place: Place, count: number): Promise<Rows> {
  const installation = await open(place)
  const owner = await addOwner(installation.sotto)
  const links: Rows['links'][number][] = []
  // The links are made in parts, because only a bounded number of passwords may wait to be hashed.
  while (links.length < count) {
    const numbers = Array.from({ length: Math.min(20, count - links.length) }, (_, at) => links.length + at)
    links.push(...(await Promise.all(numbers.map((number) => addLink(installation, owner, number)))))
  }
  const drafts = Math.ceil(count / 10)
  for (let number = 0; number < drafts; number += 1) await addDraft(installation, owner, number)
  await installation.close()
  return { owner, links, drafts }
}

async function addLink(
  installation: Installation,
  owner: Owner,
  number: number,
): Promise<Rows['links'][number]> {
  const { sotto } = installation
  const password = number % 5 === 0 ? `password ${number}` : undefined
  const note = `note ${number}`
  const file = number % 4 === 0 ? contentOf(number) : undefined
  const upload = file && (await uploadFile(sotto, owner.accountId, file))
  const fields = { ...idsOf(owner), label: `label ${number}`, note, password, upload }
  const { token } = expectOk(await sotto.createSecret(fields)).link
  const opened = file && expectOk(await sotto.openSecret({ token, password }))
  return { token, note, password, file, ticket: opened?.attached?.ticket }
}

async function addDraft({ sotto }: Installation, owner: Owner, number: number): Promise<void> {
  const upload = number % 2 === 0 ? await uploadFile(sotto, owner.accountId, contentOf(number)) : undefined
  expectOk(await sotto.saveDraft({ ...idsOf(owner), label: 'a draft', note: `draft ${number}`, upload }))
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

/** Kills rotations from outside, at random times within the time that one whole rotation takes. */
export async function killAtRandom(place: Place, rows: Rows, times: number): Promise<Killed> {
  let kills = 0
  let unreadable = 0
  const { millis } = await rotateUnlessKilled(place)
  for (let time = 0; time < times; time += 1) {
    const { isKilled } = await rotateUnlessKilled(place, Math.random() * millis)
    kills += isKilled ? 1 : 0
    unreadable += await readAll(place, rows)
  }
  const last = await killAtSteps(place, rows, [])
  return { kills, unreadable: unreadable + last.unreadable, kids: last.kids }
}

/** Rotates in a process that is killed so long after it has opened the installation. */
async function rotateUnlessKilled(
  place: Place,
  killedAfterMillis?: number,
): Promise<{ readonly isKilled: boolean; readonly millis: number }> {
  ageLock(place)
  const rotation = spawn(process.execPath, [child, place.directory, 'never'], {
    env: envOf(place),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(rotation, 'close') as Promise<[number | null, string | null]>
  await Promise.race([once(rotation.stdout, 'data'), ended])
  const began = performance.now()
  const timer =
    killedAfterMillis === undefined
      ? undefined
      : setTimeout(() => rotation.kill('SIGKILL'), killedAfterMillis)
  const [code, signal] = await ended
  clearTimeout(timer)
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`a rotation ended with ${code}`)
  return { isKilled: signal === 'SIGKILL', millis: performance.now() - began }
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
  for (const { token, note, password, file, ticket } of links) {
    const opened = await sotto.openSecret({ token, password })
    expect(opened.isOk() && opened.value.note === note)
    if (file === undefined) continue
    for (const given of [ticket, opened.unwrapOr(undefined)?.attached?.ticket]) {
      const read = await readTicketWhole(sotto, given ?? '')
      expect(Buffer.isBuffer(read) && read.equals(file))
    }
  }
  expect((await countIn(sotto.listSecrets({ accountId }))) === links.length)
  expect(await areDraftsReadable(sotto, accountId, drafts))
  expect((await countIn(sotto.listFolders({ accountId }))) === 1)
  expect((await countIn(sotto.listAccessTokens({ accountId }))) === 1)
  const account = await sotto.findAccount({ email: 'owner@example.org' })
  expect(account.isOk() && account.value.id === accountId)
  return wrong
}

/** Whether there are as many, each with its note and half of them with a file whose name and key can be read. */
async function areDraftsReadable(
  sotto: Installation['sotto'],
  accountId: Uuid,
  expected: number,
): Promise<boolean> {
  const files: number[] = []
  for await (const page of sotto.listDrafts({ accountId })) {
    if (page.isErr()) return false
    for (const { id } of page.value.items) {
      const draft = await sotto.getDraft({ accountId, id })
      if (draft.isErr() || !/^draft \d+$/.test(draft.value.note ?? '')) return false
      files.push(draft.value.files.filter(({ name }) => name === 'a file').length)
    }
  }
  return files.length === expected && files.filter((count) => count === 1).length === Math.ceil(expected / 2)
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

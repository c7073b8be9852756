// Writes to an installation as a server does, and prints, before each request and after its answer, a line of JSON with what a client
// would know. Runs under strace, which records those lines among the writes and fsyncs of the files.
//
// arguments: directory, seed, sessions, rounds of each session, FULL or NORMAL, `unsynced-files` for contents that are not synced
import { writeSync } from 'node:fs'
import { open as openFile, type FileHandle } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { createChance } from '../support/chance.ts'
import { openPlace, placeIn } from '../support/place.ts'
import { uploadFile } from '../support/files.ts'
import { fileOf, type Report } from './reports.ts'

/** A secret or draft of this run that can still be used. */
interface Own {
  readonly label: string
  readonly openLimit: number | undefined
  id: string
  token?: string
  /** Opens requested so far. */
  opens: number
  busy: boolean
}

type Sotto = Installation['sotto']

const [directory = '', seed, sessions, rounds, synchronous, flaw] = process.argv.slice(2)
const chance = createChance(Number(seed))
const own: Own[] = []
let lastNr = 0
let owner: { readonly accountId: Uuid; readonly folderId: Uuid } | undefined

if (synchronous === 'NORMAL') pretendFull()
if (flaw === 'unsynced-files') await leaveFilesUnsynced()
for (let session = 1; session <= Number(sessions); session += 1) await runSession(session)

/** Opens the installation, uses it, closes it, so that the log is created, emptied and deleted more than once. */
async function runSession(session: number): Promise<void> {
  const { sotto, storage, close } = await openPlace(placeIn(directory))
  owner ??= await prepare(sotto)
  for (let round = 1; round <= Number(rounds); round += 1) {
    const width = chance.between(1, 6)
    await Promise.all(Array.from({ length: width }, () => step(sotto)))
    if (round === Math.ceil(Number(rounds) / 2) && session === 2) {
      report({ rotating: true })
      expectOk(await sotto.rotateKeys())
    }
  }
  if (session < Number(sessions)) await close()
  else storage.erasure.finish()
}

async function prepare(sotto: Sotto): Promise<{ readonly accountId: Uuid; readonly folderId: Uuid }> {
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'power@example.org' }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Power' }))
  report({ accountId, folderId })
  return { accountId, folderId }
}

async function step(sotto: Sotto): Promise<void> {
  const kind = chance.between(1, 100)
  const one = chance.pick(own.filter(({ busy }) => !busy))
  if (kind <= 45 || one === undefined) return create(sotto, chance.happens(70))
  one.busy = true
  if (one.token !== undefined) await open(sotto, one, one.token)
  else if (chance.happens(70)) await share(sotto, one)
  else await erase(sotto, one)
  one.busy = false
}

async function create(sotto: Sotto, isShared: boolean): Promise<void> {
  const { accountId, folderId } = owner ?? (await prepare(sotto))
  const label = `Secret ${(lastNr += 1)}`
  const note = `${label} ${'x'.repeat(chance.between(1, 3_000))}`
  const openLimit = chance.pick([undefined, 1, 1, 2, 3])
  const fileBytes = chance.happens(30) ? chance.between(0, 150_000) : undefined
  report({ asked: isShared ? 'create' : 'save', label, note, openLimit, fileBytes })
  const file = fileOf({ label, fileBytes })
  const upload = file && (await uploadFile(sotto, accountId, file))
  const input = { accountId, folderId, label, note, openLimit, upload }
  if (isShared) {
    const { id, link } = expectOk(await sotto.createSecret(input))
    report({ done: 'create', label, id, token: link.token })
    own.push({ label, openLimit, id, token: link.token, opens: 0, busy: false })
  } else {
    const { id } = expectOk(await sotto.saveDraft(input))
    report({ done: 'save', label, id })
    own.push({ label, openLimit, id, opens: 0, busy: false })
  }
}

async function share(sotto: Sotto, one: Own): Promise<void> {
  const { label, id } = one
  const { accountId } = owner ?? (await prepare(sotto))
  report({ asked: 'share', label })
  const { link } = expectOk(await sotto.shareDraft({ accountId, id }))
  report({ done: 'share', label, id, token: link.token })
  one.token = link.token
}

async function erase(sotto: Sotto, one: Own): Promise<void> {
  const { label, id } = one
  const { accountId } = owner ?? (await prepare(sotto))
  report({ asked: 'delete', label })
  expectOk(await sotto.deleteDraft({ accountId, id }))
  report({ done: 'delete', label })
  own.splice(own.indexOf(one), 1)
}

async function open(sotto: Sotto, one: Own, token: string): Promise<void> {
  const { label, openLimit } = one
  one.opens += 1
  if (openLimit !== undefined && one.opens >= openLimit) own.splice(own.indexOf(one), 1)
  report({ asked: 'open', label })
  const { attached } = expectOk(await sotto.openSecret({ token }))
  report({ done: 'open', label, ticket: attached?.ticket })
}

/** Written synchronously, so that strace records it in its place among the other writes. Waits while the pipe to a slow reader is full. */
function report(line: Report): void {
  for (;;) {
    try {
      writeSync(1, `${JSON.stringify(line)}\n`)
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Makes, for the control, a database that reports FULL where FULL was set, and does NORMAL. */
function pretendFull(): void {
  const require = createRequire(new URL('../../../packages/adapter-sqlite/package.json', import.meta.url))
  const { prototype } = require('better-sqlite3') as { prototype: { pragma(...given: unknown[]): unknown } }
  const { pragma } = prototype
  const deceived = new WeakSet()
  prototype.pragma = function (this: object, source, ...options) {
    if (source === 'synchronous' && deceived.has(this)) return 2
    if (source !== 'synchronous = 2') return pragma.call(this, source, ...options)
    deceived.add(this)
    return pragma.call(this, 'synchronous = 1', ...options)
  }
}

/** Leaves, for the control, contents of files and the directories that lead to them unsynced. */
async function leaveFilesUnsynced(): Promise<void> {
  const any = await openFile(import.meta.filename)
  const prototype = Object.getPrototypeOf(any) as Pick<FileHandle, 'sync'>
  await any.close()
  prototype.sync = () => Promise.resolve()
}

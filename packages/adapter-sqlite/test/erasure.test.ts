import { join } from 'node:path'
import { ok, type ResultAsync } from 'neverthrow'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import type { LinkNotFound, StorageError, StoredNote } from '@sotto/core'
import { findBytes } from './find-bytes.ts'
import { okOf, open, openQuotaIn, temporaryDir } from './helpers.ts'
import { createManualTimers } from './manual-timers.ts'
import { addFolder } from './rows.ts'

/** Bytes of a ciphertext by which it is found: its first, its last, and some between. */
function needlesOf(...ciphertexts: readonly Uint8Array[]): readonly string[] {
  return ciphertexts.flatMap((bytes) =>
    [0, Math.floor(bytes.length / 2), bytes.length - 16].map((at) =>
      Buffer.from(bytes.subarray(at, at + 16)).toString('hex'),
    ),
  )
}

const needlesOfNote = ({ note, wrap }: StoredNote) => needlesOf(note, wrap)

test('what was erased is in no file any more once the log was emptied, and in the log until then', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const [opened, expired] = [make.secret(folder), make.secret(folder, 0)]
  const draft = make.draft(folder)
  const notes = [make.note(40), make.note(5_000), make.note(70_000)]
  for (const [at, secret] of [opened, expired, draft].entries()) {
    await okOf(database.secrets.insert(secret, notes[at]!))
  }
  t.ok(database.erasure.finish(), 'so that the notes are in the file itself')
  const needles = [...notes.flatMap(needlesOfNote), ...needlesOf(expired.head, draft.head)]
  t.same(findBytes(dir, needles), ['sotto.sqlite'], 'the search finds what is there')

  await okOf(database.links.update(opened.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
  t.equal(await okOf(database.drafts.erase(folder.accountId, draft.id)), true)
  t.equal(await okOf(database.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 1)), 1)
  t.match(
    findBytes(dir, needles),
    ['sotto.sqlite'],
    'without a checkpoint it lives on, so the search would find a checkpoint that was forgotten',
  )
  t.equal(database.erasure.pendingForMillis(), 0)
  timers.pass(1_000)
  t.equal(database.erasure.pendingForMillis(), undefined)
  t.same(findBytes(dir, needles), [])
  t.ok(await okOf(database.links.find(opened.link.lookup)), 'the destroyed one is still listed')
  await database.close()
})

test('each way of erasing has the log emptied', async (t) => {
  const timers = createManualTimers()
  const database = await open(temporaryDir(t), { timers })
  const { make, folder } = await addFolder(database)
  const [opened, expired, draft] = [make.secret(folder), make.secret(folder, 0), make.draft(folder)]
  for (const secret of [opened, expired, draft]) await okOf(database.secrets.insert(secret, make.note()))
  const ways: Record<string, () => ResultAsync<unknown, StorageError | LinkNotFound>> = {
    'the last open': () =>
      database.links.update(opened.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })),
    'the sweep': () => database.secrets.eraseExpired(expired.link.expiresAtMicros, 10),
    'deleting a draft': () => database.drafts.erase(folder.accountId, draft.id),
  }
  for (const [name, erase] of Object.entries(ways)) {
    t.ok(database.erasure.finish())
    t.equal(database.erasure.pendingForMillis(), undefined)
    await okOf(erase())
    t.equal(database.erasure.pendingForMillis(), 0, name)
  }
  await database.close()
})

test('a note that was written and erased at once is not left in the log', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const [draft, note] = [make.draft(folder), make.note(3_000)]
  await okOf(database.secrets.insert(draft, note))
  await okOf(database.drafts.erase(folder.accountId, draft.id))
  t.same(findBytes(dir, needlesOfNote(note)), ['sotto.sqlite-wal'])
  timers.pass(1_000)
  t.same(findBytes(dir, needlesOfNote(note)), [])
  await database.close()
})

test('while somebody reads, what was erased stays, is told of after a minute, and goes when he ends', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const told: unknown[] = []
  const database = await open(dir, { timers, log: (...entry) => told.push(entry) })
  const { make, folder } = await addFolder(database)
  const [draft, note] = [make.draft(folder), make.note()]
  await okOf(database.secrets.insert(draft, note))
  const reader = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM secrets').get()
  await okOf(database.drafts.erase(folder.accountId, draft.id))

  timers.pass(59_000)
  t.equal(database.erasure.pendingForMillis(), 59_000)
  t.equal(database.erasure.finish(), false)
  t.same(told, [])
  timers.pass(5_000)
  t.equal(told.length, 1)
  t.match(told[0], ['warn', /still in the write-ahead log/, { obstacle: String, seconds: 61 }])
  timers.pass(61_000)
  t.equal(told.length, 2, 'and again after another minute')

  reader.exec('COMMIT')
  timers.pass(2_000)
  t.equal(database.erasure.pendingForMillis(), undefined)
  reader.close()
  t.same(findBytes(dir, needlesOfNote(note)), [])
  await database.close()
})

test('many erasures share a checkpoint', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const drafts = Array.from({ length: 30 }, () => make.draft(folder))
  for (const draft of drafts) await okOf(database.secrets.insert(draft, make.note()))
  const before = timers.waiting().length
  for (const draft of drafts) await okOf(database.drafts.erase(folder.accountId, draft.id))
  t.equal(timers.waiting().length, before + 1, 'one call is awaited for all of them')
  await database.close()
})

test('what another process, or a crash, has left in the log goes by itself', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const server = await open(dir, { timers })
  const command = await open(dir, { timers: createManualTimers() })
  const { make, folder } = await addFolder(command)
  const [draft, note] = [make.draft(folder), make.note()]
  await okOf(command.secrets.insert(draft, note))
  await okOf(command.drafts.erase(folder.accountId, draft.id))
  timers.pass(22_000)
  t.same(findBytes(dir, needlesOfNote(note)), [])
  await Promise.all([server.close(), command.close()])
})

test('closing takes what was erased with it', async (t) => {
  const dir = temporaryDir(t)
  const server = await open(dir)
  const command = await open(dir)
  const { make, folder } = await addFolder(command)
  const [draft, note] = [make.draft(folder), make.note()]
  await okOf(command.secrets.insert(draft, note))
  await okOf(command.drafts.erase(folder.accountId, draft.id))
  await command.close()
  t.same(findBytes(dir, needlesOfNote(note)), [], 'though another process has it open')
  await server.close()
})

test('buckets of the quota that are over are in no file any more', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const { quota, erasure, close } = await openQuotaIn(dir, { timers })
  const limits = { perMinute: 60, perDay: 1_440 }
  await okOf(quota.take('address/9f86d081884c7d65', 0, limits))
  const needle = Buffer.from('9f86d081884c7d65').toString('hex')
  t.ok(findBytes(dir, [needle]).length > 0)
  t.equal(await okOf(quota.eraseOver(2 * 86_400_000_000, 10)), 1)
  timers.pass(1_000)
  t.equal(erasure.pendingForMillis(), undefined)
  t.same(findBytes(dir, [needle]), [])
  await close()
})

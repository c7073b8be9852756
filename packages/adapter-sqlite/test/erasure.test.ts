import { expectOk, linkRecordOf, noonMicros } from '@sotto/test-kit'
import { renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type ResultAsync } from 'neverthrow'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { noAttempts, type StoredNote } from '@sotto/core'
import type { CheckpointTurn } from '../src/connection/checkpoint-turn.ts'
import { findBytes } from './support/find-bytes.ts'
import { open, openQuotaIn, reportNothing, temporaryDir } from './support/helpers.ts'
import { createManualTimers } from './support/manual-timers.ts'
import { addFolder } from './support/rows.ts'

/** Bytes by which a ciphertext is found: its first, its last, and some from its middle. */
function needlesOf(...ciphertexts: readonly Uint8Array[]): readonly string[] {
  return ciphertexts.flatMap((bytes) =>
    [0, Math.floor(bytes.length / 2), bytes.length - 16].map((at) =>
      Buffer.from(bytes.subarray(at, at + 16)).toString('hex'),
    ),
  )
}

const needlesOfNote = ({ note, wrappedKey }: StoredNote) => needlesOf(note, wrappedKey)

test('erased data is in no file once the log was emptied, and in a file until then', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const [opened, expired] = [make.secret(folder), make.secret(folder, 0)]
  const draft = make.draft(folder)
  const notes = [make.note(40), make.note(5_000), make.note(70_000)]
  for (const [at, secret] of [opened, expired, draft].entries()) {
    expectOk(await database.secrets.insert(secret, notes[at]!))
  }
  t.ok(database.erasure.finish(), 'so that the notes are in the main file')
  const needles = [
    ...notes.flatMap(needlesOfNote),
    ...needlesOf(expired.headCiphertext, draft.headCiphertext),
  ]
  t.same(findBytes(dir, needles), ['sotto.sqlite'], 'the search finds what is there')

  expectOk(
    await database.links.update(opened.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })),
  )
  t.equal(expectOk(await database.drafts.erase(folder.accountId, draft.id)), true)
  t.equal(expectOk(await database.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 1, reportNothing)), 1)
  t.ok(
    findBytes(dir, needles).includes('sotto.sqlite'),
    'without a checkpoint it is found, so a checkpoint that was forgotten would be noticed',
  )
  t.equal(database.erasure.pendingForMillis(), 0)
  timers.pass(1_000)
  t.equal(database.erasure.pendingForMillis(), undefined)
  t.same(findBytes(dir, needles), [])
  t.ok(await linkRecordOf(database, opened.link.lookup), 'the secret whose note is destroyed is still stored')
  await database.close()
})

const counted = { attempts: { ...noAttempts, wrongTotal: 1 }, eraseAtMicros: 1 }

test('the log is emptied after each way of erasing', async (t) => {
  const timers = createManualTimers()
  const database = await open(temporaryDir(t), { timers })
  const { make, folder } = await addFolder(database)
  const [opened, expired, draft] = [make.secret(folder), make.secret(folder, 0), make.draft(folder)]
  for (const secret of [opened, expired, draft]) expectOk(await database.secrets.insert(secret, make.note()))
  const [corrupted, note, token] = [make.draft(folder), make.note(), make.accessToken(folder.accountId)]
  expectOk(await database.secrets.insert(corrupted, note))
  expectOk(await database.accessTokens.insert(token, make.tokenDigest()))
  const webhook = make.webhook(folder.accountId)
  expectOk(await database.webhooks.insert(webhook, 5))
  const claim = { digests: [{ key: make.bytes(32), request: make.bytes(32) }], forgottenByMicros: -1 }
  const claimed = make.secret(folder, undefined, { createdAtMicros: 0 })
  expectOk(await database.idempotencyKeys.insertSecret(claimed, make.note(), claim))
  const { accountId } = folder
  const empty = make.folder(accountId)
  expectOk(await database.folders.insert(empty))
  const leaver = make.account()
  expectOk(await database.accounts.insert(leaver, [make.nameIndex()]))
  const [link, bucket, over] = [make.tokenDigest(), make.tokenDigest(), make.tokenDigest()]
  expectOk(await database.invitations.replace(make.invitation(accountId), make.tokenDigest()))
  const [password, session] = [make.password(accountId), make.session(accountId)]
  const left = { nowMicros: noonMicros, password, session, sessionDigest: make.tokenDigest() }
  for (const name of [bucket, over])
    expectOk(await database.signIns.update([name], () => ok({ buckets: [counted] })))
  const remember = (atMicros: number) =>
    database.signIns.rememberAddress({ accountId, address: make.tokenDigest(), atMicros }, 1)
  expectOk(await remember(1))
  const ways: Record<string, () => ResultAsync<unknown, { readonly code: string }>> = {
    'the last open': () =>
      database.links.update(opened.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })),
    'the sweep': () => database.secrets.eraseExpired(expired.link.expiresAtMicros, 10, reportNothing),
    'deleting a draft': () => database.drafts.erase(folder.accountId, draft.id),
    'deleting a webhook': () => database.webhooks.erase(folder.accountId, webhook.id),
    'changing a display name': () => database.accounts.setDisplayName(folder.accountId, make.displayName()),
    'erasing a display name': () => database.accounts.setDisplayName(folder.accountId, undefined),
    'replacing a one-time link': () => database.invitations.replace(make.invitation(accountId), link),
    'using a one-time link': () => database.invitations.spend(link, left),
    'replacing a password': () =>
      database.passwords.replace(make.password(accountId), {
        expectedId: password.id,
        keepSessionId: session.id,
      }),
    'ending a session': () => database.sessions.erase(accountId, session.id),
    'renaming an account': () => database.accounts.rename(accountId, make.encrypted(), [make.nameIndex()]),
    'relabelling a folder': () => database.folders.relabel(accountId, folder.id, make.encrypted()),
    'erasing a folder': () => database.folders.erase(accountId, empty.id, noonMicros),
    'forgetting wrong passwords': () => database.signIns.update([bucket], () => ok({ buckets: [undefined] })),
    'sweeping wrong passwords': () => database.signIns.eraseOver(counted.eraseAtMicros, 10),
    'forgetting an address': () => remember(2),
    'beginning to erase an account': () => database.accounts.beginErasure(leaver.id),
    'erasing an account': () => database.accounts.eraseBegun(10),
    'forgetting an idempotency key': () => database.idempotencyKeys.eraseOld(0, 10),
    'dropping a corrupted secret': () =>
      database.corruption.eraseSecret({ secret: corrupted, wrappedKey: note.wrappedKey }, note.note),
    'dropping a corrupted token': () =>
      database.corruption.eraseText('access_token.name', token.id, token.name),
  }
  for (const [name, erase] of Object.entries(ways)) {
    t.ok(database.erasure.finish())
    t.equal(database.erasure.pendingForMillis(), undefined)
    expectOk(await erase())
    t.equal(database.erasure.pendingForMillis(), 0, name)
  }
  await database.close()
})

// Promise (The owner's pages): A display name and the name of a session are in no file once they are erased
test('a display name and the name of a session are in no file once they are replaced or erased', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const { accountId } = folder
  const [invited, session] = [make.tokenDigest(), make.session(accountId)]
  expectOk(await database.invitations.replace(make.invitation(accountId), invited))
  const password = make.password(accountId)
  const signedIn = { nowMicros: noonMicros, password, session, sessionDigest: make.tokenDigest() }
  t.equal(expectOk(await database.invitations.spend(invited, signedIn)), true)
  const names = Array.from({ length: 3 }, () => make.displayName())
  const sessionNames = Array.from({ length: 2 }, () => make.encrypted())
  for (const displayName of names) expectOk(await database.accounts.setDisplayName(accountId, displayName))
  for (const name of sessionNames) expectOk(await database.sessions.rename(accountId, session.id, name))
  const needles = needlesOf(
    ...[...names.map(({ name }) => name), ...sessionNames].map((name) => name.ciphertext),
  )
  t.not(findBytes(dir, needles).length, 0, 'the search finds what is there')
  expectOk(await database.accounts.setDisplayName(accountId, undefined))
  t.equal(expectOk(await database.sessions.erase(accountId, session.id)), true)
  timers.pass(1_000)
  t.same(findBytes(dir, needles), [])
  await database.close()
})

test('a note that was erased right after it was written is not left in the log', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const [draft, note] = [make.draft(folder), make.note(3_000)]
  expectOk(await database.secrets.insert(draft, note))
  expectOk(await database.drafts.erase(folder.accountId, draft.id))
  t.same(findBytes(dir, needlesOfNote(note)), ['sotto.sqlite-wal'])
  timers.pass(1_000)
  t.same(findBytes(dir, needlesOfNote(note)), [])
  await database.close()
})

test('while another connection reads, erased data stays, is reported after a minute, and goes when the reader has finished', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const logged: unknown[] = []
  const database = await open(dir, { timers, log: (...entry) => logged.push(entry) })
  const { make, folder } = await addFolder(database)
  const [draft, note] = [make.draft(folder), make.note()]
  expectOk(await database.secrets.insert(draft, note))
  const reader = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM secrets').get()
  expectOk(await database.drafts.erase(folder.accountId, draft.id))

  timers.pass(59_000)
  t.equal(database.erasure.pendingForMillis(), 59_000)
  t.equal(database.erasure.finish(), false)
  t.same(logged, [])
  timers.pass(5_000)
  t.equal(logged.length, 1)
  t.match(logged[0], ['warn', /still in the write-ahead log/, { obstacle: String, seconds: 61 }])
  timers.pass(61_000)
  t.equal(logged.length, 2, 'and again after another minute')

  reader.exec('COMMIT')
  timers.pass(2_000)
  t.equal(database.erasure.pendingForMillis(), undefined)
  reader.close()
  t.same(findBytes(dir, needlesOfNote(note)), [])
  await database.close()
})

test('a process whose turn it is not passes each erasure on, until it becomes its turn', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const passed: string[] = []
  const listeners: (() => void)[] = []
  let isMine = false
  const checkpoints: CheckpointTurn = {
    isMine: () => isMine,
    pass: (file) => passed.push(file),
    onPassed: (_file, listener) => listeners.push(listener),
  }
  const database = await open(dir, { timers, checkpoints })
  const { make, folder } = await addFolder(database)
  const [draft, note] = [make.draft(folder), make.note()]
  expectOk(await database.secrets.insert(draft, note))
  t.same(passed, [])
  expectOk(await database.drafts.erase(folder.accountId, draft.id))
  t.same(passed, ['sotto.sqlite'])
  timers.pass(60_000)
  t.same(findBytes(dir, needlesOfNote(note)), ['sotto.sqlite-wal'], 'it leaves the log alone')

  isMine = true
  for (const call of listeners) call()
  t.equal(database.erasure.pendingForMillis(), 0)
  timers.pass(1_000)
  t.same(findBytes(dir, needlesOfNote(note)), [])
  t.same(passed, ['sotto.sqlite'])
  await database.close()
})

test('an erasure that is passed on after the file was closed is not waited for', async (t) => {
  const timers = createManualTimers()
  const logged: unknown[] = []
  const listeners: (() => void)[] = []
  const checkpoints: CheckpointTurn = {
    isMine: () => true,
    pass: (file) => t.fail(file),
    onPassed: (_file, listener) => listeners.push(listener),
  }
  const log = (...entry: unknown[]): unknown => logged.push(entry)
  const database = await open(temporaryDir(t), { timers, checkpoints, log })
  await database.close()
  for (const call of listeners) call()
  t.equal(listeners.length, 1)
  t.equal(database.erasure.pendingForMillis(), undefined)
  t.same(timers.waiting(), [])
  timers.pass(120_000)
  t.same(logged, [])
})

test('a directory that cannot be read any more ends nothing', async (t) => {
  const dir = join(temporaryDir(t), 'data')
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  renameSync(dir, `${dir}.moved`)
  symlinkSync('data', dir)
  t.throws(() => statSync(dir), { code: 'ELOOP' })
  timers.pass(20_000)
  t.equal(database.erasure.pendingForMillis(), 0, 'there may be something in the log')
  await database.close()
  t.same(timers.waiting(), [])
})

test('many erasures share a checkpoint', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const drafts = Array.from({ length: 30 }, () => make.draft(folder))
  for (const draft of drafts) expectOk(await database.secrets.insert(draft, make.note()))
  const before = timers.waiting().length
  for (const draft of drafts) expectOk(await database.drafts.erase(folder.accountId, draft.id))
  t.equal(timers.waiting().length, before + 1, 'one timer for all of them')
  await database.close()
})

test('what another process or a crash left in the log is removed without a call', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const server = await open(dir, { timers })
  const command = await open(dir, { timers: createManualTimers() })
  const { make, folder } = await addFolder(command)
  const [draft, note] = [make.draft(folder), make.note()]
  expectOk(await command.secrets.insert(draft, note))
  expectOk(await command.drafts.erase(folder.accountId, draft.id))
  timers.pass(22_000)
  t.same(findBytes(dir, needlesOfNote(note)), [])
  await Promise.all([server.close(), command.close()])
})

test('closing removes erased data', async (t) => {
  const dir = temporaryDir(t)
  const server = await open(dir)
  const command = await open(dir)
  const { make, folder } = await addFolder(command)
  const [draft, note] = [make.draft(folder), make.note()]
  expectOk(await command.secrets.insert(draft, note))
  expectOk(await command.drafts.erase(folder.accountId, draft.id))
  await command.close()
  t.same(findBytes(dir, needlesOfNote(note)), [], 'although another process has the file open')
  await server.close()
})

test('a closed database cannot finish an erasure, and does not try again', async (t) => {
  const timers = createManualTimers()
  const database = await open(temporaryDir(t), { timers })
  await database.close()
  t.equal(database.erasure.finish(), false)
  t.same(timers.waiting(), [])
})

test('buckets of the quota whose windows are over are in no file', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const { quota, erasure, close } = await openQuotaIn(dir, { timers })
  const limits = { perMinute: 60, perDay: 1_440 }
  expectOk(await quota.take('address/9f86d081884c7d65', 0, limits))
  const needle = Buffer.from('9f86d081884c7d65').toString('hex')
  t.ok(findBytes(dir, [needle]).length > 0)
  t.equal(expectOk(await quota.eraseOver(2 * 86_400_000_000, 10)), 1)
  timers.pass(1_000)
  t.equal(erasure.pendingForMillis(), undefined)
  t.same(findBytes(dir, [needle]), [])
  await close()
})

import type { FullOpenStorage, StoredSession } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import type { Result, ResultAsync } from 'neverthrow'
import { after, test, type Test } from 'tap'
import { besideTransaction } from '../support/blocking.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { addSampleFolder } from '../support/sample-folder.ts'

const databases = await startDatabases()
after(() => databases.stop())

/** Two storages on one empty database, as two processes have them. */
async function openTwo(t: Test): Promise<readonly [FullOpenStorage, FullOpenStorage]> {
  const { url, giveBack } = await databases.take()
  const two = [await openStorage(url), await openStorage(url)] as const
  t.teardown(async () => {
    for (const storage of two) await storage.close()
    giveBack()
  })
  // Rivals that wait for connections to be made do not meet.
  for (const result of await race(two, 16, ({ accounts }) => accounts.page(undefined, 1))) expectOk(result)
  return two
}

/** Calls `call` for each of `count` numbers at the same time, on both storages in turn, and returns their results. */
async function race<T, E>(
  two: readonly [FullOpenStorage, FullOpenStorage],
  count: number,
  call: (storage: FullOpenStorage, at: number) => PromiseLike<Result<T, E>>,
): Promise<readonly Result<T, E>[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => call(at % 2 === 0 ? two[0] : two[1], at)))
}

/** A write of any kind, for races between several: an error is its code. */
function coded<T, E extends { readonly code: string }>(write: ResultAsync<T, E>): ResultAsync<void, string> {
  return write.map(() => undefined).mapErr(({ code }) => code)
}

test('of twenty accounts with one name that are added at the same time on two storages one is added', async (t) => {
  const two = await openTwo(t)
  const { make } = await addSampleFolder(two[0])
  const index = make.nameIndex()
  const results = await race(two, 20, ({ accounts }) => accounts.insert(make.account(), [index]))
  const codes = results.map((result) => (result.isErr() ? result.error.code : 'added'))
  t.same(codes.filter((code) => code === 'added').length, 1)
  t.same(codes.filter((code) => code === 'account_exists').length, 19)
  t.same(expectOk(await two[1].accounts.page(undefined, 50)).length, 2)
})

test('two accounts cannot take one name at the same time, though it has an index under two keys', async (t) => {
  const two = await openTwo(t)
  const { make } = await addSampleFolder(two[0])
  for (let round = 0; round < 10; round += 1) {
    const [older, newer] = [make.nameIndex(), make.nameIndex()]
    const results = await race(two, 8, ({ accounts }, at) =>
      accounts.insert(make.account(), at % 2 === 0 ? [older, newer] : [newer, older]),
    )
    t.same(results.filter((result) => result.isOk()).length, 1)
  }
})

test('webhooks that are added at the same time on two storages stop at the limit', async (t) => {
  const two = await openTwo(t)
  const {
    make,
    folder: { accountId },
  } = await addSampleFolder(two[0])
  const results = await race(two, 12, ({ webhooks }) => webhooks.insert(make.webhook(accountId), 5))
  const codes = results.map((result) => (result.isErr() ? result.error.code : 'added'))
  t.same(codes.filter((code) => code === 'added').length, 5)
  t.same(codes.filter((code) => code === 'webhook_limit_reached').length, 7)
  t.same(expectOk(await two[0].webhooks.list(accountId)).length, 5)
})

test('a one-time link that is spent at the same time on two storages is spent once', async (t) => {
  const two = await openTwo(t)
  const {
    make,
    folder: { accountId },
  } = await addSampleFolder(two[0])
  const [digest, sessionDigests] = [make.tokenDigest(), Array.from({ length: 8 }, () => make.tokenDigest())]
  expectOk(await two[0].invitations.replace(make.invitation(accountId), digest))
  const spent = await race(two, 8, ({ invitations }, at) =>
    invitations.spend(digest, {
      nowMicros: noonMicros,
      password: make.password(accountId),
      session: make.session(accountId),
      sessionDigest: sessionDigests[at] ?? digest,
    }),
  )
  t.same(spent.filter((result) => expectOk(result)).length, 1)
  t.same(expectOk(await two[1].sessions.page(accountId, undefined, 20)).length, 1)
})

test('no session outlives the password that it was made with, however the two meet', async (t) => {
  const two = await openTwo(t)
  const {
    make,
    folder: { accountId },
  } = await addSampleFolder(two[0])
  const old = await addPassword(two[0], make, accountId)
  const kept: StoredSession = make.session(accountId)
  expectOk(await two[0].sessions.insert(kept, make.tokenDigest(), old))
  const next = make.password(accountId)
  const replaced = two[1].passwords.replace(next, { expectedId: old, keepSessionId: kept.id })
  const added = race(two, 20, ({ sessions }) =>
    sessions.insert(make.session(accountId), make.tokenDigest(), old),
  )
  t.same(expectOk(await replaced), true)
  for (const result of await added) expectOk(result)
  const left = expectOk(await two[0].sessions.page(accountId, undefined, 50))
  t.same(
    left.map(({ id }) => id),
    [kept.id],
  )
})

async function addPassword(
  { invitations }: FullOpenStorage,
  make: Awaited<ReturnType<typeof addSampleFolder>>['make'],
  accountId: Uuid,
): Promise<Uuid> {
  const digest = make.tokenDigest()
  expectOk(await invitations.replace(make.invitation(accountId), digest))
  const password = make.password(accountId)
  const [session, sessionDigest] = [make.session(accountId), make.tokenDigest()]
  expectOk(await invitations.spend(digest, { nowMicros: noonMicros, password, session, sessionDigest }))
  return password.id
}

test('a key is retired, or rows are written under it: never both', async (t) => {
  const two = await openTwo(t)
  const { make, folder } = await addSampleFolder(two[0])
  for (let round = 0; round < 5; round += 1) {
    const raced = 100 + round
    expectOk(
      await two[0].keys.add({
        kid: raced,
        checkValue: make.bytes(32),
        createdAtMicros: noonMicros,
        isReadOnly: false,
      }),
    )
    const inserts = race(two, 50, ({ secrets, folders }, at) =>
      at % 5 === 0
        ? coded(folders.insert(make.folder(folder.accountId, { label: { ...make.encrypted(), kid: raced } })))
        : coded(secrets.insert(make.draft(folder, { kid: raced }), make.note())),
    )
    const retired = await two[1].keys.retire(raced)
    const codes = (await inserts).map((result) => (result.isErr() ? result.error : 'added'))
    const added = codes.filter((code) => code === 'added').length
    const known = expectOk(await two[0].keys.list()).find((key) => key.kid === raced)
    t.same(codes.filter((code) => code !== 'added' && code !== 'key_retired').length, 0)
    if (retired.isOk()) t.same([known, added], [undefined, 0], 'nothing is under a retired key')
    else t.same([retired.error.code, known?.rows], ['key_in_use', added])
  }
})

test('a key that a row comes under while it is being retired stays, and the row is counted', async (t) => {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  t.teardown(async () => {
    await storage.close()
    giveBack()
  })
  const { make, folder } = await addSampleFolder(storage)
  expectOk(
    await storage.keys.add({
      kid: 100,
      checkValue: make.bytes(32),
      createdAtMicros: noonMicros,
      isReadOnly: false,
    }),
  )
  const insert = `INSERT INTO folders (id, account_id, created_at, kid, label)
    VALUES ('${make.uuid()}', '${folder.accountId}', 1, 100, '')`
  const retired = await besideTransaction(url, [insert], () => storage.keys.retire(100))
  t.same(expectErr(retired), { code: 'key_in_use', rows: 1 })
})

test('a folder is erased, or a secret is added to it: never both', async (t) => {
  const two = await openTwo(t)
  const {
    make,
    folder: { accountId },
  } = await addSampleFolder(two[0])
  for (let round = 0; round < 10; round += 1) {
    const folder = make.folder(accountId)
    expectOk(await two[0].folders.insert(folder))
    const inserts = race(two, 6, ({ secrets }) => secrets.insert(make.draft(folder), make.note()))
    const erased = await two[1].folders.erase(accountId, folder.id, noonMicros)
    const added = (await inserts).filter((result) => result.isOk()).length
    if (erased.isOk()) t.same([erased.value, added], [true, 0])
    else t.same(erased.error.code, 'folder_not_empty')
  }
})

test('nothing is added to an account beside the beginning of its erasure, and all of it is erased', async (t) => {
  const two = await openTwo(t)
  const { make, folder } = await addSampleFolder(two[0])
  const { accountId } = folder
  const password = await addPassword(two[0], make, accountId)
  const calls = race(two, 40, (storage, at) => {
    if (at === 20) return coded(storage.accounts.beginErasure(accountId))
    if (at % 5 === 0) return coded(storage.folders.insert(make.folder(accountId)))
    if (at % 5 === 1)
      return coded(storage.accessTokens.insert(make.accessToken(accountId), make.tokenDigest()))
    if (at % 5 === 2)
      return coded(storage.sessions.insert(make.session(accountId), make.tokenDigest(), password))
    if (at % 5 === 3) return coded(storage.webhooks.insert(make.webhook(accountId), 100))
    return coded(storage.secrets.insert(make.draft(folder), make.note()))
  })
  for (const result of await calls) if (result.isErr()) t.same(result.error, 'account_not_found')
  t.same(expectOk(await two[0].sessions.page(accountId, undefined, 50)), [])
  t.same(expectOk(await two[0].webhooks.list(accountId)), [])
  const erased = await race(two, 2, ({ accounts }) => accounts.eraseBegun(1_000))
  const rows = erased.reduce((sum, result) => sum + expectOk(result), 0)
  t.ok(rows >= 2, 'the folder and the account, and what was added before')
  t.same(expectOk(await two[0].keys.list()), expectOk(await two[1].keys.list()))
  t.same(
    expectOk(await two[0].keys.list()).map((key) => key.rows),
    [0],
    'no row is left',
  )
})

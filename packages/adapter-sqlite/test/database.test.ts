import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createSamples, expectErr, expectOk, noonMicros, noteBehind } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { addKey, open, temporaryDir, tryOpen, wrongIn } from './support/helpers.ts'
import { createManualTimers } from './support/manual-timers.ts'
import { startHelper } from './support/processes.ts'
import { addFolder } from './support/rows.ts'

test('a fresh directory and its files are accessible to their owner alone', async (t) => {
  const dir = join(temporaryDir(t), 'deep', 'data')
  const umask = process.umask(0o000)
  t.teardown(() => process.umask(umask))
  const database = await open(dir)
  await addKey(database, 1)
  const modes = ['', 'sotto.sqlite', 'sotto.sqlite-wal', 'sotto.sqlite-shm'].map((name) =>
    (statSync(join(dir, name)).mode & 0o777).toString(8),
  )
  t.same(modes, ['700', '600', '600', '600'])
  await database.close()
})

test('two files have two instance ids', async (t) => {
  const [one, other] = [await open(temporaryDir(t)), await open(temporaryDir(t))]
  t.notSame(one.instanceId, other.instanceId)
  await Promise.all([one.close(), other.close()])
})

test('the pragmas take effect on every connection, also when the file is opened again', async (t) => {
  const dir = temporaryDir(t)
  await (await open(dir)).close()

  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  t.equal(
    other.pragma('synchronous', { simple: true }),
    1,
    'a connection that does not ask for FULL gets NORMAL',
  )
  other.close()

  const connections = await recordConnections(() => open(dir))
  t.equal(connections.open.length, 3, 'one that writes, one that reads, one for checkpoints')
  for (const db of connections.open) {
    const actual = Object.fromEntries(
      Object.keys(wanted).map((name) => [name, db.pragma(name, { simple: true })]),
    )
    t.same(actual, wanted)
  }
  t.same(connections.open.map((db) => db.readonly).sort(), [false, false, true])
  await connections.result.close()
})

const wanted = {
  journal_mode: 'wal',
  synchronous: 2,
  fullfsync: 1,
  checkpoint_fullfsync: 1,
  foreign_keys: 1,
  secure_delete: 1,
  trusted_schema: 0,
  cell_size_check: 1,
  temp_store: 2,
  page_size: 4096,
}

/** The connections that `run` leaves open. */
async function recordConnections<T>(run: () => Promise<T>): Promise<{ open: Sqlite.Database[]; result: T }> {
  const seen = new Set<Sqlite.Database>()
  const { prepare } = Sqlite.prototype
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    seen.add(this)
    return prepare.call(this, sql)
  } as typeof prepare
  const { pragma } = Sqlite.prototype
  Sqlite.prototype.pragma = function (this: Sqlite.Database, ...args: Parameters<typeof pragma>) {
    seen.add(this)
    return pragma.apply(this, args)
  }
  try {
    const result = await run()
    return { open: [...seen].filter((db) => db.open), result }
  } finally {
    Object.assign(Sqlite.prototype, { prepare, pragma })
  }
}

test('a file of a later version is refused and not changed', async (t) => {
  const dir = temporaryDir(t)
  await (await open(dir)).close()
  const path = join(dir, 'sotto.sqlite')
  const later = new Sqlite(path)
  later.pragma('user_version = 77')
  later.close()
  const before = readFileSync(path)
  t.same(expectErr(await tryOpen(dir)), {
    code: 'database_newer',
    location: path,
    version: 77,
    known: 11,
  })
  t.same(readFileSync(path), before)
})

test("another program's database is refused and not changed", async (t) => {
  for (const [name, sql] of [
    ['its own application id', 'PRAGMA application_id = 5; CREATE TABLE a (b)'],
    ['tables, but no application id', 'CREATE TABLE a (b)'],
    ['a version, but nothing else', 'PRAGMA user_version = 3'],
  ] as const) {
    const dir = temporaryDir(t)
    const path = join(dir, 'sotto.sqlite')
    new Sqlite(path).exec(sql).close()
    const before = readFileSync(path)
    t.same(expectErr(await tryOpen(dir)), { code: 'database_foreign', location: path }, name)
    t.same(readFileSync(path), before)
  }
})

test('a file that is no database is refused and not changed', async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'sotto.sqlite')
  writeFileSync(path, 'a letter to my friends\n'.repeat(1_000))
  t.match(expectErr(await tryOpen(dir)), {
    code: 'database_damaged',
    location: path,
    detail: /^SQLITE_NOTADB/,
  })
  t.equal(readFileSync(path, 'utf8').length, 23_000)
})

test('a file whose tables are gone is refused', async (t) => {
  const dir = temporaryDir(t)
  await (await open(dir)).close()
  const path = join(dir, 'sotto.sqlite')
  new Sqlite(path).exec('DROP TABLE ciphertexts').close()
  t.match(expectErr(await tryOpen(dir)), {
    code: 'database_damaged',
    location: path,
    detail: /no such table/,
  })
})

test('a directory that cannot be created is an error', async (t) => {
  const file = join(temporaryDir(t), 'file')
  writeFileSync(file, '')
  t.match(expectErr(await tryOpen(join(file, 'data'))), {
    code: 'database_not_writable',
    location: join(file, 'data', 'sotto.sqlite'),
    detail: 'ENOTDIR',
  })
})

test('a directory with the name of the file is an error', async (t) => {
  const dir = temporaryDir(t)
  mkdirSync(join(dir, 'sotto.sqlite'))
  t.match(expectErr(await tryOpen(dir)), {
    code: 'database_not_writable',
    location: join(dir, 'sotto.sqlite'),
  })
})

test('a file that another connection keeps locked is busy after a while', async (t) => {
  const dir = temporaryDir(t)
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  other.exec('BEGIN EXCLUSIVE')
  const timers = createManualTimers()
  const opening = tryOpen(dir, { timers })
  for (let turn = 0; turn < 4; turn += 1) {
    await setImmediate()
    timers.pass(5_000)
  }
  t.same(expectErr(await opening), { code: 'database_busy', location: join(dir, 'sotto.sqlite') })
  other.close()
})

test('processes that open a fresh directory at the same time all succeed, on the same file', async (t) => {
  const helpers = await Promise.all([startHelper(t), startHelper(t), startHelper(t)])
  for (let round = 0; round < 10; round += 1) {
    const dir = join(temporaryDir(t), 'data')
    const ids = await Promise.all(helpers.map((helper, at) => helper.run('addAccount', dir, at + 1)))
    t.equal(new Set(ids).size, 1, 'all saw the same instance id')
    const database = await open(dir)
    t.equal(expectOk(await database.accounts.page(undefined, 10)).length, 3)
    await database.close()
  }
})

// Promise (Installing and operating): Readiness writes to the main database
test('asking whether the file can be written writes to it, and changes nothing', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  for (const sweptAt of [undefined, noonMicros]) {
    if (sweptAt !== undefined) expectOk(await database.upkeep.recordSweep(sweptAt))
    t.ok(database.erasure.finish(), 'the write-ahead log is empty')
    expectOk(await database.upkeep.canWrite())
    t.ok(statSync(join(dir, 'sotto.sqlite-wal')).size > 0, `the last sweep is ${sweptAt}`)
    t.equal(expectOk(await database.upkeep.lastSweep()), sweptAt)
  }
  await database.close()
})

test('a closed database answers every question about it with an error', async (t) => {
  const database = await open(temporaryDir(t))
  await database.close()
  const closed = { code: 'storage_unavailable', reason: 'closed' }
  const { upkeep, keys, erasure } = database
  t.same(expectErr(await upkeep.canWrite()), closed)
  t.same(expectErr(await upkeep.lastSweep()), closed)
  t.same(expectErr(await upkeep.recordSweep(1)), closed)
  t.same(expectErr(await upkeep.lastWrite()), closed)
  t.match(await upkeep.examine(), [
    { check: 'database', ok: false },
    { check: 'pragmas', ok: undefined },
    { check: 'erasure', ok: undefined },
  ])
  t.same(expectErr(await keys.list()), closed)
  t.equal(erasure.finish(), false)
  await t.resolves(database.close(), 'closing again is fine')
})

test('a secret whose ciphertexts are missing is noticed, and reads as empty ciphertexts', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const secret = make.secret(folder)
  expectOk(await database.secrets.insert(secret, make.note()))
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  other.exec('DELETE FROM ciphertexts')
  other.close()
  t.match(await wrongIn(database), [
    /^database: it is corrupted \(1 rows of secrets have none in ciphertexts\)/,
  ])
  t.equal(
    expectOk(await database.secrets.find(secret.accountId, secret.id, noonMicros))?.headCiphertext.length,
    0,
  )
  const found = await noteBehind(database, secret.link.lookup)
  t.same([found?.note.length, found?.wrappedKey.length], [0, 0])
  await database.close()
})

test('a ciphertext is replaced only by one of the same length', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const draft = make.draft(folder)
  expectOk(await database.secrets.insert(draft, make.note()))
  const keys = {
    kid: draft.kid,
    headCiphertext: make.ciphertext(draft.headCiphertext.length + 1),
    wrappedKey: make.ciphertext(),
  }
  const { accountId, id, headCiphertext } = draft
  const error = expectErr(
    await database.drafts.share({ accountId, id, expectedHeadCiphertext: headCiphertext }, make.link(), keys),
  )
  t.match(error, { code: 'storage_failed', detail: /another length would leave the old one behind/ })
  const found = expectOk(await database.drafts.find(accountId, id))
  t.ok(found && Buffer.from(found.secret.headCiphertext).equals(headCiphertext), 'and the old one stays')
  await database.close()
})

test('the last write is the latest time of any row', async (t) => {
  const database = await open(temporaryDir(t))
  const { upkeep } = database
  const lastWrite = async () => expectOk(await upkeep.lastWrite())
  t.equal(await lastWrite(), undefined, 'of a fresh file there is none')
  await addKey(database, 1)
  const make = createSamples(1)
  let nowMicros = noonMicros
  const at = () => ({ createdAtMicros: (nowMicros += 1) })

  const account = make.account(at())
  expectOk(await database.accounts.insert(account, [make.nameIndex()]))
  t.equal(await lastWrite(), nowMicros, 'an account')
  const folder = make.folder(account.id, at())
  expectOk(await database.folders.insert(folder))
  t.equal(await lastWrite(), nowMicros, 'a folder')
  const draft = make.draft(folder, at())
  expectOk(await database.secrets.insert(draft, make.note()))
  t.equal(await lastWrite(), nowMicros, 'a draft')
  const link = make.link((nowMicros += 1))
  expectOk(await database.secrets.insert(make.secret(folder, undefined, { link }), make.note()))
  t.equal(await lastWrite(), nowMicros, 'a link')
  const token = make.accessToken(account.id, at())
  expectOk(await database.accessTokens.insert(token, make.tokenDigest()))
  t.equal(await lastWrite(), nowMicros, 'an access token')
  database.accessTokens.recordUse(token.id, (nowMicros += 1))
  expectOk(await upkeep.canWrite())
  t.equal(await lastWrite(), nowMicros, 'its use')
  expectOk(await upkeep.recordSweep((nowMicros += 1)))
  t.equal(await lastWrite(), nowMicros, 'a sweep')
  await database.close()
})

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createSamples, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { openDatabase } from '../src/index.ts'
import { addKey, errOf, okOf, open, temporaryDir } from './helpers.ts'
import { createManualTimers } from './manual-timers.ts'
import { startHelper } from './processes.ts'
import { addFolder } from './rows.ts'

test('a fresh directory and its files are for their owner alone', async (t) => {
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

test('a file that is opened again holds what was in it', async (t) => {
  const dir = temporaryDir(t)
  const make = createSamples(1)
  const first = await open(dir)
  await addKey(first, 1)
  const account = make.account()
  await okOf(first.accounts.insert(account, [make.emailIndex()]))
  await okOf(first.upkeep.noteSweep(noonMicros))
  await first.close()

  const second = await open(dir)
  t.same(
    (await okOf(second.accounts.slice(undefined, 10))).map(({ id }) => id),
    [account.id],
  )
  t.same(second.instanceId, first.instanceId)
  t.equal(second.instanceId.length, 32)
  t.equal(await okOf(second.upkeep.lastSweep()), noonMicros)
  t.same(
    (await okOf(second.keys.list())).map(({ kid, rows }) => ({ kid, rows })),
    [{ kid: 1, rows: 1 }],
  )
  await second.close()
})

test('two files have two instance ids', async (t) => {
  const [one, other] = [await open(temporaryDir(t)), await open(temporaryDir(t))]
  t.notSame(one.instanceId, other.instanceId)
  await Promise.all([one.close(), other.close()])
})

test('the pragmas are in force on every connection, also when the file is opened again', async (t) => {
  const dir = temporaryDir(t)
  await (await open(dir)).close()

  const careless = new Sqlite(join(dir, 'sotto.sqlite'))
  t.equal(careless.pragma('synchronous', { simple: true }), 1, 'who does not ask for FULL gets NORMAL')
  careless.close()

  const connections = await recordConnections(async () => {
    const database = await open(dir)
    const { pragmas } = await okOf(database.upkeep.inspect())
    t.match(pragmas, { synchronous: 2, journal_mode: 'wal', busy_timeout: 0 })
    return database
  })
  t.equal(connections.open.length, 3, 'one that writes, one that reads, one for checkpoints')
  for (const db of connections.open) {
    const inForce = Object.fromEntries(
      Object.keys(wanted).map((name) => [name, db.pragma(name, { simple: true })]),
    )
    t.same(inForce, wanted)
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

/** What `run` leaves open. */
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

test('a file of a later version is refused and not touched', async (t) => {
  const dir = temporaryDir(t)
  await (await open(dir)).close()
  const path = join(dir, 'sotto.sqlite')
  const later = new Sqlite(path)
  later.pragma('user_version = 77')
  later.close()
  const before = readFileSync(path)
  t.same(await errOf(openDatabase({ dataDir: dir })), { code: 'database_newer', path, version: 77, known: 1 })
  t.same(readFileSync(path), before)
})

test("another program's database is refused and not touched", async (t) => {
  for (const [name, sql] of [
    ['its own application id', 'PRAGMA application_id = 5; CREATE TABLE a (b)'],
    ['tables, but no application id', 'CREATE TABLE a (b)'],
    ['a version, but nothing else', 'PRAGMA user_version = 3'],
  ] as const) {
    const dir = temporaryDir(t)
    const path = join(dir, 'sotto.sqlite')
    new Sqlite(path).exec(sql).close()
    const before = readFileSync(path)
    t.same(await errOf(openDatabase({ dataDir: dir })), { code: 'database_foreign', path }, name)
    t.same(readFileSync(path), before)
  }
})

test('what is no database is refused and not touched', async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'sotto.sqlite')
  writeFileSync(path, 'a letter to my friends\n'.repeat(1_000))
  t.match(await errOf(openDatabase({ dataDir: dir })), {
    code: 'database_damaged',
    path,
    detail: /^SQLITE_NOTADB/,
  })
  t.equal(readFileSync(path, 'utf8').length, 23_000)
})

test('a file whose tables are gone is refused', async (t) => {
  const dir = temporaryDir(t)
  await (await open(dir)).close()
  const path = join(dir, 'sotto.sqlite')
  new Sqlite(path).exec('DROP TABLE ciphertexts').close()
  t.match(await errOf(openDatabase({ dataDir: dir })), {
    code: 'database_damaged',
    path,
    detail: /no such table/,
  })
})

test('a directory that cannot be made is told of', async (t) => {
  const file = join(temporaryDir(t), 'file')
  writeFileSync(file, '')
  t.match(await errOf(openDatabase({ dataDir: join(file, 'data') })), {
    code: 'database_not_writable',
    detail: 'ENOTDIR',
  })
})

test('a path that holds a directory instead of the file is told of', async (t) => {
  const dir = temporaryDir(t)
  mkdirSync(join(dir, 'sotto.sqlite'))
  t.match(await errOf(openDatabase({ dataDir: dir })), {
    code: 'database_not_writable',
    path: join(dir, 'sotto.sqlite'),
  })
})

test('a file that somebody else keeps locked is busy after a while', async (t) => {
  const dir = temporaryDir(t)
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  other.exec('BEGIN EXCLUSIVE')
  const timers = createManualTimers()
  const opening = openDatabase({ dataDir: dir, timers })
  for (let turn = 0; turn < 4; turn += 1) {
    await setImmediate()
    timers.pass(5_000)
  }
  t.same(await errOf(opening), { code: 'database_busy', path: join(dir, 'sotto.sqlite') })
  other.close()
})

test('processes that open a fresh directory at once all succeed, on one and the same file', async (t) => {
  const helpers = await Promise.all([startHelper(t), startHelper(t), startHelper(t)])
  for (let round = 0; round < 10; round += 1) {
    const dir = join(temporaryDir(t), 'data')
    const ids = await Promise.all(helpers.map((helper, at) => helper.run('addAccount', dir, at + 1)))
    t.equal(new Set(ids).size, 1, 'all saw the same instance id')
    const database = await open(dir)
    t.equal((await okOf(database.accounts.slice(undefined, 10))).length, 3)
    await database.close()
  }
})

test('after it was closed every method of the keeper answers too', async (t) => {
  const database = await open(temporaryDir(t))
  await database.close()
  const closed = { code: 'storage_unavailable', reason: 'closed' }
  const { upkeep, keys, erasure } = database
  t.same(await errOf(upkeep.canWrite()), closed)
  t.same(await errOf(upkeep.lastSweep()), closed)
  t.same(await errOf(upkeep.noteSweep(1)), closed)
  t.same(await errOf(upkeep.inspect()), closed)
  t.same(await errOf(keys.list()), closed)
  t.equal(erasure.finish(), false)
  await t.resolves(database.close(), 'closing again is fine')
})

test('an inspection finds a sound file sound, and a row that refers to none', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  await addKey(database, 1)
  t.same((await okOf(database.upkeep.inspect())).faults, [])
  const careless = new Sqlite(join(dir, 'sotto.sqlite'))
  careless.pragma('foreign_keys = OFF')
  careless.exec(`INSERT INTO long_notes (nr, fill, note) VALUES (9, zeroblob(4061), x'00')`)
  careless.close()
  const { faults, version, fileBytes } = await okOf(database.upkeep.inspect())
  t.same(faults, ['a row of long_notes refers to none of secrets'])
  t.equal(version, 1)
  t.ok(fileBytes > 0)
  t.same(await database.upkeep.canWrite().match(() => 'written', String), 'written')
  await database.close()
})

test('a secret whose ciphertexts are gone is found out, and fails as damaged', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const secret = make.secret(folder)
  await okOf(database.secrets.insert(secret, make.note()))
  const careless = new Sqlite(join(dir, 'sotto.sqlite'))
  careless.exec('DELETE FROM ciphertexts')
  careless.close()
  t.same((await okOf(database.upkeep.inspect())).faults, ['1 rows of secrets have none in ciphertexts'])
  t.equal((await okOf(database.secrets.find(secret.accountId, secret.id)))?.head.length, 0)
  const found = await okOf(database.links.findWithNote(secret.link.lookup))
  t.same([found?.note.note.length, found?.note.wrap.length], [0, 0])
  await database.close()
})

test('a ciphertext is only ever replaced by one of the same length', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const draft = make.draft(folder)
  await okOf(database.secrets.insert(draft, make.note()))
  const keys = { kid: draft.kid, head: make.ciphertext(draft.head.length + 1), wrap: make.ciphertext() }
  const { accountId, id, head } = draft
  const error = await errOf(database.drafts.share({ accountId, id, expectedHead: head }, make.link(), keys))
  t.match(error, { code: 'storage_failed', detail: /another length would leave the old one behind/ })
  const found = await okOf(database.drafts.find(accountId, id))
  t.ok(found && Buffer.from(found.secret.head).equals(head), 'and what was there stays')
  await database.close()
})

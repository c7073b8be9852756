import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { setImmediate } from 'node:timers/promises'
import { expectErr, expectOk } from '@sotto/test-kit'
import { migrate, stateOf, type Schema } from '../../src/connection/migrations.ts'
import { openFile, type OpenFile } from '../../src/connection/open-file.ts'
import { mainSchema } from '../../src/tables/schema.ts'
import { open, quiet, temporaryDir, tryOpen } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { addLink } from '../support/rows.ts'

const first: Schema = { applicationId: 77, create: (db) => db.exec('CREATE TABLE a (b)'), steps: [] }
const second: Schema = {
  ...first,
  create: (db) => db.exec('CREATE TABLE a (b); CREATE TABLE c (d)'),
  steps: [(db) => db.exec('CREATE TABLE c (d)')],
}

function connect(t: Test, path = join(temporaryDir(t), 'file.sqlite')): Sqlite.Database {
  const db = new Sqlite(path, { timeout: 0 })
  db.pragma('journal_mode = WAL')
  t.teardown(() => db.close())
  return db
}

test('a fresh file gets the tables of the newest version without any step', (t) => {
  const db = connect(t)
  migrate(db, second)
  t.same(stateOf(db, second), { kind: 'known', version: 2 })
  t.equal(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get(), 2)
  t.end()
})

test('a file is brought to the newest version, step by step and once', (t) => {
  const db = connect(t)
  t.same(stateOf(db, second), { kind: 'fresh', version: 0 })
  migrate(db, first)
  t.same(stateOf(db, second), { kind: 'known', version: 1 })
  migrate(db, second)
  migrate(db, second)
  t.same(stateOf(db, second), { kind: 'known', version: 2 })
  t.same(stateOf(db, first), { kind: 'newer', version: 2 })
  t.end()
})

test('a step that fails leaves the file as it was', (t) => {
  const db = connect(t)
  migrate(db, first)
  const broken = (db: Sqlite.Database) => db.exec('CREATE TABLE c (d); CREATE TABLE a (b)')
  t.throws(() => migrate(db, { ...first, steps: [...first.steps, broken] }), { code: 'SQLITE_ERROR' })
  t.same(stateOf(db, first), { kind: 'known', version: 1 })
  t.equal(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get(), 1)
  t.end()
})

test('a file that another process is creating is seen either as fresh or as complete', (t) => {
  const db = connect(t)
  const other = connect(t, db.name)
  const { pragma } = db
  let asked = 0
  db.pragma = (...args) => {
    const answer = pragma.apply(db, args)
    asked += 1
    if (asked === 1) migrate(other, first)
    return answer
  }
  t.same(stateOf(db, first), { kind: 'fresh', version: 0 })
  t.same(stateOf(db, first), { kind: 'known', version: 1 })
  t.end()
})

/** The version of a file before and after a further step. */
const [version, known] = [mainSchema.steps.length + 1, mainSchema.steps.length + 2]

/** The main schema with a further step. */
const laterWith = (...steps: Schema['steps']): Schema => ({
  ...mainSchema,
  steps: [...mainSchema.steps, ...steps],
})

/** Rebuilds `secrets`, to which the rows of other tables refer. */
const rebuild = (db: Sqlite.Database) => {
  const sql = db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'secrets'").pluck().get()!
  db.exec(sql.replace('secrets', 'rebuilt'))
  db.exec(
    'INSERT INTO rebuilt SELECT * FROM secrets; DROP TABLE secrets; ALTER TABLE rebuilt RENAME TO secrets',
  )
}
const loseSecrets = (db: Sqlite.Database) => db.exec('DELETE FROM secrets')

const openLater = (dataDir: string, schema: Schema, options = {}) =>
  openFile(
    { ...quiet, dataDir, schema, name: 'sotto.sqlite', synchronous: 'FULL', ...options },
    (file) => file,
  )

const counts = ({ connections }: OpenFile) =>
  connections.db
    .prepare('SELECT (SELECT count(*) FROM secrets), (SELECT count(*) FROM long_notes)')
    .raw()
    .get()

/** A database with a secret that has a long note. */
async function withSecret(t: Test): Promise<string> {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addLink(database)
  expectOk(await database.secrets.insert(make.secret(folder), make.note(5_000)))
  await database.close()
  return dir
}

test('a step that rebuilds a table deletes no row that refers to it, and foreign keys are on again', async (t) => {
  const dir = await withSecret(t)
  const file = expectOk(await openLater(dir, laterWith(rebuild)))
  t.same(counts(file), [2, 1])
  t.equal(file.connections.db.pragma('foreign_keys', { simple: true }), 1)
  await file.close()
  t.match(expectErr(await tryOpen(dir)), { code: 'database_newer', version: known })
})

test('a step after which rows refer to none leaves the file as it was', async (t) => {
  const dir = await withSecret(t)
  t.match(expectErr(await openLater(dir, laterWith(loseSecrets))), {
    code: 'database_damaged',
    detail: 'a row of long_notes refers to none of secrets',
  })
  const file = expectOk(await openLater(dir, mainSchema))
  t.same(counts(file), [2, 1])
  await file.close()
})

test('a file that a process has open is not migrated', async (t) => {
  const dir = await withSecret(t)
  const database = await open(dir)
  const timers = createManualTimers()
  const opening = openLater(dir, laterWith(rebuild), { timers })
  for (let turn = 0; turn < 4; turn += 1) {
    await setImmediate()
    timers.pass(5_000)
  }
  const older = { code: 'database_older', location: join(dir, 'sotto.sqlite'), version, known }
  t.same(expectErr(await opening), older)
  expectOk(await database.upkeep.canWrite())
  await database.close()

  t.same(expectErr(await openLater(dir, laterWith(rebuild), { create: false })), older, 'nor to be examined')
  const file = expectOk(await openLater(dir, laterWith(rebuild)))
  await file.close()
})

test('a process whose file was migrated nevertheless writes nothing any more', async (t) => {
  const dir = await withSecret(t)
  const database = await open(dir)
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  other.pragma(`user_version = ${known}`)
  const error = { code: 'storage_failed', detail: 'a later version of the program has migrated the database' }
  t.same(expectErr(await database.upkeep.recordSweep(5)), error)
  t.same(expectErr(await database.upkeep.canWrite()), error)
  t.equal(other.prepare('SELECT swept_at FROM meta').pluck().get(), null)
  other.close()
  await database.close()
})

test('what is missing is not created when nothing is to be created', async (t) => {
  const dir = temporaryDir(t)
  const location = join(dir, 'data', 'sotto.sqlite')
  t.same(expectErr(await tryOpen(join(dir, 'data'), { create: false })), {
    code: 'database_missing',
    location,
  })
  t.same(readdirSync(dir), [])
})

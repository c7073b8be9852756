import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { migrate, stateOf, type Schema } from '../../src/file/migrations.ts'
import { temporaryDir } from '../support/helpers.ts'

const first: Schema = { applicationId: 77, steps: [(db) => db.exec('CREATE TABLE a (b)')] }
const second: Schema = { applicationId: 77, steps: [...first.steps, (db) => db.exec('CREATE TABLE c (d)')] }

function connect(t: Test, path = join(temporaryDir(t), 'file.sqlite')): Sqlite.Database {
  const db = new Sqlite(path, { timeout: 0 })
  db.pragma('journal_mode = WAL')
  t.teardown(() => db.close())
  return db
}

test('a fresh file is brought to the newest version, step by step and once', (t) => {
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

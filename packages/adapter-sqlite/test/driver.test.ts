import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { sqliteDriver } from '../src/identity.ts'
import { quiet, temporaryDir } from './support/helpers.ts'
import { createManualTimers } from './support/manual-timers.ts'
import { addFolder } from './support/rows.ts'

test('there is data from the first open on, and an empty file is none', async (t) => {
  const dataDir = join(temporaryDir(t), 'data')
  const driver = sqliteDriver({ dataDir })
  t.equal(driver.location, dataDir)
  t.equal(expectOk(await driver.hasData()), false)
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'sotto.sqlite'), '')
  t.equal(expectOk(await driver.hasData()), false)
  const storage = expectOk(await driver.open(quiet))
  t.equal(expectOk(await driver.hasData()), true)
  await storage.close()
  t.equal(expectOk(await driver.hasData()), true)
})

test('preparing creates the directory for its owner alone, and nothing in it', async (t) => {
  const dataDir = join(temporaryDir(t), 'deep', 'data')
  const driver = sqliteDriver({ dataDir })
  expectOk(await driver.prepare())
  expectOk(await driver.prepare())
  t.equal(statSync(dataDir).mode & 0o777, 0o700)
  t.same(readdirSync(dataDir), [])
  t.end()
})

test('preparing a directory that cannot be created or written is an error', async (t) => {
  const dir = temporaryDir(t)
  const file = join(dir, 'file')
  writeFileSync(file, '')
  const below = join(file, 'data')
  t.same(expectErr(await sqliteDriver({ dataDir: below }).prepare()), {
    code: 'database_not_writable',
    location: below,
    detail: 'ENOTDIR',
  })
  const locked = join(dir, 'locked')
  mkdirSync(locked)
  chmodSync(locked, 0o500)
  // The superuser may write everywhere.
  if (process.getuid?.() !== 0)
    t.match(expectErr(await sqliteDriver({ dataDir: locked }).prepare()), { detail: 'EACCES' })
  t.end()
})

test('whether writing succeeds, and what is wrong, includes the quota', async (t) => {
  const dataDir = temporaryDir(t)
  const { upkeep, close } = expectOk(await sqliteDriver({ dataDir }).open(quiet))
  t.same(
    (await upkeep.examine()).map(({ check, ok }) => [check, ok]),
    [
      ['database', true],
      ['pragmas', true],
      ['erasure', true],
      ['quota', true],
    ],
  )
  expectOk(await upkeep.canWrite())
  const other = new Sqlite(join(dataDir, 'quota.sqlite'))
  other.exec(`CREATE TRIGGER refuse BEFORE INSERT ON quota BEGIN SELECT raise(ABORT, 'no'); END`)
  other.close()
  t.match(expectErr(await upkeep.canWrite()), { code: 'storage_failed' })
  t.match((await upkeep.examine()).at(-1), { check: 'quota', ok: false })
  await close()
})

test('when the quota cannot be opened the database is closed again', async (t) => {
  const dataDir = temporaryDir(t)
  const driver = sqliteDriver({ dataDir })
  await expectOk(await driver.open(quiet)).close()
  mkdirSync(join(dataDir, 'elsewhere'))
  const path = join(dataDir, 'quota.sqlite')
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith('quota')))
    new Sqlite(join(dataDir, name))
      .exec('DROP TABLE quota; CREATE TABLE a (b); PRAGMA application_id = 5')
      .close()
  t.same(expectErr(await driver.open(quiet)), { code: 'database_foreign', location: path })
  t.same(readdirSync(dataDir).sort(), ['elsewhere', 'quota.sqlite', 'sotto.sqlite'], 'no log is left of it')
})

test('erasure covers both files', async (t) => {
  const dataDir = temporaryDir(t)
  const timers = createManualTimers()
  const storage = expectOk(await sqliteDriver({ dataDir, timers }).open(quiet))
  const { erasure, quota, drafts, secrets } = storage
  const { make, folder } = await addFolder(storage)
  t.equal(erasure.finish(), true)
  t.equal(erasure.pendingForMillis(), undefined)

  expectOk(await quota.take('account/a', 0, { perMinute: 1, perDay: 1 }))
  t.equal(expectOk(await quota.eraseOver(noonMicros, 10)), 1)
  timers.pass(400)
  t.equal(erasure.pendingForMillis(), 400, 'the quota')
  const draft = make.draft(folder)
  expectOk(await secrets.insert(draft, make.note()))
  expectOk(await drafts.erase(folder.accountId, draft.id))
  timers.pass(100)
  t.equal(erasure.pendingForMillis(), 500, 'the older of both')
  const reader = new Sqlite(join(dataDir, 'quota.sqlite'), { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM quota').get()
  t.equal(erasure.finish(), false, 'a reader of the quota blocks its part')
  t.equal(statSync(join(dataDir, 'sotto.sqlite-wal')).size, 0, 'and only its part')
  reader.close()
  t.equal(erasure.finish(), true)
  t.equal(erasure.pendingForMillis(), undefined)
  await storage.close()
})

test('examining creates nothing', async (t) => {
  const dataDir = join(temporaryDir(t), 'data')
  t.same(
    (await sqliteDriver({ dataDir }).examine()).map(({ check, ok }) => [check, ok]),
    [
      ['data directory', true],
      ['disk', true],
    ],
  )
  t.throws(() => statSync(dataDir), { code: 'ENOENT' })
  t.end()
})

test('a relative directory is the one of the time when the driver was made', async (t) => {
  const [dir, other] = [temporaryDir(t), temporaryDir(t)]
  const cwd = process.cwd()
  t.teardown(() => process.chdir(cwd))
  process.chdir(dir)
  const driver = sqliteDriver({ dataDir: 'data' })
  process.chdir(other)
  await expectOk(await driver.open(quiet)).close()
  t.same(readdirSync(join(dir, 'data')).sort(), ['quota.sqlite', 'sotto.sqlite'])
})

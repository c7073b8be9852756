import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { openQuotaIn, temporaryDir, tryOpenQuota } from './support/helpers.ts'
import { createManualTimers } from './support/manual-timers.ts'

test('a file that is no database is renamed and replaced, with a warning', async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  writeFileSync(path, 'no database at all\n'.repeat(500))
  const logged: unknown[] = []
  const { quota, close } = await openQuotaIn(dir, { log: (...entry) => logged.push(entry) })
  t.equal(expectOk(await quota.take('account/a', noonMicros, { perMinute: 1, perDay: 1 })).taken, true)
  t.equal(logged.length, 1)
  t.same((logged as string[][])[0]?.[0], 'warn')
  t.match(readFileSync(`${path}.damaged`, 'utf8'), /^no database at all/)
  t.equal((statSync(path).mode & 0o777).toString(8), '600')
  await close()

  await (await openQuotaIn(dir, { log: (...entry) => logged.push(entry) })).close()
  t.equal(logged.length, 1, 'opening a sound file logs nothing')
  t.throws(() => statSync(`${path}.damaged`), { code: 'ENOENT' }, 'and the damaged one is removed')
})

test('a torn file is replaced', async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  const { quota, close } = await openQuotaIn(dir)
  const limits = { perMinute: 9, perDay: 9 }
  await Promise.all(
    Array.from({ length: 500 }, (_, at) => quota.take(`account/${at}`, noonMicros, limits).then(expectOk)),
  )
  await close()
  const bytes = readFileSync(path)
  bytes.fill(0xee, 4_096 + 100, bytes.length - 2_000)
  writeFileSync(path, bytes)
  const logged: unknown[] = []
  const timers = createManualTimers()
  const again = await openQuotaIn(dir, { log: (...entry) => logged.push(entry), timers })
  timers.pass(2_000)
  expectOk(await again.quota.take('account/new', noonMicros, limits))
  timers.pass(300_000)
  t.equal(logged.length, 1, 'and what was begun on the torn file is stopped')
  t.equal(expectOk(await again.quota.peek('account/1', noonMicros)).day.count, 0)
  await again.close()
})

test("another program's database is refused, not replaced", async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  new Sqlite(path).exec('CREATE TABLE a (b)').close()
  t.same(expectErr(await tryOpenQuota(dir)), { code: 'database_foreign', location: path })
})

test('the file is opened so that a call costs no fsync', async (t) => {
  const dir = temporaryDir(t)
  const { close } = await openQuotaIn(dir)
  await close()
  const levels: unknown[] = []
  const { prepare } = Sqlite.prototype
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    if (sql === 'BEGIN IMMEDIATE') levels.push(this.pragma('synchronous', { simple: true }))
    return prepare.call(this, sql)
  } as typeof prepare
  t.teardown(() => (Sqlite.prototype.prepare = prepare))
  await (await openQuotaIn(dir)).close()
  t.same(levels, [1])
})

test('a directory with the name of the file is an error', async (t) => {
  const dir = temporaryDir(t)
  mkdirSync(join(dir, 'quota.sqlite'))
  t.match(expectErr(await tryOpenQuota(dir)), { code: 'database_not_writable' })
})

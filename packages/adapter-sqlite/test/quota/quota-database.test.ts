import fs, {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { systemTimers } from '../../src/connection/timers.ts'
import { openQuotaIn, temporaryDir, tryOpenQuota } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'

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
  t.throws(() => statSync(`${path}.damaged`), { code: 'ENOENT' }, 'and the corrupted one is removed')
})

test('a torn file is replaced', async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  const { quota, close } = await openQuotaIn(dir)
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

/** Makes a file of 500 buckets and corrupts it while it is open. */
async function corrupted(t: Test, corrupt: (bytes: Buffer) => void) {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  const logged: unknown[][] = []
  let lateMillis = 0
  const timers = { ...systemTimers, nowMillis: () => systemTimers.nowMillis() + lateMillis }
  const later = (millis: number) => void (lateMillis += millis)
  const opened = await openQuotaIn(dir, { timers, log: (...entry) => logged.push(entry) })
  const { quota, erasure } = opened
  await Promise.all(
    Array.from({ length: 500 }, (_, at) => quota.take(`account/${at}`, noonMicros, limits).then(expectOk)),
  )
  // Another process writes, so that nothing is read from memory.
  const other = new Sqlite(path)
  other.exec("DELETE FROM quota WHERE bucket = 'account/0'")
  other.close()
  t.ok(erasure.finish())
  const sound = readFileSync(path)
  const bytes = Buffer.from(sound)
  corrupt(bytes)
  writeFileSync(path, bytes)
  return { ...opened, dir, path, logged, sound, later }
}

/** Makes reads from JavaScript fail until `mend` is called, or the test ends. */
function failReads(t: Test) {
  const { readSync } = fs
  fs.readSync = () => {
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', errno: -5, syscall: 'read' })
  }
  syncBuiltinESMExports()
  const mend = () => {
    fs.readSync = readSync
    syncBuiltinESMExports()
  }
  t.teardown(mend)
  return { mend }
}

const limits = { perMinute: 9, perDay: 9 }
const tear = (bytes: Buffer) => bytes.fill(0xee, 4_096 + 100, bytes.length)

test('a file that is corrupted while it is open is replaced, with a warning, and calls are counted', async (t) => {
  const { quota, canWrite, close, path, logged } = await corrupted(t, tear)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => quota.take(`account/${at}`, noonMicros, limits)),
  )
  for (const answer of answers) t.match(expectOk(answer), { taken: true, day: { count: 1 } })
  t.match(logged, [
    ['warn', 'the quota file is corrupted and is replaced', { path, detail: /^SQLITE_CORRUPT/ }],
  ])
  t.ok(existsSync(`${path}.damaged`))
  expectOk(await canWrite())
  await close()
  t.same(expectErr(await quota.peek('account/1', noonMicros)), {
    code: 'storage_unavailable',
    reason: 'closed',
  })
})

test('a file that the disk refuses to read is kept, and counts go on when it can be read again', async (t) => {
  const { quota, canWrite, close, path, logged, sound, later } = await corrupted(t, tear)
  const disk = failReads(t)
  for (let times = 0; times < 2; times += 1) {
    t.same(expectErr(await quota.take('account/1', noonMicros, limits)).code, 'storage_unavailable')
    expectErr(await canWrite())
    later(1_000)
  }
  t.notOk(existsSync(`${path}.damaged`))
  const why = { path, reason: 'database_not_writable', detail: 'EIO' }
  t.match(logged[0], ['error', 'the quota file cannot be replaced', why])
  t.ok(logged.every(([level]) => level === 'error'))

  disk.mend()
  // As it reads when the disk is well.
  writeFileSync(path, sound)
  expectOk(await canWrite())
  t.match(expectOk(await quota.take('account/1', noonMicros, limits)), { taken: true, day: { count: 2 } })
  t.notOk(existsSync(`${path}.damaged`))
  await close()
})

test('a file that another process replaces while it is examined is taken as it is then', async (t) => {
  const { quota, close, dir, path, logged } = await corrupted(t, tear)
  const otherDir = temporaryDir(t)
  const other = await openQuotaIn(otherDir)
  expectOk(await other.quota.take('account/1', noonMicros, limits))
  t.ok(other.erasure.finish())
  await other.close()
  const { readSync } = fs
  const restore = () => {
    fs.readSync = readSync
    syncBuiltinESMExports()
  }
  t.teardown(restore)
  fs.readSync = (...asked: unknown[]) => {
    restore()
    renameSync(path, join(dir, 'set-aside'))
    cpSync(join(otherDir, 'quota.sqlite'), path)
    return Reflect.apply(readSync, fs, asked) as number
  }
  syncBuiltinESMExports()
  t.match(expectOk(await quota.take('account/1', noonMicros, limits)), { day: { count: 2 } })
  t.notOk(existsSync(`${path}.damaged`), 'a sound file is not set aside')
  t.same(logged, [])
  await close()
})

test('a file that another process takes away while it is examined is opened anew', async (t) => {
  const { quota, close, path, logged } = await corrupted(t, tear)
  // Keeps the log in its place.
  const reader = new Sqlite(path)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM sqlite_schema').get()
  const { renameSync: rename } = fs
  const restore = () => {
    fs.renameSync = rename
    syncBuiltinESMExports()
  }
  t.teardown(restore)
  fs.renameSync = (from, to) => {
    restore()
    t.notOk(existsSync(`${path}-wal`), 'the log has gone before the file')
    rmSync(path)
    rename(from, to)
  }
  syncBuiltinESMExports()
  t.ok(existsSync(`${path}-wal`))
  t.match(expectOk(await quota.take('account/1', noonMicros, limits)), { day: { count: 1 } })
  t.same(logged, [])
  await close()
  reader.close()
})

test('a file that could not be read and is corrupted when it can be read is replaced then', async (t) => {
  const { quota, close, path, logged, later } = await corrupted(t, tear)
  const disk = failReads(t)
  expectErr(await quota.take('account/1', noonMicros, limits))
  disk.mend()
  later(1_000)
  t.match(expectOk(await quota.take('account/1', noonMicros, limits)), { taken: true, day: { count: 1 } })
  t.ok(existsSync(`${path}.damaged`))
  t.match(logged.at(-1), ['warn', 'the quota file is corrupted and is replaced', { path }])
  await close()
})

test('while the file cannot be read, it is tried once a second, and logged as often', async (t) => {
  const { quota, canWrite, close, logged, sound, path, later } = await corrupted(t, tear)
  const failures = () =>
    logged.filter(([, message]) => message === 'the quota file cannot be replaced').length
  const disk = failReads(t)
  for (const expected of [1, 2]) {
    for (let times = 0; times < 20; times += 1) {
      expectErr(await quota.take('account/1', noonMicros, limits))
      expectErr(await canWrite())
    }
    t.equal(failures(), expected)
    later(1_000)
  }
  disk.mend()
  writeFileSync(path, sound)
  t.match(expectOk(await quota.take('account/1', noonMicros, limits)), { taken: true })
  await close()
})

test('a file that the disk refuses to read when it is opened is kept, and the error names the disk', async (t) => {
  const { close, dir, path } = await corrupted(t, tear)
  await close()
  const disk = failReads(t)
  t.same(expectErr(await tryOpenQuota(dir)), {
    code: 'database_not_writable',
    location: path,
    detail: 'EIO',
  })
  t.notOk(existsSync(`${path}.damaged`))
  disk.mend()
})

test('a file that is no database any more is replaced when it is asked whether it can be written', async (t) => {
  const { quota, canWrite, close, logged } = await corrupted(t, (bytes) => bytes.fill(0x20))
  expectOk(await canWrite())
  t.equal(logged.length, 1)
  t.equal(expectOk(await quota.peek('account/1', noonMicros)).day.count, 0)
  await close()
})

test('a file that was moved, replaced or removed is opened anew, with a warning, and calls are counted', async (t) => {
  for (const accident of ['removed', 'replaced', 'left without its log'] as const) {
    const dir = temporaryDir(t)
    const path = join(dir, 'quota.sqlite')
    const logged: unknown[] = []
    const timers = createManualTimers()
    const log = (...entry: unknown[]) => logged.push(entry)
    const { quota, canWrite, close } = await openQuotaIn(dir, { timers, log })
    const take = () => quota.take('account/a', noonMicros, limits)
    expectOk(await take())
    if (accident === 'removed') for (const name of readdirSync(dir)) rmSync(join(dir, name))
    if (accident === 'replaced') {
      copyFileSync(path, `${path}.copy`)
      renameSync(`${path}.copy`, path)
    }
    if (accident === 'left without its log') rmSync(`${path}-wal`)
    timers.pass(100)
    const answers = await Promise.all([take(), take(), canWrite()])
    for (const answer of answers) expectOk<unknown, unknown>(answer)
    t.same(logged, [['warn', 'the quota file was moved or removed and is opened anew', { path }]], accident)
    await close()
    const again = await openQuotaIn(dir)
    const { day } = expectOk(await again.quota.peek('account/a', noonMicros))
    t.equal(day.count, accident === 'removed' ? 2 : 3)
    await again.close()
  }
})

test('where the directory was moved away no other one is made, and nothing is counted until it is back', async (t) => {
  const dir = join(temporaryDir(t), 'data')
  const logged: unknown[][] = []
  const timers = createManualTimers()
  const log = (...entry: unknown[]) => logged.push(entry)
  const { quota, canWrite, close } = await openQuotaIn(dir, { timers, log })
  renameSync(dir, `${dir}.moved`)
  timers.pass(100)
  t.match(expectErr(await canWrite()), { code: 'storage_unavailable', reason: 'moved' })
  t.match(expectErr(await quota.take('account/a', noonMicros, limits)), { code: 'storage_unavailable' })
  t.notOk(existsSync(dir))
  renameSync(`${dir}.moved`, dir)
  expectOk(await quota.take('account/a', noonMicros, limits))
  expectOk(await canWrite())
  t.same(logged, [], 'and nothing says so')
  await close()
})

test('a file that cannot be written is an error, and is found', async (t) => {
  const dir = temporaryDir(t)
  const { canWrite, examine, close } = await openQuotaIn(dir)
  t.match(await examine(), { check: 'quota', ok: true })
  const other = new Sqlite(join(dir, 'quota.sqlite'))
  other.exec(`CREATE TRIGGER refuse BEFORE INSERT ON quota BEGIN SELECT raise(ABORT, 'no'); END`)
  other.close()
  t.match(expectErr(await canWrite()), { code: 'storage_failed', detail: /no/ })
  t.same(await examine(), {
    check: 'quota',
    ok: false,
    text: 'the counters cannot be written (SQLITE_CONSTRAINT_TRIGGER: no)',
  })
  await close()
})

test('an examination creates no file and replaces none', async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  const missing = await openQuotaIn(dir, { create: false })
  t.match(await missing.examine(), { check: 'quota', ok: true, text: /the next start creates them$/ })
  t.same(readdirSync(dir), [])
  writeFileSync(path, 'no database at all\n'.repeat(500))
  writeFileSync(`${path}.damaged`, '')
  const torn = await openQuotaIn(dir, { create: false })
  t.match(await torn.examine(), {
    check: 'quota',
    ok: false,
    text: /^the counters are corrupted \(SQLITE_NOTADB/,
  })
  t.match(readFileSync(path, 'utf8'), /^no database/)
  rmSync(path)
  await (await openQuotaIn(dir)).close()
  writeFileSync(`${path}.damaged`, '')
  const sound = await openQuotaIn(dir, { create: false })
  t.match(await sound.examine(), { check: 'quota', ok: true })
  await Promise.all([missing, torn, sound].map(({ close }) => close()))
  t.ok(existsSync(`${path}.damaged`), 'what was set aside stays')
})

test('closing a second time does not wait for the log that others keep', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const { quota, close } = await openQuotaIn(dir, { timers })
  const other = new Sqlite(join(dir, 'quota.sqlite'))
  other.exec('BEGIN')
  other.prepare('SELECT count(*) FROM quota').get()
  expectOk(await quota.take('account/a', noonMicros, limits))
  const closing = close().then(() => true)
  while ((await Promise.race([closing, turn()])) !== true) timers.pass(50)
  t.ok(statSync(join(dir, 'quota.sqlite-wal')).size > 0)
  await close()
  t.same(timers.waiting(), [])
  other.close()
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

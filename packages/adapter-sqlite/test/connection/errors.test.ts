import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import {
  isBusy,
  isCorrupted,
  isFatal,
  isForeignKeyError,
  storageErrorOf,
} from '../../src/connection/errors.ts'

const sqlite = (code: string) => new Sqlite.SqliteError('what SQLite says', code)

test("each of SQLite's errors has its storage error", (t) => {
  const busy = [
    'SQLITE_BUSY',
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_BUSY_RECOVERY',
    'SQLITE_LOCKED',
    'SQLITE_PROTOCOL',
  ]
  for (const code of busy) {
    t.same(storageErrorOf(sqlite(code)), { code: 'storage_unavailable', reason: 'busy' }, code)
    t.ok(isBusy(sqlite(code)))
  }
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']) {
    t.same(storageErrorOf(sqlite(code)), { code: 'storage_unavailable', reason: 'full' }, code)
  }
  for (const code of ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_READ', 'SQLITE_IOERR', 'SQLITE_READONLY']) {
    const detail = `${code}: what SQLite says`
    t.same(storageErrorOf(sqlite(code)), { code: 'storage_unavailable', reason: 'disk_failed', detail }, code)
  }
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_IOERR_FSYNC', 'SQLITE_CONSTRAINT_UNIQUE']) {
    const failed = { code: 'storage_failed', detail: `${code}: what SQLite says` }
    t.same(storageErrorOf(sqlite(code)), failed, code)
    t.notOk(isBusy(sqlite(code)))
  }
  t.end()
})

test('a failed fsync is fatal, and nothing else is', (t) => {
  for (const code of ['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC']) t.ok(isFatal(sqlite(code)), code)
  for (const code of [
    'SQLITE_IOERR_READ',
    'SQLITE_IOERR_WRITE',
    'SQLITE_FULL',
    'SQLITE_BUSY',
    'SQLITE_CORRUPT',
  ]) {
    t.notOk(isFatal(sqlite(code)), code)
  }
  t.notOk(
    isFatal(Object.assign(new Error(), { code: 'SQLITE_IOERR_FSYNC' })),
    'an error that SQLite did not throw',
  )
  t.end()
})

test('a torn file and a missing row are recognized', (t) => {
  for (const code of ['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_ERROR']) {
    t.ok(isCorrupted(sqlite(code)), code)
  }
  t.notOk(isCorrupted(sqlite('SQLITE_CANTOPEN')))
  t.ok(isForeignKeyError(sqlite('SQLITE_CONSTRAINT_FOREIGNKEY')))
  t.notOk(isForeignKeyError(sqlite('SQLITE_CONSTRAINT_UNIQUE')))
  t.end()
})

test('of any other error only its name and place are reported', (t) => {
  const reported = (error: unknown) => JSON.stringify(storageErrorOf(error))
  t.match(reported(new TypeError('a confidential text')), /TypeError at errors\.test\.ts:\d+:\d+/)
  t.notMatch(reported(new TypeError('a confidential text')), 'confidential')
  t.notMatch(reported('a confidential text'), 'confidential')
  t.notMatch(reported(Object.assign(new Error('confidential'), { stack: undefined })), 'confidential')
  t.end()
})

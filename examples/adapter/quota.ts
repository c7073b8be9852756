import { DatabaseSync } from 'node:sqlite'
import {
  areQuotaWindowsFull,
  defaultAddressesMax,
  quotaWindowMicros,
  quotaWindowsAfter,
  quotaWindowsAt,
  type QuotaLimits,
  type QuotaStore,
  type QuotaWindow,
  type QuotaWindows,
  type StorageError,
} from '@sotto/core'
import { ResultAsync } from 'neverthrow'

const { minute: minuteMicros, day: dayMicros } = quotaWindowMicros

/** Counts calls in a file of Node's own SQLite. Several processes may have the file open. */
export function openQuota(path: string): QuotaStore & { close(): void } {
  const db = new DatabaseSync(path, { timeout: 1_000 })
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS quota (bucket TEXT PRIMARY KEY, minute INTEGER, minutes INTEGER, day INTEGER, days INTEGER);`)
  const answer = <T>(work: () => T) => ResultAsync.fromPromise(inTransaction(db, work), storageError)

  const find = (bucket: string) => {
    const row = db.prepare('SELECT * FROM quota WHERE bucket = ?').get(bucket) as Row | undefined
    return row && { minute: windowOf(row.minute, row.minutes), day: windowOf(row.day, row.days) }
  }
  const store = (bucket: string, { minute, day }: QuotaWindows) =>
    db
      .prepare('INSERT OR REPLACE INTO quota VALUES (?, ?, ?, ?, ?)')
      .run(bucket, minute.startedAtMicros, minute.count, day.startedAtMicros, day.count)

  return {
    take: (bucket, nowMicros, limits) =>
      answer(() => {
        const stored = find(bucket)
        const windows = quotaWindowsAt(stored, nowMicros)
        if (areQuotaWindowsFull(windows, limits)) {
          store(bucket, quotaWindowsAfter(stored, nowMicros, 0))
          return { ...windows, taken: false }
        }
        if (stored === undefined && bucket.startsWith('address/') && !evictAddresses(db, nowMicros, limits)) {
          const [full, none] = [windowOf(nowMicros, limits.perMinute), windowOf(nowMicros, 0)]
          return { minute: full, day: none, taken: false }
        }
        const counted = quotaWindowsAfter(stored, nowMicros, 1)
        store(bucket, counted)
        return { ...quotaWindowsAt(counted, nowMicros), taken: true }
      }),

    peek: (bucket, nowMicros) => answer(() => quotaWindowsAt(find(bucket), nowMicros)),

    eraseOver: (nowMicros, limit) =>
      answer(() => {
        const over = 'SELECT bucket FROM quota WHERE minute <= ? AND day <= ? LIMIT ?'
        const erase = db.prepare(`DELETE FROM quota WHERE bucket IN (${over})`)
        return Number(erase.run(nowMicros - minuteMicros, nowMicros - dayMicros, limit).changes)
      }),

    close: () => db.close(),
  }
}

interface Row {
  readonly minute: number
  readonly minutes: number
  readonly day: number
  readonly days: number
}

/** All or nothing, also between processes: `IMMEDIATE` takes the lock before anything is read. */
async function inTransaction<T>(db: DatabaseSync, work: () => T): Promise<T> {
  db.exec('BEGIN IMMEDIATE')
  try {
    const value = work()
    db.exec('COMMIT')
    return value
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function windowOf(startedAtMicros: number, count: number): QuotaWindow {
  return { startedAtMicros, count }
}

/** Erases addresses whose minutes ended, the oldest first, and then those far ahead. Whether there is room for one more. */
function evictAddresses(
  db: DatabaseSync,
  nowMicros: number,
  { addressesMax = defaultAddressesMax }: QuotaLimits,
): boolean {
  const isAddress = `bucket GLOB 'address/*'`
  const { number } = db.prepare(`SELECT count(*) AS number FROM quota WHERE ${isAddress}`).get() as {
    number: number
  }
  const ended = `SELECT bucket FROM quota WHERE ${isAddress} AND (minute <= ? OR minute > ?) ORDER BY minute LIMIT ?`
  const erased = db
    .prepare(`DELETE FROM quota WHERE bucket IN (${ended})`)
    .run(nowMicros - minuteMicros, nowMicros + minuteMicros, Math.max(0, number - addressesMax + 1)).changes
  return number - Number(erased) < addressesMax
}

/** No method throws or rejects: what SQLite throws becomes a value. */
function storageError(error: unknown): StorageError {
  const { message = '', errcode } = error as { message?: string; errcode?: number }
  if (message === 'database is not open') return { code: 'storage_unavailable', reason: 'closed' }
  if (errcode === 5) return { code: 'storage_unavailable', reason: 'busy' }
  if (errcode === 13) return { code: 'storage_unavailable', reason: 'full' }
  return { code: 'storage_failed', detail: message }
}

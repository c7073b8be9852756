import { DatabaseSync } from 'node:sqlite'
import { defaultAddressesMax, quotaWindowMicros, type StorageError } from '@sotto/core'
import type { QuotaLimits, QuotaStore, QuotaWindow, QuotaWindows } from '@sotto/core'
import { ResultAsync } from 'neverthrow'

const { minute: minuteMicros, day: dayMicros } = quotaWindowMicros

/** Counts calls in a file of Node's own SQLite. Several processes may have the file open. */
export function openQuota(path: string): QuotaStore & { close(): void } {
  const db = new DatabaseSync(path, { timeout: 1_000 })
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS quota (bucket TEXT PRIMARY KEY, minute INTEGER, minutes INTEGER, day INTEGER, days INTEGER);`)
  const answer = <T>(work: () => T) => ResultAsync.fromPromise(inTransaction(db, work), storageError)

  const find = (bucket: string) =>
    db.prepare('SELECT * FROM quota WHERE bucket = ?').get(bucket) as Row | undefined

  return {
    take: (bucket, nowMicros, limits) =>
      answer(() => {
        const row = find(bucket)
        const { minute, day } = windowsAt(row, nowMicros)
        if (minute.count >= limits.perMinute || day.count >= limits.perDay) {
          const move = db.prepare(
            'UPDATE quota SET minute = min(minute, ?), day = min(day, ?) WHERE bucket = ?',
          )
          move.run(nowMicros, nowMicros, bucket)
          return { minute, day, taken: false }
        }
        if (row === undefined && bucket.startsWith('address/') && !makeRoom(db, nowMicros, limits)) {
          const [full, none] = [windowOf(nowMicros, limits.perMinute), windowOf(nowMicros, 0)]
          return { minute: full, day: none, taken: false }
        }
        const [minuteNow, dayNow] = [oneMore(minute), oneMore(day)]
        db.prepare('INSERT OR REPLACE INTO quota VALUES (?, ?, ?, ?, ?)').run(
          ...[bucket, minuteNow.startedAtMicros, minuteNow.count, dayNow.startedAtMicros, dayNow.count],
        )
        return { minute: minuteNow, day: dayNow, taken: true }
      }),

    peek: (bucket, nowMicros) => answer(() => windowsAt(find(bucket), nowMicros)),

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

/** Both windows as they are at `nowMicros`. */
function windowsAt(row: Row | undefined, nowMicros: number): QuotaWindows {
  if (row === undefined) return { minute: windowOf(nowMicros, 0), day: windowOf(nowMicros, 0) }
  return {
    minute: windowAt(windowOf(row.minute, row.minutes), minuteMicros, nowMicros),
    day: windowAt(windowOf(row.day, row.days), dayMicros, nowMicros),
  }
}

/** The window as it is at `nowMicros`: over, moved from the future, or as it was. */
function windowAt(
  { startedAtMicros, count }: QuotaWindow,
  lengthMicros: number,
  nowMicros: number,
): QuotaWindow {
  if (nowMicros >= startedAtMicros + lengthMicros) return windowOf(nowMicros, 0)
  return windowOf(Math.min(startedAtMicros, nowMicros), count)
}

function windowOf(startedAtMicros: number, count: number): QuotaWindow {
  return { startedAtMicros, count }
}

function oneMore({ startedAtMicros, count }: QuotaWindow): QuotaWindow {
  return windowOf(startedAtMicros, count + 1)
}

/** Erases addresses whose minutes ended, the oldest first, and then those in the future. Whether there is room for one more. */
function makeRoom(
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
    .run(nowMicros - minuteMicros, nowMicros, Math.max(0, number - addressesMax + 1)).changes
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

import type { Log, QuotaLimits, QuotaStore, QuotaWindow, QuotaWindows, StorageError } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { busy } from '../file/errors.ts'

const minuteMicros = 60 * 1_000_000
const dayMicros = 86_400 * 1_000_000

type Row = [minuteStart: number, minuteCount: number, dayStart: number, dayCount: number]

const columns = 'minute_start, minute_count, day_start, day_count'

/** Whether the window that began at `start` has not ended. A start in the future has a negative age. */
const runs = (start: string, micros: number) => `@now - ${start} < ${micros}`
const counted = (window: 'minute' | 'day', micros: number) => `
  ${window}_start = iif(${runs(`${window}_start`, micros)}, min(${window}_start, @now), @now),
  ${window}_count = iif(${runs(`${window}_start`, micros)}, ${window}_count, 0) + 1`
const hasRoom = (window: 'minute' | 'day', micros: number, limit: string) =>
  `(${window}_count < ${limit} OR NOT ${runs(`${window}_start`, micros)})`

/**
 * Counts a call in one statement if both windows have room; returns no row if not. A window in the future keeps its count and begins now.
 */
const take = `
  INSERT INTO quota (bucket, ${columns}) VALUES (@bucket, @now, 1, @now, 1)
  ON CONFLICT (bucket) DO UPDATE SET ${counted('minute', minuteMicros)}, ${counted('day', dayMicros)}
  WHERE ${hasRoom('minute', minuteMicros, '@perMinute')} AND ${hasRoom('day', dayMicros, '@perDay')}
  RETURNING ${columns}`

/** The same for a day that has not ended, the usual case: the index on its start needs no new entry, which halves the cost. */
const takeWithinDay = `
  UPDATE quota SET ${counted('minute', minuteMicros)}, day_count = day_count + 1
  WHERE bucket = @bucket AND ${hasRoom('minute', minuteMicros, '@perMinute')}
    AND day_count < @perDay AND day_start <= @now AND ${runs('day_start', dayMicros)}
  RETURNING ${columns}`

/** Windows that begin in the future begin now, even when the call is refused: otherwise they block until the clock has caught up. */
const moveToNow = `
  UPDATE quota SET minute_start = min(minute_start, @now), day_start = min(day_start, @now)
  WHERE bucket = @bucket AND (minute_start > @now OR day_start > @now)`

type Taken = QuotaWindows & { readonly taken: boolean }

interface Call extends QuotaLimits {
  readonly bucket: string
  readonly now: number
}

/** A `storage_failed` is logged for the operator, and answered as `busy`: the caller can only try again. */
export function createQuota(connections: Connections, log: Log): QuotaStore {
  const { reader, writer, read, write } = connections
  const counting = [takeWithinDay, take].map((sql) => writer.prepare<[Call], Row>(sql).raw())
  const move = writer.prepare<[Pick<Call, 'bucket' | 'now'>]>(moveToNow)
  const findIn = (db: Connections['reader']) =>
    db.prepare<[string], Row>(`SELECT ${columns} FROM quota WHERE bucket = ?`).raw()
  const [find, findInJob] = [findIn(reader), findIn(writer)]
  const eraseOver = writer.prepare<[number, number, number]>(
    `DELETE FROM quota WHERE bucket IN
       (SELECT bucket FROM quota WHERE day_start <= ? AND minute_start <= ? ORDER BY day_start LIMIT ?)`,
  )
  const answer = <T>(asked: ResultAsync<T, StorageError>): ResultAsync<T, StorageError> =>
    asked.mapErr((error) => unavailable(error, log))

  return {
    take: (bucket, nowMicros, { perMinute, perDay }) =>
      answer(
        write<Taken>(() => {
          const call = { bucket, now: nowMicros, perMinute, perDay }
          for (const statement of counting) {
            const row = statement.get(call)
            if (row !== undefined) return ok({ ...windowsOf(row), taken: true })
          }
          move.run({ bucket, now: nowMicros })
          return ok({ ...windowsAt(findInJob.get(bucket), nowMicros), taken: false })
        }),
      ),

    peek: (bucket, nowMicros) => answer(read(() => windowsAt(find.get(bucket), nowMicros))),

    eraseOver: (nowMicros, limit) =>
      answer(
        write(() => {
          const erased = eraseOver.run(nowMicros - dayMicros, nowMicros - minuteMicros, limit).changes
          if (erased > 0) connections.erased()
          return ok(erased)
        }),
      ),
  }
}

function unavailable(error: StorageError, log: Log): StorageError {
  if (error.code === 'storage_unavailable') return error
  log('error', 'the quota cannot be read or written', { detail: error.detail })
  return busy
}

function windowsOf([minuteStart, minuteCount, dayStart, dayCount]: Row): QuotaWindows {
  return {
    minute: { startedAtMicros: minuteStart, count: minuteCount },
    day: { startedAtMicros: dayStart, count: dayCount },
  }
}

/** A bucket's windows at `nowMicros`, before a call is counted. */
function windowsAt(row: Row | undefined, nowMicros: number): QuotaWindows {
  const { minute, day } = windowsOf(row ?? [nowMicros, 0, nowMicros, 0])
  return { minute: windowAt(minute, minuteMicros, nowMicros), day: windowAt(day, dayMicros, nowMicros) }
}

function windowAt(
  { startedAtMicros, count }: QuotaWindow,
  lengthMicros: number,
  nowMicros: number,
): QuotaWindow {
  const isOver = nowMicros - startedAtMicros >= lengthMicros
  return isOver
    ? { startedAtMicros: nowMicros, count: 0 }
    : { startedAtMicros: Math.min(startedAtMicros, nowMicros), count }
}

import {
  defaultAddressesMax,
  quotaWindowMicros,
  quotaWindowsAt,
  type QuotaLimits,
  type QuotaStore,
  type QuotaWindows,
} from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'

const { minute: minuteMicros, day: dayMicros } = quotaWindowMicros

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

interface Call extends Pick<QuotaLimits, 'perMinute' | 'perDay'> {
  readonly bucket: string
  readonly now: number
}

/** The names of buckets of addresses, as a condition that the index on them serves. The character after `/` is `0`. */
export const addressIndexed = (column: string) => `${column} >= 'address/' AND ${column} < 'address0'`

/** The most buckets that are erased in one call to make room for another one. */
const evictedMax = 64

export function createQuota(connections: Connections): QuotaStore {
  const { reader, writer, read, write } = connections
  const takeInDay = writer.prepare<[Call], Row>(takeWithinDay).raw()
  const takeAny = writer.prepare<[Call], Row>(take).raw()
  const move = writer.prepare<[Pick<Call, 'bucket' | 'now'>]>(moveToNow)
  const findIn = (db: Connections['reader']) =>
    db.prepare<[string], Row>(`SELECT ${columns} FROM quota WHERE bucket = ?`).raw()
  const [find, findInJob] = [findIn(reader), findIn(writer)]
  const makeRoom = createMakeRoom(connections)
  const eraseOver = writer.prepare<[number, number, number]>(
    `DELETE FROM quota WHERE bucket IN
       (SELECT bucket FROM quota WHERE day_start <= ? AND minute_start <= ? ORDER BY day_start LIMIT ?)`,
  )

  return {
    take: (bucket, nowMicros, limits) =>
      write<Taken>(() => {
        const { perMinute, perDay, addressesMax = defaultAddressesMax } = limits
        const call = { bucket, now: nowMicros, perMinute, perDay }
        const inDay = takeInDay.get(call)
        if (inDay !== undefined) return ok({ ...windowsOf(inDay), taken: true })
        const isNew = findInJob.get(bucket) === undefined
        if (isNew && bucket.startsWith('address/') && !makeRoom(nowMicros, addressesMax))
          return ok({ ...noRoom(nowMicros, perMinute), taken: false })
        const row = takeAny.get(call)
        if (row !== undefined) return ok({ ...windowsOf(row), taken: true })
        move.run({ bucket, now: nowMicros })
        return ok({ ...windowsAt(findInJob.get(bucket), nowMicros), taken: false })
      }),

    peek: (bucket, nowMicros) => read(() => windowsAt(find.get(bucket), nowMicros)),

    eraseOver: (nowMicros, limit) =>
      write(() => {
        const erased = eraseOver.run(nowMicros - dayMicros, nowMicros - minuteMicros, limit).changes
        if (erased > 0) connections.erased()
        return ok(erased)
      }),
  }
}

/**
 * Makes the function that ensures, inside a job, that there is room for one more bucket of an address: of those whose minute is over it
 * erases some, the oldest first. Then those whose minute begins in the future, where nothing else would end it until the clock has caught up.
 */
function createMakeRoom(connections: Connections): (nowMicros: number, addressesMax: number) => boolean {
  const { writer } = connections
  const count = writer.prepare<[], number>('SELECT number FROM address_buckets WHERE one = 1').pluck()
  const evict = writer.prepare<[from: number, to: number, limit: number]>(
    `DELETE FROM quota WHERE bucket IN
       (SELECT bucket FROM quota WHERE ${addressIndexed('bucket')} AND minute_start BETWEEN ? AND ?
        ORDER BY minute_start LIMIT ?)`,
  )
  return (nowMicros, addressesMax) => {
    const number = count.get() ?? 0
    if (number < addressesMax) return true
    const limit = Math.min(evictedMax, Math.max(number - addressesMax + 1, Math.ceil(addressesMax / 100)))
    const evicted =
      evict.run(Number.MIN_SAFE_INTEGER, nowMicros - minuteMicros, limit).changes ||
      evict.run(nowMicros + 1, Number.MAX_SAFE_INTEGER, limit).changes
    if (evicted > 0) connections.erased()
    return number - evicted < addressesMax
  }
}

/** A call that is refused because there is no room to count it is answered as if its minute was just used up. */
function noRoom(nowMicros: number, perMinute: number): QuotaWindows {
  return {
    minute: { startedAtMicros: nowMicros, count: perMinute },
    day: { startedAtMicros: nowMicros, count: 0 },
  }
}

function windowsOf([minuteStart, minuteCount, dayStart, dayCount]: Row): QuotaWindows {
  return {
    minute: { startedAtMicros: minuteStart, count: minuteCount },
    day: { startedAtMicros: dayStart, count: dayCount },
  }
}

/** A bucket's windows at `nowMicros`, before a call is counted. */
function windowsAt(row: Row | undefined, nowMicros: number): QuotaWindows {
  return quotaWindowsAt(row && windowsOf(row), nowMicros)
}

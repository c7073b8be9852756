import {
  defaultAddressesMax,
  quotaWindowMicros,
  quotaWindowsAt,
  type QuotaStore,
  type QuotaWindows,
} from '@sotto/core'
import { ok, ResultAsync } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { batchCalls, type CountCalls, type QuotaCall, type Taken } from './quota-batches.ts'

const { minute: minuteMicros, day: dayMicros } = quotaWindowMicros

type Row = [minuteStart: number, minuteCount: number, dayStart: number, dayCount: number]

const columns = 'minute_start, minute_count, day_start, day_count'

/** Whether the window that began at `start` has not ended. A start in the future has a negative age. */
const runs = (start: string, micros: number) => `@nowMicros - ${start} < ${micros}`
/** When a window begins in the store: see `quotaWindowsAfter`. */
const kept = (start: string, micros: number) => `iif(${start} - @nowMicros > ${micros}, @nowMicros, ${start})`
const counted = (window: 'minute' | 'day', micros: number) => `
  ${window}_start = iif(${runs(`${window}_start`, micros)}, ${kept(`${window}_start`, micros)}, @nowMicros),
  ${window}_count = iif(${runs(`${window}_start`, micros)}, ${window}_count, 0) + 1`
const hasQuota = (window: 'minute' | 'day', micros: number, limit: string) =>
  `(${window}_count < ${limit} OR NOT ${runs(`${window}_start`, micros)})`

/** Counts a call in one statement if both windows have quota left; returns no row if not. */
const takeOneSql = `
  INSERT INTO quota (bucket, ${columns}) VALUES (@bucket, @nowMicros, 1, @nowMicros, 1)
  ON CONFLICT (bucket) DO UPDATE SET ${counted('minute', minuteMicros)}, ${counted('day', dayMicros)}
  WHERE ${hasQuota('minute', minuteMicros, '@perMinute')} AND ${hasQuota('day', dayMicros, '@perDay')}
  RETURNING ${columns}`

/**
 * Counts as many calls as `@calls` says, all or none of them, in windows that both run from the first call (`@fromMicros`) to the last one:
 * the usual case. The indexes on their starts need no new entries, which halves the cost.
 */
const takeInRunningSql = `
  UPDATE quota SET minute_count = minute_count + @calls, day_count = day_count + @calls
  WHERE bucket = @bucket AND minute_count + @calls <= @perMinute AND day_count + @calls <= @perDay
    AND minute_start <= @fromMicros AND ${runs('minute_start', minuteMicros)}
    AND day_start <= @fromMicros AND ${runs('day_start', dayMicros)}
  RETURNING ${columns}`

/** Windows that are far ahead begin now, even when the call is refused: otherwise they block until the clock has caught up. */
const moveToNow = `
  UPDATE quota SET minute_start = ${kept('minute_start', minuteMicros)}, day_start = ${kept('day_start', dayMicros)}
  WHERE bucket = @bucket AND (minute_start - @nowMicros > ${minuteMicros} OR day_start - @nowMicros > ${dayMicros})`

/** The names of buckets of addresses, as a condition that the index on them serves. The character after `/` is `0`. */
export const addressIndexed = (column: string) => `${column} >= 'address/' AND ${column} < 'address0'`

/** The most buckets that are erased in one call to make room for another one. */
const evictedMax = 64

export function createQuota(connections: Connections): QuotaStore {
  const { db, read, write } = connections
  const takeCall = batchCalls(connections, createCount(connections))
  const find = findIn(db)
  const eraseOver = db.prepare<[number, number, number]>(
    `DELETE FROM quota WHERE bucket IN
       (SELECT bucket FROM quota WHERE day_start <= ? AND minute_start <= ? ORDER BY day_start LIMIT ?)`,
  )

  return {
    take: (bucket, nowMicros, { perMinute, perDay, addressesMax = defaultAddressesMax }) =>
      new ResultAsync(takeCall({ bucket, nowMicros, perMinute, perDay, addressesMax })),

    peek: (bucket, nowMicros) => read(() => windowsAt(find.get(bucket), nowMicros)),

    eraseOver: (nowMicros, limit) =>
      write(() => {
        const erased = eraseOver.run(nowMicros - dayMicros, nowMicros - minuteMicros, limit).changes
        if (erased > 0) connections.erased()
        return ok(erased)
      }),
  }
}

function findIn(db: Connections['db']) {
  return db.prepare<[string], Row>(`SELECT ${columns} FROM quota WHERE bucket = ?`).raw()
}

/** Makes the function that counts the calls of a batch, inside a job. */
function createCount(connections: Connections): CountCalls {
  const { db } = connections
  const takeInRunning = db.prepare<[BatchedCalls], Row>(takeInRunningSql).raw()
  const takeOne = db.prepare<[QuotaCall], Row>(takeOneSql).raw()
  const move = db.prepare<[Pick<QuotaCall, 'bucket' | 'nowMicros'>]>(moveToNow)
  const find = findIn(db)
  const evictAddresses = createEviction(connections)

  function countOne(call: QuotaCall): Taken {
    const { bucket, nowMicros, perMinute, addressesMax } = call
    const isNew = find.get(bucket) === undefined
    if (isNew && bucket.startsWith('address/') && !evictAddresses(nowMicros, addressesMax))
      return { ...fullMinute(nowMicros, perMinute), taken: false }
    const row = takeOne.get(call)
    if (row !== undefined) return { ...windowsAt(row, nowMicros), taken: true }
    move.run({ bucket, nowMicros })
    return { ...windowsAt(find.get(bucket), nowMicros), taken: false }
  }

  return ({ first, last, length }) => {
    const row = takeInRunning.get({ ...last, fromMicros: first.nowMicros, calls: length })
    return row === undefined ? countOne : (_, at) => takenAs(row, length - 1 - at)
  }
}

/** The parameters by which the calls of a batch are counted together: those of the last one, and these. */
interface BatchedCalls extends QuotaCall {
  /** When the first one was made. */
  readonly fromMicros: number
  /** How many they are. */
  readonly calls: number
}

/** The answer to a call that was counted together with others, of which `later` came after it. */
function takenAs([minuteStart, minuteCount, dayStart, dayCount]: Row, later: number): Taken {
  return { ...windowsOf([minuteStart, minuteCount - later, dayStart, dayCount - later]), taken: true }
}

/**
 * Makes the function that ensures, inside a job, that there is room for one more bucket of an address. Of those whose minute is over it
 * erases some, the oldest first. Then those whose minute is far ahead, where nothing else would end it until the clock has caught up.
 */
function createEviction(connections: Connections): (nowMicros: number, addressesMax: number) => boolean {
  const { db } = connections
  const count = db.prepare<[], number>('SELECT number FROM address_buckets WHERE one = 1').pluck()
  const evict = db.prepare<[from: number, to: number, limit: number]>(
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
      evict.run(nowMicros + minuteMicros + 1, Number.MAX_SAFE_INTEGER, limit).changes
    if (evicted > 0) connections.erased()
    return number - evicted < addressesMax
  }
}

/** A call that is refused because there is no room to count it is answered as if its minute was just used up. */
function fullMinute(nowMicros: number, perMinute: number): QuotaWindows {
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

import { quotaWindowMicros, quotaWindowsAt, type QuotaWindow, type QuotaWindows } from '@sotto/core'
import { ok } from 'neverthrow'
import { unnest, type Sql, type Value } from '../connection/sql.ts'
import { windowColumns, windowsOf, type Limits, type WaitingCall, type WindowsRow } from './quota-windows.ts'

/** Calls of one bucket with the same limits at nearly the same time, which are counted as one. */
export interface Batch {
  readonly bucket: string
  readonly nowMicros: number
  readonly limits: Limits
  /** The calls in the order of their arrival. */
  readonly calls: readonly WaitingCall[]
}

/** The time of calls that are counted together differs by this much at most. */
const togetherMicros = 5_000

/** The first calls of a bucket that can be counted together; the others have to wait for them. */
export function batchOf(calls: readonly WaitingCall[]): {
  readonly batch: Batch
  readonly rest: readonly WaitingCall[]
} {
  const [first, ...others] = calls
  if (first === undefined) throw new TypeError('a bucket has calls')
  const { bucket, nowMicros, limits } = first.input
  const isOther = ({ input }: WaitingCall): boolean =>
    Math.abs(input.nowMicros - nowMicros) > togetherMicros ||
    limitsKeyOf(input.limits) !== limitsKeyOf(limits)
  const end = others.findIndex(isOther)
  const together = end === -1 ? others : others.slice(0, end)
  return {
    batch: { bucket, nowMicros, limits, calls: [first, ...together] },
    rest: others.slice(together.length),
  }
}

/** A key that is equal for equal limits. */
export function limitsKeyOf({ perMinute, perDay, addressesMax }: Limits): string {
  return `${perMinute} ${perDay} ${addressesMax}`
}

export function isAddress(bucket: string): boolean {
  return bucket.startsWith('address/')
}

type Window = 'minute' | 'day'
const windowNames = ['minute', 'day'] as const

/** The parameters that hold the limits. */
const limitOf = { minute: '$5::bigint', day: '$6::bigint' }

/** Whether the stored window has not ended. A start in the future has a negative age. */
const runs = (window: Window): string =>
  `excluded.${window}_start - quota.${window}_start < ${quotaWindowMicros[window]}`
const left = (window: Window): string =>
  `${limitOf[window]} - CASE WHEN ${runs(window)} THEN quota.${window}_count ELSE 0 END`
/** How many of the calls the windows have quota left for. */
const taken = `greatest(least(excluded.taken, ${left('minute')}, ${left('day')}), 0)`
/** Whether the stored window is further ahead than it is long. */
const isFarAhead = (window: Window): string =>
  `quota.${window}_start - excluded.${window}_start > ${quotaWindowMicros[window]}`
/**
 * A window that is over begins again only with a call that is taken; one that is far ahead begins now in any case. See `quotaWindowsAfter`.
 */
const counted = (window: Window): string => `
  ${window}_start = CASE WHEN (${runs(window)} OR ${taken} = 0) AND NOT ${isFarAhead(window)}
    THEN quota.${window}_start ELSE excluded.${window}_start END,
  ${window}_count = CASE WHEN ${runs(window)} OR ${taken} = 0 THEN quota.${window}_count ELSE 0 END + ${taken}`

/**
 * Counts as many calls of each bucket as it has quota left for. The rows are written in the order of their buckets, so that two processes
 * that write the same ones do not wait for each other forever. A new bucket takes them all: no more than the limits are asked for.
 */
const take = {
  name: 'quota_take',
  text: `INSERT INTO quota (bucket, ${windowColumns}, taken, is_address)
    SELECT bucket, at, asked, at, asked, asked, is_address
      FROM ${unnest(['text', 'bigint', 'bigint', 'boolean'])} AS v (bucket, at, asked, is_address) ORDER BY bucket
    ON CONFLICT (bucket) DO UPDATE SET taken = ${taken}, ${windowNames.map(counted).join(', ')}
    RETURNING bucket, taken, ${windowColumns}`,
}

type TakenRow = [bucket: string, taken: number, ...WindowsRow]

/** What was counted of a bucket's calls. */
export interface Counted {
  readonly taken: number
  readonly stored: QuotaWindows
}

/** Counts the calls of different buckets, all with the same limits, in one statement. */
export async function takeBatches(
  sql: Sql,
  batches: readonly Batch[],
  { perMinute, perDay }: Limits,
): Promise<ReadonlyMap<string, Counted>> {
  const values: readonly Value[] = [
    batches.map(({ bucket }) => bucket),
    batches.map(({ nowMicros }) => nowMicros),
    batches.map(({ calls }) => Math.min(calls.length, perMinute, perDay)),
    batches.map(({ bucket }) => isAddress(bucket)),
    perMinute,
    perDay,
  ]
  const rows = await sql.rows<TakenRow>(take, values)
  return new Map(rows.map(([bucket, taken, ...row]) => [bucket, { taken, stored: windowsOf(row) }]))
}

/** Answers the calls in the order of their arrival: the first ones are taken, as many as were counted. */
export function answerBatch({ calls }: Batch, { taken, stored }: Counted): void {
  for (const [at, { input, answer }] of calls.entries()) {
    const missing = taken - at - 1
    const counted = ({ startedAtMicros, count }: QuotaWindow): QuotaWindow => ({
      startedAtMicros: Math.min(startedAtMicros, input.nowMicros),
      count: count - missing,
    })
    answer(
      ok(
        missing >= 0
          ? { minute: counted(stored.minute), day: counted(stored.day), taken: true }
          : { ...quotaWindowsAt(stored, input.nowMicros), taken: false },
      ),
    )
  }
}

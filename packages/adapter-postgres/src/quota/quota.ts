import {
  defaultAddressesMax,
  quotaWindowMicros,
  quotaWindowsAt,
  type QuotaStore,
  type StorageError,
} from '@sotto/core'
import { err, errAsync, ok, okAsync } from 'neverthrow'
import { askedMillisOf, createBatches } from '../connection/batches.ts'
import type { Database } from '../connection/database.ts'
import { closed } from '../connection/errors.ts'
import { createKeyedQueues } from '../connection/keyed-queues.ts'
import { createFullBuckets, type FullBuckets } from './full-buckets.ts'
import { createAddressBound, type AddressBound } from './quota-addresses.ts'
import { answerBatch, batchOf, isAddress, limitsKeyOf, takeBatches, type Batch } from './quota-batches.ts'
import {
  windowColumns,
  windowsOf,
  type QuotaCall,
  type Taken,
  type WaitingCall,
  type WindowsRow,
} from './quota-windows.ts'

const find = { name: 'quota_find', text: `SELECT ${windowColumns} FROM quota WHERE bucket = $1` }
/** An array, because a plan may run what stands in `IN` once for each row, and a run skips what was erased: more than the limit would go. */
const eraseOver = {
  name: 'quota_erase_over',
  text: `DELETE FROM quota WHERE bucket = ANY (ARRAY
    (SELECT bucket FROM quota WHERE day_start <= $1 AND minute_start <= $2 ORDER BY day_start LIMIT $3
     FOR UPDATE SKIP LOCKED))`,
}

/** How many calls are in a batch, and how many of them are about one bucket, at most. */
const [sizeMax, perBucketMax] = [1_000, 500]

/**
 * Batches the calls of this process: those of one bucket are summed, and one statement counts those of all buckets.
 * @param db whose writes need not wait for the disk
 */
export function createQuota(db: Database): QuotaStore & { close(): void } {
  let isClosed = false
  const full = createFullBuckets()
  const bound = createAddressBound(db, () => full.clear())
  const counter = (admit: Admit) =>
    createBatches<QuotaCall, Taken, never>({
      queue: createKeyedQueues({
        keyOf: ({ input }: WaitingCall) => input.bucket,
        sizeMax,
        perKeyMax: perBucketMax,
      }),
      ...{ atOnce: 1, sizeMax },
      measureQueue: db.measureQueue,
      run: (batch) => run(db, { admit, full }, batch),
    })
  const countAccount = counter((batches) => Promise.resolve(ok(new Set(batches))))
  const countAddress = counter(bound.admit)

  return {
    take(bucket, nowMicros, { perMinute, perDay, addressesMax = defaultAddressesMax }) {
      if (isClosed) return errAsync(closed)
      const call = { bucket, nowMicros, limits: { perMinute, perDay, addressesMax } }
      const refusing = full.find(call)
      if (refusing !== undefined) return okAsync({ ...refusing, taken: false })
      return (isAddress(bucket) ? countAddress : countAccount)(call)
    },

    peek: (bucket, nowMicros) =>
      db.read(async (sql) => {
        const row = await sql.row<WindowsRow>(find, [bucket])
        return quotaWindowsAt(row && windowsOf(row), nowMicros)
      }),

    eraseOver: (nowMicros, limit) =>
      db.statement(async (sql) => {
        const { day, minute } = quotaWindowMicros
        const erased = await sql.changes(eraseOver, [nowMicros - day, nowMicros - minute, limit])
        if (erased > 0) bound.forget()
        return ok(erased)
      }),

    close: () => void (isClosed = true),
  }
}

type Admit = AddressBound['admit']

/** Resolves to the calls that could not be counted together with others of their bucket. */
async function run(
  db: Database,
  of: { readonly admit: Admit; readonly full: FullBuckets },
  batch: readonly WaitingCall[],
): Promise<readonly WaitingCall[]> {
  const batched = [...Map.groupBy(batch, ({ input }) => input.bucket).values()].map(batchOf)
  const byLimits = Map.groupBy(
    batched.map(({ batch }) => batch),
    ({ limits }) => limitsKeyOf(limits),
  )
  for (const batches of byLimits.values()) await count(db, of, batches)
  return batched.flatMap(({ rest }) => rest)
}

/** Counts and answers calls with the same limits. */
async function count(
  db: Database,
  { admit, full }: { readonly admit: Admit; readonly full: FullBuckets },
  batches: readonly Batch[],
): Promise<void> {
  const [first] = batches
  if (first === undefined) return
  const { limits } = first
  const admitted = await admit(batches, limits)
  if (admitted.isErr()) {
    refuse(batches, admitted.error)
    return
  }
  batches.filter((batch) => !admitted.value.has(batch)).forEach(answerFull)
  const stored = batches.filter((batch) => admitted.value.has(batch))
  if (stored.length === 0) return
  const askedMillis = askedMillisOf(stored.flatMap(({ calls }) => calls))
  const counted = await db.statement(async (sql) => ok(await takeBatches(sql, stored, limits)), {
    askedMillis,
  })
  if (counted.isErr()) {
    refuse(stored, counted.error)
    return
  }
  for (const batch of stored) {
    const of = counted.value.get(batch.bucket)
    if (of === undefined) throw new TypeError('a bucket was not counted')
    full.remember(batch, of.stored)
    answerBatch(batch, of)
  }
}

function refuse(batches: readonly Batch[], error: StorageError): void {
  for (const { calls } of batches) for (const { answer } of calls) answer(err(error))
}

/** A call that is refused because there is no room to count it is answered as if its minute was just used up. */
function answerFull({ calls }: Batch): void {
  for (const { input, answer } of calls) {
    const { minute, day } = quotaWindowsAt(undefined, input.nowMicros)
    answer(ok({ minute: { ...minute, count: input.limits.perMinute }, day, taken: false }))
  }
}

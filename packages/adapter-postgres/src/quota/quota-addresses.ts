import { quotaWindowMicros, type StorageError } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Batch } from './quota-batches.ts'
import type { Limits } from './quota-windows.ts'

const find = { name: 'quota_find_many', text: 'SELECT bucket FROM quota WHERE bucket = ANY ($1::text[])' }
const countAll = { name: 'quota_count_addresses', text: 'SELECT count(*) FROM quota WHERE is_address' }
/** Evicts addresses whose minute began within a span of time, except those that are called now. The array is one as in `eraseOver`. */
const evict = {
  name: 'quota_evict',
  text: `DELETE FROM quota WHERE bucket = ANY (ARRAY
    (SELECT bucket FROM quota WHERE is_address AND minute_start BETWEEN $1 AND $2 AND NOT bucket = ANY ($3::text[])
     ORDER BY minute_start LIMIT $4 FOR UPDATE SKIP LOCKED))`,
}

/** How many buckets are erased together to make room for others, if that many are over. */
const evictedAtOnce = 64
/** How long the number of stored buckets is used before it is counted again. */
const countedMillis = 1_000

/** Bounds the stored buckets of addresses. Called by one batch at a time. */
export interface AddressBound {
  /**
   * The batches whose bucket is stored already, or for which there is room. Erases buckets to make room.
   * @param batches of which each has these limits
   */
  admit(batches: readonly Batch[], limits: Limits): Promise<Result<ReadonlySet<Batch>, StorageError>>
  /** Has the buckets counted before the next one is added. */
  forget(): void
}

/**
 * Counting all buckets each time would cost too much, so their number is remembered: the bound is exact in one process. Several processes
 * can exceed it by what the others add within a second.
 */
export function createAddressBound(db: Database, onEvicted: () => void): AddressBound {
  let number = 0
  /** When `number` was right; `undefined` when it may be too large, because buckets that exist were counted as new. */
  let rightAtMillis: number | undefined
  let isKnown = false

  async function admit(
    batches: readonly Batch[],
    { addressesMax }: Limits,
  ): Promise<Result<ReadonlySet<Batch>, StorageError>> {
    if (isKnown && number + batches.length <= addressesMax) {
      number += batches.length
      rightAtMillis = undefined
      return ok(new Set(batches))
    }
    return admitNew(batches, addressesMax)
  }

  async function admitNew(
    batches: readonly Batch[],
    addressesMax: number,
  ): Promise<Result<ReadonlySet<Batch>, StorageError>> {
    const buckets = batches.map(({ bucket }) => bucket)
    const found = await db.read(async (sql) => new Set((await sql.rows<[string]>(find, [buckets])).flat()))
    if (found.isErr()) return found.map(() => new Set())
    const [known, added] = [
      batches.filter(isIn(found.value)),
      batches.filter((batch) => !isIn(found.value)(batch)),
    ]
    const admitted = added.length === 0 ? ok(0) : await evictAddresses(added, { buckets, addressesMax })
    return admitted.map((most) => {
      const admitted = added.slice(0, most)
      number += admitted.length
      return new Set([...known, ...admitted])
    })
  }

  /** Ok with how many buckets there is room for. */
  async function evictAddresses(
    added: readonly Batch[],
    { buckets, addressesMax }: { readonly buckets: readonly string[]; readonly addressesMax: number },
  ): Promise<Result<number, StorageError>> {
    const counted = await count()
    if (counted.isErr()) return counted
    const missing = number + added.length - addressesMax
    if (missing > 0) {
      const nowMicros = Math.min(...added.map((batch) => batch.nowMicros))
      const most = Math.max(missing, Math.min(evictedAtOnce, Math.ceil(addressesMax / 100)))
      const ended = await erase(Number.MIN_SAFE_INTEGER, nowMicros - quotaWindowMicros.minute, buckets, most)
      if (ended.isErr()) return ended
      // Nothing else would end minutes that are far ahead until the clock has caught up.
      const [left, ahead] = [missing - ended.value, nowMicros + quotaWindowMicros.minute + 1]
      const future = left > 0 ? await erase(ahead, Number.MAX_SAFE_INTEGER, buckets, left) : ok(0)
      if (future.isErr()) return future
    }
    return ok(Math.max(0, addressesMax - number))
  }

  async function count(): Promise<Result<number, StorageError>> {
    if (isKnown && rightAtMillis !== undefined && performance.now() - rightAtMillis < countedMillis)
      return ok(number)
    const counted = await db.read(async (sql) => (await sql.row<[number]>(countAll))?.[0] ?? 0)
    if (counted.isOk()) {
      number = counted.value
      isKnown = true
      rightAtMillis = performance.now()
    }
    return counted
  }

  async function erase(
    from: number,
    to: number,
    except: readonly string[],
    most: number,
  ): Promise<Result<number, StorageError>> {
    const erased = await db.statement(async (sql) => ok(await sql.changes(evict, [from, to, except, most])))
    if (erased.isOk() && erased.value > 0) {
      number -= erased.value
      onEvicted()
    }
    return erased
  }

  return { admit, forget: () => void (isKnown = false) }
}

function isIn(buckets: ReadonlySet<string>): (batch: Batch) => boolean {
  return ({ bucket }) => buckets.has(bucket)
}

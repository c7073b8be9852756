import type { QuotaLimits, QuotaWindows, StorageError } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { busy } from '../connection/errors.ts'

/** What `QuotaStore.take` answers. */
export type Taken = QuotaWindows & { readonly taken: boolean }

/** A call that is to be counted. */
export interface QuotaCall extends QuotaLimits {
  readonly bucket: string
  readonly nowMicros: number
  readonly addressesMax: number
}

/** Calls of one bucket with the same limits that are counted by one job, in the order of their times. */
export interface Batch {
  readonly first: QuotaCall
  readonly last: QuotaCall
  readonly length: number
}

/** Counts calls inside a job. Returns the function that answers them; it is called once for each, in their order. */
export type CountCalls = (batch: Batch) => (call: QuotaCall, at: number) => Taken

interface Waiting {
  readonly call: QuotaCall
  /** The answer, once the job is committed. */
  answer: Result<Taken, StorageError>
}

/** A batch that takes further calls until its job runs. */
interface OpenBatch {
  readonly waiting: Waiting[]
  last: QuotaCall
  readonly counted: PromiseLike<Result<void, StorageError>>
}

const noAnswer: Result<Taken, StorageError> = err(busy)

/** How many calls a batch has at most. Calls that are refused take statements of their own, and no other process can write meanwhile. */
const batchMax = 64

/**
 * Makes the function that counts calls. Those of one bucket that arrive within a turn of the event loop are one job, which is most often
 * counted together, however many they are.
 */
export function batchCalls(
  { write }: Pick<Connections, 'write'>,
  count: CountCalls,
): (call: QuotaCall) => Promise<Result<Taken, StorageError>> {
  /**
   * The batch of each bucket that takes further calls. Each turn has a map of its own: V8 links the entries of a map that is cleared to
   * those it has next. So turn after turn would be kept as soon as one of them has become old garbage.
   */
  let open = new Map<string, OpenBatch>()

  function begin(first: QuotaCall): OpenBatch {
    // A batch waits for a lock as long as its first call does, so calls of later turns do not join it.
    if (open.size === 0) setImmediate(() => (open = new Map()))
    const waiting: Waiting[] = []
    const counted = write(() => {
      // The job may run again, with the same calls.
      open.delete(first.bucket)
      const answerTo = count({ first, last: batch.last, length: waiting.length })
      for (const [at, one] of waiting.entries()) one.answer = ok(answerTo(one.call, at))
      return ok()
    })
    const batch: OpenBatch = { waiting, last: first, counted }
    open.set(first.bucket, batch)
    return batch
  }

  return async (call) => {
    const found = open.get(call.bucket)
    const batch = found !== undefined && takes(found, call) ? found : begin(call)
    const one = { call, answer: noAnswer }
    batch.waiting.push(one)
    batch.last = call
    const counted = await batch.counted
    return counted.isErr() ? err(counted.error) : one.answer
  }
}

function takes({ waiting, last }: OpenBatch, call: QuotaCall): boolean {
  return (
    waiting.length < batchMax &&
    last.nowMicros <= call.nowMicros &&
    last.perMinute === call.perMinute &&
    last.perDay === call.perDay &&
    last.addressesMax === call.addressesMax
  )
}

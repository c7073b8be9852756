import type { Clock, KeyRingUnfit, StorageError } from '@sotto/core'
import { err, ResultAsync, type Result } from 'neverthrow'
import { systemTimers, type Timers } from './timers.ts'

/** How old an answer may be: each costs an fsync, and anybody may ask. */
const sharedMicros = 1_000_000
/** How long a write may take before the storage counts as one that cannot be written. */
export const readyMillis = 5_000

const noAnswer: StorageError = {
  code: 'storage_unavailable',
  reason: 'busy',
  detail: `a write took longer than ${readyMillis / 1_000} s`,
}

type NotReady = KeyRingUnfit | StorageError

interface ReadinessOptions {
  /** `Upkeep.canWrite`, and whether this process has the active key. */
  readonly upkeep: { canWrite(): ResultAsync<void, NotReady> }
  readonly clock: Clock
  readonly timers?: Timers
}

/** Whether the storage can be written now, as `Upkeep.canWrite` says within {@link readyMillis}. */
export type Readiness = () => ResultAsync<void, NotReady>

/**
 * Asks the storage at most once a second. A write that gets no answer is asked for once: while it is under way nothing else is written, and
 * from {@link readyMillis} on the answer is an Err.
 */
export function createReadiness({ upkeep, clock, timers = systemTimers }: ReadinessOptions): Readiness {
  let asked: { readonly answer: ResultAsync<void, NotReady>; readonly atMicros: number } | undefined
  let isUnderWay = false

  async function ask(): Promise<Result<void, NotReady>> {
    isUnderWay = true
    const { promise: late, resolve } = Promise.withResolvers<Result<void, NotReady>>()
    const cancel = timers.after(readyMillis, () => resolve(err(noAnswer)))
    const write = async (): Promise<Result<void, NotReady>> => {
      const written = await upkeep.canWrite()
      isUnderWay = false
      cancel()
      return written
    }
    return Promise.race([write(), late])
  }

  return () => {
    const nowMicros = clock.nowMicros()
    const isFresh = asked !== undefined && Math.abs(nowMicros - asked.atMicros) < sharedMicros
    if (asked === undefined || (!isFresh && !isUnderWay))
      asked = { answer: new ResultAsync(ask()), atMicros: nowMicros }
    return asked.answer
  }
}

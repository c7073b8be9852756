import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'

/**
 * How long the row of an expired secret stays stored. No use-case shows it any more, but a list that began before the expiry still reads
 * it; such a list has ended by then, so no list has gaps.
 */
export const eraseAfterMicros = 10 * 60 * 1_000_000

/** Rows erased in one transaction: few, so that other writers do not wait long. */
const batchSize = 50

export type SweepExpiredDeps = Pick<Ports, 'secrets' | 'quota' | 'clock'>
export type SweepExpiredError = StorageError

export interface SweepExpiredInput {
  /** Asked before each batch: true ends the sweep, with Ok and what it has erased by then. A process that has to end uses it. */
  readonly shouldStop?: (() => boolean) | undefined
}

/** How much a sweep erased. */
export interface Swept {
  readonly secrets: number
  readonly quotaBuckets: number
}

/** Erases what has expired: secrets with their notes, and quota windows that are over. */
export function sweepExpired(
  deps: SweepExpiredDeps,
  { shouldStop = () => false }: SweepExpiredInput = {},
): ResultAsync<Swept, SweepExpiredError> {
  return new ResultAsync(sweep(deps, shouldStop))
}

async function sweep(
  { secrets, quota, clock }: SweepExpiredDeps,
  shouldStop: () => boolean,
): Promise<Result<Swept, SweepExpiredError>> {
  const nowMicros = clock.nowMicros()
  const erased = await untilFewer(
    (limit) => secrets.eraseExpired(nowMicros - eraseAfterMicros, limit),
    shouldStop,
  )
  if (erased.isErr()) return err(erased.error)
  const over = await untilFewer((limit) => quota.eraseOver(nowMicros, limit), shouldStop)
  return over.isErr() ? err(over.error) : ok({ secrets: erased.value, quotaBuckets: over.value })
}

async function untilFewer(
  eraseSome: (limit: number) => ResultAsync<number, StorageError>,
  shouldStop: () => boolean,
): Promise<Result<number, StorageError>> {
  let erased = 0
  while (!shouldStop()) {
    const batch = await eraseSome(batchSize)
    if (batch.isErr()) return err(batch.error)
    erased += batch.value
    if (batch.value < batchSize) break
  }
  return ok(erased)
}

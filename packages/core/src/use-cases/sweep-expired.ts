import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { sessionIdleMicros, sessionLifetimeMicros } from '../entities/session.ts'
import type { StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { eraseAll } from './erase-all.ts'

/**
 * How long the row of an expired secret stays stored. No use-case shows it any more, but a list that began before the expiry still reads
 * it; such a list has ended by then, so no list has gaps.
 */
export const eraseAfterMicros = 10 * 60 * 1_000_000

export type SweepExpiredDeps = Pick<
  Ports,
  'secrets' | 'accounts' | 'sessions' | 'welcomes' | 'signIns' | 'quota' | 'clock'
>
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

/**
 * Erases what has expired: secrets with their notes, sessions and one-time links that are over, failed attempts to sign in that say nothing
 * any more, and quota windows. Finishes the erasure of accounts that was interrupted.
 */
export function sweepExpired(
  deps: SweepExpiredDeps,
  { shouldStop = () => false }: SweepExpiredInput = {},
): ResultAsync<Swept, SweepExpiredError> {
  return new ResultAsync(sweep(deps, shouldStop))
}

async function sweep(
  { secrets, accounts, sessions, welcomes, signIns, quota, clock }: SweepExpiredDeps,
  shouldStop: () => boolean,
): Promise<Result<Swept, SweepExpiredError>> {
  const nowMicros = clock.nowMicros()
  const erased = await eraseAll(
    (limit) => secrets.eraseExpired(nowMicros - eraseAfterMicros, limit),
    shouldStop,
  )
  if (erased.isErr()) return err(erased.error)
  const sessionsOver = {
    createdByMicros: nowMicros - sessionLifetimeMicros,
    lastUsedByMicros: nowMicros - sessionIdleMicros,
  }
  for (const eraseSome of [
    (limit: number) => accounts.eraseBegun(limit),
    (limit: number) => sessions.eraseOver(sessionsOver, limit),
    (limit: number) => welcomes.eraseExpired(nowMicros, limit),
    (limit: number) => signIns.eraseOver(nowMicros, limit),
  ]) {
    const done = await eraseAll(eraseSome, shouldStop)
    if (done.isErr()) return err(done.error)
  }
  const over = await eraseAll((limit) => quota.eraseOver(nowMicros, limit), shouldStop)
  return over.isErr() ? err(over.error) : ok({ secrets: erased.value, quotaBuckets: over.value })
}

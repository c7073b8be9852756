import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'

/**
 * How long an expired secret is kept, unseen, before it is erased: a list that was begun before it expired has ended by then and
 * sees no hole.
 */
export const eraseAfterMicros = 10 * 60 * 1_000_000

/** Rows erased in one transaction: few, so that nobody waits long behind it. */
const batchSize = 50

type PurgePorts = Pick<Ports, 'secrets' | 'quota' | 'clock'>

export interface Purged {
  readonly secrets: number
  readonly quotaBuckets: number
}

/** Erases what has expired: secrets with their notes, and quota windows that are over. Ok with how many. */
export function purgeExpired(ports: PurgePorts): ResultAsync<Purged, StorageError> {
  return new ResultAsync(purge(ports))
}

async function purge({ secrets, quota, clock }: PurgePorts): Promise<Result<Purged, StorageError>> {
  const nowMicros = clock.nowMicros()
  const erased = await untilFewer((limit) => secrets.eraseExpired(nowMicros - eraseAfterMicros, limit))
  if (erased.isErr()) return err(erased.error)
  const over = await untilFewer((limit) => quota.eraseOver(nowMicros, limit))
  return over.isErr() ? err(over.error) : ok({ secrets: erased.value, quotaBuckets: over.value })
}

async function untilFewer(
  eraseSome: (limit: number) => ResultAsync<number, StorageError>,
): Promise<Result<number, StorageError>> {
  let erased = 0
  for (;;) {
    const batch = await eraseSome(batchSize)
    if (batch.isErr()) return err(batch.error)
    erased += batch.value
    if (batch.value < batchSize) return ok(erased)
  }
}

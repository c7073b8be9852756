import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import { eraseRequests, eraseRequestsNeeds } from '../requests/erase-requests.ts'
import { expiredUnopenedEvent } from '../secrets/secret-events.ts'
import { idempotencyMicros } from '../shared/idempotency-key.ts'
import { eraseAll } from '../shared/erase-all.ts'
import { newId } from '../shared/ids.ts'
import { aFunction } from '../shared/inputs.ts'
import { useCase } from '../shared/use-case.ts'
import { eraseAfterMicros, keepMicros } from './retention.ts'

/** How much a sweep erased. */
export interface Swept {
  /** Expired secrets that were erased. */
  readonly secrets: number
  /** Buckets of the quota that were erased: their windows were over. */
  readonly quotaBuckets: number
}

/**
 * Erases what has expired: secrets with their notes, tickets, requests, idempotency keys, messages that were given up, and windows of the
 * quota. An event is queued for each secret with `notify` that expired without ever being opened, and for each request that nobody answered.
 * Finishes erasures of accounts that were interrupted.
 */
export const sweepExpired = useCase({
  needs: [
    ...eraseRequestsNeeds,
    'outbox.eraseOld',
    'secretFiles.eraseTickets',
    'secrets.eraseExpired',
    'accounts.eraseBegun',
    'idempotencyKeys.eraseOld',
    'deliveries.eraseDead',
    'quota.eraseOver',
    'clock.nowMicros',
    'random.bytes',
  ],
  mayTake: {
    /** Asked before each batch: true ends the sweep, with Ok and what it has erased by then. A process that has to end uses it. */
    shouldStop: aFunction<() => boolean>,
  },
  async run(deps, { shouldStop = () => false }) {
    const { outbox, secretFiles, secrets, accounts, idempotencyKeys, deliveries, quota, random } = deps
    const nowMicros = deps.clock.nowMicros()
    // Events come before secrets: an event of one that expired long ago is not old enough to be forgotten unread.
    const oldEvents = await eraseAll((limit) => outbox.eraseOld(nowMicros - keepMicros, limit), shouldStop)
    if (oldEvents.isErr()) return oldEvents
    // Tickets come before secrets, too: a secret with a ticket stays.
    const tickets = await eraseAll((limit) => secretFiles.eraseTickets(nowMicros, limit), shouldStop)
    if (tickets.isErr()) return tickets
    const goneByMicros = nowMicros - eraseAfterMicros
    const eraseSecrets = (limit: number) =>
      secrets.eraseExpired(goneByMicros, limit, (unopened) =>
        expiredUnopenedEvent(unopened, newId(random, nowMicros)),
      )
    const erasedSecrets = await eraseAll(eraseSecrets, shouldStop)
    if (erasedSecrets.isErr()) return erasedSecrets
    const others: readonly ((limit: number) => ResultAsync<number, StorageError>)[] = [
      (limit) => eraseRequests(deps, { closedByMicros: goneByMicros, nowMicros }, limit),
      (limit) => accounts.eraseBegun(limit),
      (limit) => idempotencyKeys.eraseOld(nowMicros - idempotencyMicros, limit),
      (limit) => deliveries.eraseDead(nowMicros - keepMicros, limit),
    ]
    for (const eraseSome of others) {
      const done = await eraseAll(eraseSome, shouldStop)
      if (done.isErr()) return done
    }
    const quotaBuckets = await eraseAll((limit) => quota.eraseOver(nowMicros, limit), shouldStop)
    return quotaBuckets.map((buckets): Swept => ({ secrets: erasedSecrets.value, quotaBuckets: buckets }))
  },
})

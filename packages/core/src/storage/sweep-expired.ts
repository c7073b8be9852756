import { err, ResultAsync, type Result } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import type { SecretFileStore } from '../files/secret-file-store.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import type { IdempotencyStore } from '../secrets/idempotency-store.ts'
import type { OutboxStore } from '../notifications/queue/outbox-store.ts'
import type { DeliveryStore } from '../notifications/queue/delivery-store.ts'
import type { QuotaStore } from '../quota/quota-store.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { eraseRequests } from '../requests/erase-requests.ts'
import { expiredUnopenedEvent } from '../secrets/secret-events.ts'
import { idempotencyMicros } from '../shared/idempotency-key.ts'
import { eraseAll } from '../shared/erase-all.ts'
import { newId } from '../shared/ids.ts'

/**
 * How long the row of an expired secret stays stored. No use-case shows it any more, but a list that began before the expiry still reads
 * it; such a list has ended by then, so no list has gaps.
 */
export const eraseAfterMicros = 10 * 60 * 1_000_000

/** How long messages that were given up are kept, and events that nobody has distributed: 30 days. */
export const keepMicros = 30 * 86_400 * 1_000_000

type EraseDeps = Parameters<typeof eraseRequests>[0]

export interface SweepExpiredDeps extends EraseDeps {
  readonly secretFiles: Pick<SecretFileStore, 'eraseTickets'>
  readonly secrets: Pick<SecretStore, 'eraseExpired'>
  readonly accounts: Pick<AccountStore, 'eraseBegun'>
  readonly idempotencyKeys: Pick<IdempotencyStore, 'eraseOld'>
  readonly outbox: Pick<OutboxStore, 'eraseOld'>
  readonly deliveries: Pick<DeliveryStore, 'eraseDead'>
  readonly quota: Pick<QuotaStore, 'eraseOver'>
  readonly clock: Clock
  readonly random: Random
}
export type SweepExpiredError = StorageError

export interface SweepExpiredInput {
  /** Asked before each batch: true ends the sweep, with Ok and what it has erased by then. A process that has to end uses it. */
  readonly shouldStop?: (() => boolean) | undefined
}

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
export function sweepExpired(
  deps: SweepExpiredDeps,
  { shouldStop = () => false }: SweepExpiredInput = {},
): ResultAsync<Swept, SweepExpiredError> {
  return new ResultAsync(sweep(deps, shouldStop))
}

async function sweep(
  deps: SweepExpiredDeps,
  shouldStop: () => boolean,
): Promise<Result<Swept, SweepExpiredError>> {
  const nowMicros = deps.clock.nowMicros()
  // Events come before secrets: an event of one that expired long ago is not old enough to be forgotten unread.
  const oldEvents = await eraseAll((limit) => deps.outbox.eraseOld(nowMicros - keepMicros, limit), shouldStop)
  if (oldEvents.isErr()) return err(oldEvents.error)
  // Tickets come before secrets, too: a secret with a ticket stays.
  const tickets = await eraseAll((limit) => deps.secretFiles.eraseTickets(nowMicros, limit), shouldStop)
  if (tickets.isErr()) return err(tickets.error)
  const secrets = await eraseAll((limit) => eraseSecrets(deps, nowMicros, limit), shouldStop)
  if (secrets.isErr()) return err(secrets.error)
  for (const eraseSome of otherErasures(deps, nowMicros)) {
    const done = await eraseAll(eraseSome, shouldStop)
    if (done.isErr()) return err(done.error)
  }
  const quotaBuckets = await eraseAll((limit) => deps.quota.eraseOver(nowMicros, limit), shouldStop)
  return quotaBuckets.map((buckets) => ({ secrets: secrets.value, quotaBuckets: buckets }))
}

function eraseSecrets(
  { secrets, random }: SweepExpiredDeps,
  nowMicros: number,
  limit: number,
): ResultAsync<number, StorageError> {
  return secrets.eraseExpired(nowMicros - eraseAfterMicros, limit, (unopened) =>
    expiredUnopenedEvent(unopened, newId(random, nowMicros)),
  )
}

function otherErasures(
  deps: SweepExpiredDeps,
  nowMicros: number,
): readonly ((limit: number) => ResultAsync<number, StorageError>)[] {
  const { accounts, idempotencyKeys, deliveries } = deps
  return [
    (limit) => eraseRequests(deps, { closedByMicros: nowMicros - eraseAfterMicros, nowMicros }, limit),
    (limit) => accounts.eraseBegun(limit),
    (limit) => idempotencyKeys.eraseOld(nowMicros - idempotencyMicros, limit),
    (limit) => deliveries.eraseDead(nowMicros - keepMicros, limit),
  ]
}

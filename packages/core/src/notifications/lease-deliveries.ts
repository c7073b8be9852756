import { okAsync, type ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import type { DeliveryStore, Lease, Target } from './queue/delivery-store.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { MailSender } from './queue/senders.ts'
import type { WebhookSender } from './webhooks/webhook-sender.ts'
import { waitMaxMicros } from './queue/retries.ts'
import { newId } from '../shared/ids.ts'

/** How long a caller has the deliveries that it leased to itself: longer than any attempt to send takes. */
export const leaseMicros = 30 * 1_000_000

export interface LeaseDeliveriesDeps {
  readonly deliveries: Pick<DeliveryStore, 'lease'>
  readonly clock: Clock
  readonly random: Random
  readonly mailSender?: Pick<MailSender, 'send'> | undefined
  readonly webhookSender?: Pick<WebhookSender, 'send'> | undefined
}
export interface LeaseDeliveriesInput {
  readonly kind: Target['kind']
  /** How many targets are leased at most: those that are due the longest. At least 1. */
  readonly targets: number
  /** How many deliveries of one target are leased at most. At least 1. */
  readonly perTarget: number
}
export type LeaseDeliveriesError = StorageError

/**
 * Takes deliveries that are due, for {@link leaseMicros}: nobody else is given them in that time. Deliver each lease immediately, with
 * `deliverLease`. Leases nothing of a kind that cannot be sent here; do not wait for its deliveries to become due.
 */
export function leaseDeliveries(
  { deliveries, mailSender, webhookSender, clock, random }: LeaseDeliveriesDeps,
  { kind, targets, perTarget }: LeaseDeliveriesInput,
): ResultAsync<readonly Lease[], LeaseDeliveriesError> {
  const senders = { mail: mailSender, webhook: webhookSender }
  if (senders[kind] === undefined) return okAsync([])
  const nowMicros = clock.nowMicros()
  const ids = Array.from({ length: targets }, () => newId(random, nowMicros))
  const times = { nowMicros, untilMicros: nowMicros + leaseMicros, latestMicros: nowMicros + waitMaxMicros }
  return deliveries.lease({ kind, ...times, ids, perTarget })
}

import { ok } from 'neverthrow'
import { newId } from '../shared/ids.ts'
import { aNumber, oneOf } from '../shared/inputs.ts'
import { useCase } from '../shared/use-case.ts'
import type { Lease } from './queue/delivery-store.ts'
import { leaseMicros, waitMaxMicros } from './queue/retries.ts'

/**
 * Takes deliveries that are due, for `leaseMicros`: nobody else is given them in that time. Deliver each lease immediately, with
 * `deliverLease`. Leases nothing of a kind that cannot be sent here; do not wait for its deliveries to become due.
 */
export const leaseDeliveries = useCase({
  needs: ['deliveries.lease', 'mailSender?.send', 'webhookSender?.send', 'clock.nowMicros', 'random.bytes'],
  takes: {
    kind: oneOf('mail', 'webhook'),
    /** How many targets are leased at most: those that are due the longest. At least 1. */
    targets: aNumber,
    /** How many deliveries of one target are leased at most. At least 1. */
    perTarget: aNumber,
  },
  async run({ deliveries, mailSender, webhookSender, clock, random }, { kind, targets, perTarget }) {
    const senders = { mail: mailSender, webhook: webhookSender }
    if (senders[kind] === undefined) return ok<readonly Lease[]>([])
    const nowMicros = clock.nowMicros()
    const ids = Array.from({ length: targets }, () => newId(random, nowMicros))
    const times = {
      nowMicros,
      untilMicros: nowMicros + leaseMicros,
      latestMicros: nowMicros + waitMaxMicros,
    }
    return deliveries.lease({ kind, ...times, ids, perTarget })
  },
})

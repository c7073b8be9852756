import assert from 'node:assert/strict'
import type {
  Delivery,
  Lease,
  LeaseOptions,
  SecretEvent,
  StoredShareableSecret,
  Target,
  Uuid,
} from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples, type SecretDelivery } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import type { StorageUnderTest } from '../stores/harness.ts'
import { addLink } from '../stores/rows.ts'

/** How long the leases of the cases last. */
export const leaseMicros = 30_000_000

/** A time that nothing in the cases is later than, unless a clock was wrong. */
export const latestAfterMicros = 100_000_000_000

/** The places that messages of an account go to, and a secret whose link puts events into the outbox. */
export interface Queue {
  readonly accountId: Uuid
  readonly mail: Target
  readonly secret: StoredShareableSecret
}

/** Adds an account with a shareable secret. */
export async function addQueue(store: StorageUnderTest, make: Samples): Promise<Queue> {
  const { secret } = await addLink(store, make)
  const { accountId } = secret
  return { accountId, mail: { kind: 'mail', accountId }, secret }
}

/** Puts events into the outbox. */
export async function putEvents(
  { links }: Pick<FullStorage, 'links'>,
  { secret }: Pick<Queue, 'secret'>,
  events: readonly SecretEvent[],
): Promise<void> {
  expectOk(await links.update(secret.link.lookup, undefined, () => ok({ events })), 'adding events')
}

/** Adds deliveries in the given order, each through the outbox. */
export async function addDeliveries(
  store: FullStorage,
  queue: Pick<Queue, 'secret'>,
  deliveries: readonly SecretDelivery[],
): Promise<void> {
  for (const delivery of deliveries) {
    await putEvents(store, queue, [delivery.event])
    const distributed = await store.outbox.distribute([
      { eventId: delivery.event.id, deliveries: [delivery] },
    ])
    same(expectOk(distributed, 'distributing an event'), 1, 'how many events were replaced')
  }
}

/** A mail about an open of a secret of its own, due now, that happened `afterMicros` after the others. */
export function mailAt(
  make: Samples,
  { accountId }: Queue,
  afterMicros: number,
  columns?: Partial<SecretDelivery>,
): SecretDelivery {
  return make.delivery(make.event(accountId, { createdAtMicros: noonMicros + afterMicros }), {
    dueAtMicros: noonMicros,
    ...columns,
  })
}

/** The delivery as it is right after it was added. */
export function fresh(added: SecretDelivery): Delivery {
  return { ...added, count: 1, attempts: 0, lastFailure: undefined, deadAtMicros: undefined }
}

/** Leases mails at noon, up to four targets with ten deliveries each, unless the options say otherwise. */
export async function lease(
  { deliveries }: Pick<StorageUnderTest, 'deliveries'>,
  make: Samples,
  options: Partial<LeaseOptions> = {},
): Promise<readonly Lease[]> {
  const nowMicros = options.nowMicros ?? noonMicros
  const ids = Array.from({ length: 4 }, () => make.uuid())
  const times = { untilMicros: nowMicros + leaseMicros, latestMicros: nowMicros + latestAfterMicros }
  const leased = deliveries.lease({ nowMicros, ...times, ids, perTarget: 10, kind: 'mail', ...options })
  return expectOk(await leased, 'a lease')
}

/** The only lease that can be had now. */
export async function onlyLease(
  store: Pick<StorageUnderTest, 'deliveries'>,
  make: Samples,
  options?: Partial<LeaseOptions>,
): Promise<Lease> {
  const leases = await lease(store, make, options)
  const [first] = leases
  same(leases.length, 1, 'how many targets were leased')
  assert.ok(first, 'no target was leased')
  return first
}

/** The ids of what is leased, in order. */
export function leasedIds(leases: readonly Lease[]): readonly Uuid[] {
  return leases.flatMap(({ deliveries }) => deliveries.map(({ id }) => id))
}

/** All deliveries that a list shows. */
export async function listed({
  deliveries,
}: Pick<StorageUnderTest, 'deliveries'>): Promise<readonly Delivery[]> {
  return expectOk(await deliveries.page({}, undefined, 1_000), 'the deliveries')
}

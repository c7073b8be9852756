import type { Delivery, Lease, LeaseOptions, SecretEvent, Uuid } from '@sotto/core'
import { type SecretDelivery, expectOk, type Samples } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import type { Database } from '../../src/database.ts'
import { addLink, type AddedLink } from './rows.ts'

/** What a test of the queue does with a database that has a secret with `notify`. */
export interface Queue extends AddedLink {
  readonly accountId: Uuid
  /** Puts events into the outbox, with an open. */
  put(...events: readonly SecretEvent[]): Promise<void>
  /** Puts the events of these deliveries into the outbox, and replaces them by the deliveries. */
  add(...deliveries: readonly SecretDelivery[]): Promise<void>
  /** Leases mails that are due at this time for a second, one target at most, unless the options say otherwise. */
  lease(nowMicros: number, options?: Partial<LeaseOptions>): Promise<readonly Lease[]>
  all(): Promise<readonly Delivery[]>
}

export async function openQueue(database: Database): Promise<Queue> {
  const added = await addLink(database, { notify: true })
  const { make, secret } = added
  const put: Queue['put'] = async (...events) => {
    expectOk(await database.links.update(secret.link.lookup, undefined, () => ok({ events })))
  }
  return {
    ...added,
    accountId: secret.accountId,
    put,
    async add(...deliveries) {
      await put(...deliveries.map(({ event }) => event))
      const events = deliveries.map((delivery) => ({ eventId: delivery.event.id, deliveries: [delivery] }))
      expectOk(await database.outbox.distribute(events))
    },
    async lease(nowMicros, options) {
      const untilMicros = nowMicros + 1_000_000
      const ids = [make.uuid()]
      return expectOk(
        await database.deliveries.lease({
          ...{ nowMicros, untilMicros, latestMicros: Infinity, ids, perTarget: 10, kind: 'mail' },
          ...options,
        }),
      )
    },
    all: async () => expectOk(await database.deliveries.page({}, undefined, 1_000)),
  }
}

/** Deliveries of mails about events of one secret, one microsecond apart. */
export function deliveriesAbout(
  make: Samples,
  { accountId, secretId }: Pick<SecretEvent, 'accountId' | 'secretId'>,
  { number, fromMicros }: { readonly number: number; readonly fromMicros: number },
): readonly SecretDelivery[] {
  return Array.from({ length: number }, (_, at) =>
    make.delivery(make.event(accountId, { secretId, createdAtMicros: fromMicros + at })),
  )
}

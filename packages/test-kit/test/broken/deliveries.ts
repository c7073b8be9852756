import type { Delivery, NewDelivery } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { err, ok } from 'neverthrow'
import { brokenStore, pause, slowly, type Broken } from './broken.ts'
import { changeDeliveries, withRows } from './delivery-rows.ts'

const outbox = brokenStore('outbox')
const deliveries = brokenStore('deliveries')
const webhooks = brokenStore('webhooks')

/** Flaws of the outbox, of deliveries, and of webhooks. */
export const brokenDeliveries: readonly Broken<StorageHarness>[] = [
  outbox('ignores the limit', ['outbox-store/answers-as-the-memory-storage'], (store) => ({
    page: (after) => store.page(after, 1_000),
  })),
  outbox('removes events, then adds deliveries', ['outbox-store/distribute-is-one-step'], (store, data) => ({
    distribute: (events) =>
      slowly(async () => {
        const taken = events.flatMap(({ eventId }) => data.outbox.get(eventId) ?? [])
        for (const { id } of taken) data.outbox.delete(id)
        await pause()
        for (const event of taken) data.outbox.set(event.id, event)
        return store.distribute(events)
      }),
  })),
  deliveries('counts pauses', ['delivery-store/answers-as-the-memory-storage'], (store, data) => ({
    state: () => withRows(data, counted, () => store.state()),
  })),
  adding('lets every delivery join', ['outbox-store/answers-as-the-memory-storage'], () => ({ joins: true })),
  deliveries(
    'looks who has leased, then leases',
    ['delivery-store/one-of-parallel-callers-leases', 'delivery-store/one-of-two-storages-leases'],
    (store, data) => ({
      lease: (options) =>
        slowly(async () => {
          const before = [...data.leases]
          await pause()
          data.leases.clear()
          for (const [key, lease] of before) data.leases.set(key, lease)
          return store.lease(options)
        }),
    }),
  ),
  deliveries('waits for mails only', ['delivery-store/answers-as-the-memory-storage'], (store) => ({
    nextDue: () => store.nextDue('mail'),
  })),
  settled('counts no attempts', ['delivery-store/answers-as-the-memory-storage'], () => ({ attempts: 0 })),
  webhooks(
    'says that it changed, and does not',
    ['webhook-store/answers-as-the-memory-storage'],
    (store) => ({
      update: (accountId, id) => store.update(accountId, id, () => undefined),
    }),
  ),
  webhooks(
    'counts, then adds',
    ['webhook-store/limit-holds-for-parallel-callers', 'webhook-store/limit-holds-beside'],
    (store, data) => ({
      insert: (webhook, max) =>
        slowly(async () => {
          const own = await store.list(webhook.accountId)
          if (own.isOk() && own.value.length >= max) return err({ code: 'webhook_limit_reached' as const })
          await pause()
          data.webhooks.set(webhook.id, webhook)
          return ok()
        }),
    }),
  ),
  webhooks(
    'reads, then writes',
    [
      'webhook-store/parallel-updates-do-not-interleave',
      'webhook-store/updates-from-two-storages-do-not-interleave',
    ],
    (store) => ({
      update: (accountId, id, decide) =>
        slowly(async () => {
          const found = await store.find(accountId, id)
          await pause()
          const change = found.isOk() && found.value ? decide(found.value) : undefined
          return store.update(accountId, id, () => change)
        }),
    }),
  ),
]

type Row = Parameters<Parameters<typeof withRows>[1]>[0]

function counted(row: Row): Row {
  return { ...row, delivery: { ...row.delivery, count: 1 } }
}

/** A storage that adds something else than the deliveries that it is given. */
function adding(
  flaw: string,
  breaks: readonly string[],
  added: (delivery: NewDelivery) => Partial<NewDelivery>,
): Broken<StorageHarness> {
  return outbox(flaw, breaks, (store) => ({
    distribute: (events) =>
      store.distribute(
        events.map(({ eventId, deliveries }) => ({
          eventId,
          deliveries: deliveries.map((each) => ({ ...each, ...added(each) })),
        })),
      ),
  }))
}

/** A storage that changes its deliveries after each settlement. */
function settled(
  flaw: string,
  breaks: readonly string[],
  change: (delivery: Delivery) => Partial<Delivery>,
): Broken<StorageHarness> {
  return deliveries(flaw, breaks, (store, data) => ({
    settle: (...how) => store.settle(...how).map((done) => (changeDeliveries(data, change), done)),
  }))
}

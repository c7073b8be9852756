import type { NewDelivery, Target } from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { brokenStore, type Broken } from './broken.ts'
import { keyOf, withRows } from './delivery-rows.ts'

const outbox = brokenStore('outbox')

/** Flaws of joining deliveries. */
export const brokenJoins: readonly Broken<StorageHarness>[] = [
  adding(
    'adds each delivery by itself',
    ['outbox-store/joins-what-waits', 'outbox-store/joins-a-pause'],
    () => ({
      joins: false,
    }),
  ),
  adding('lets every delivery join', ['outbox-store/joins-only-its-like'], () => ({ joins: true })),
  adding('joins events of all types', ['outbox-store/joins-only-its-like'], ({ event }) => ({
    event: { ...event, type: 'secret.opened' },
  })),
  adding('joins events of all secrets', ['outbox-store/joins-only-its-like'], ({ event }) => ({
    event: { ...event, secretId: '' },
  })),
  adding('takes all webhooks for one', ['outbox-store/joins-only-its-like'], ({ target }) => ({
    target: target.kind === 'mail' ? target : { ...target, webhookId: '' },
  })),
  afterwards('sends what joins under the new id', ['outbox-store/joins-what-waits'], (data, { event }) => {
    for (const [id, row] of data.deliveries) {
      if (row.delivery.count > 1) data.deliveries.set(id, { ...row, delivery: { ...row.delivery, event } })
    }
  }),
  afterwards('counts without the new event', ['outbox-store/joins-what-waits'], (data, { event }) => {
    for (const [id, row] of data.deliveries) {
      const kept = { ...row.delivery.event, createdAtMicros: event.createdAtMicros - 1 }
      if (row.delivery.count > 1)
        data.deliveries.set(id, { ...row, delivery: { ...row.delivery, event: kept } })
    }
  }),
  afterwards(
    'takes the event that arrived last, however few opens it counts',
    ['outbox-store/joins-keep-the-most-opens'],
    (data, { event }) => {
      for (const [id, row] of data.deliveries) {
        const last = { ...event, id: row.delivery.event.id }
        if (row.delivery.count > 1)
          data.deliveries.set(id, { ...row, delivery: { ...row.delivery, event: last } })
      }
    },
  ),
  outbox('joins the last of its type', ['outbox-store/joins-only-the-last'], (store, data) => ({
    distribute(events) {
      const hidden = [...data.deliveries].filter(([, { delivery }]) => !delivery.joins)
      for (const [id] of hidden) data.deliveries.delete(id)
      const answer = store.distribute(events)
      for (const [id, row] of hidden) data.deliveries.set(id, row)
      return answer
    },
  })),
  outbox(
    'joins what was leased',
    ['outbox-store/joins-none-that-was-leased', 'outbox-store/joins-no-pause-that-was-leased'],
    (store, data) => ({
      distribute: (events) =>
        withRows(
          data,
          (row) => ({ ...row, isTouched: false }),
          () => store.distribute(events),
        ),
    }),
  ),
  outbox(
    'joins what was leased and released',
    ['outbox-store/joins-none-that-was-leased'],
    (store, data) => ({
      distribute: (events) =>
        withRows(
          data,
          (row) => ({ ...row, isTouched: row.isTouched && isHeld(data, row.delivery.target) }),
          () => store.distribute(events),
        ),
    }),
  ),
  outbox('joins no pause', ['outbox-store/joins-a-pause'], (store, data) => ({
    distribute: (events) =>
      withRows(
        data,
        (row) => ({ ...row, isTouched: row.isTouched || row.delivery.count === 0 }),
        () => store.distribute(events),
      ),
  })),
  outbox('sends what joins a pause under the old id', ['outbox-store/joins-a-pause'], (store, data) => ({
    distribute: (events) =>
      withRows(
        data,
        (row) => ({ ...row, delivery: { ...row.delivery, count: row.delivery.count || 1 } }),
        () => store.distribute(events),
      ),
  })),
]

function isHeld({ leases }: MemoryData, target: Target): boolean {
  return (leases.get(keyOf(target))?.untilMicros ?? 0) > 0
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

/** A storage that changes its rows after it has added a delivery. */
function afterwards(
  flaw: string,
  breaks: readonly string[],
  change: (data: MemoryData, added: NewDelivery) => void,
): Broken<StorageHarness> {
  return outbox(flaw, breaks, (store, data) => ({
    distribute: (events) =>
      store.distribute(events).map((replaced) => {
        for (const { deliveries } of events) for (const each of deliveries) change(data, each)
        return replaced
      }),
  }))
}

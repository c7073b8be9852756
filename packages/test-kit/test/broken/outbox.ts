import type { SecretEvent } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStorage, brokenStore, pause, slowly, toMillis, type Broken } from './broken.ts'
import { links, updating } from './links.ts'

const outbox = brokenStore('outbox')

/** Flaws of putting events into the outbox, of listing and of erasing them. */
export const brokenOutboxes: readonly Broken<StorageHarness>[] = [
  updating('loses all but the first event', ['outbox-store/events-of-a-change-are-stored'], (change) => ({
    ...change,
    events: change.events?.slice(0, 1) ?? [],
  })),
  storing('stores times to the millisecond', ['outbox-store/events-of-a-change-are-stored'], (event) => ({
    ...event,
    createdAtMicros: toMillis(event.createdAtMicros),
  })),
  storing('takes no opens left for no limit', ['outbox-store/events-of-a-change-are-stored'], (event) => ({
    ...event,
    opensLeft: event.opensLeft === 0 ? undefined : event.opensLeft,
  })),
  links('adds the events of an Err', ['outbox-store/refused-update-adds-no-event'], (store, data) => ({
    update: (lookup, formId, decide) =>
      store.update(lookup, formId, (record) =>
        decide(record).mapErr((error) => {
          const { events = [] } = error as { events?: readonly SecretEvent[] }
          for (const event of events) data.outbox.set(event.id, event)
          return error
        }),
      ),
  })),
  links('adds events of a change twice', ['outbox-store/one-event-per-change'], (store, data) => ({
    update: (lookup, formId, decide) =>
      store.update(lookup, formId, decide).map((change) => {
        for (const event of change.events ?? []) {
          data.outbox.set(`${event.id}!`, { ...event, id: `${event.id}!` })
        }
        return change
      }),
  })),
  links('adds events of refused updates', ['outbox-store/one-event-per-change'], (store, data) => ({
    update: (lookup, formId, decide) =>
      store.update(lookup, formId, (record) => {
        const asked = decide({ ...record, state: { ...record.state, opens: 0 } })
        if (asked.isOk()) for (const each of asked.value.events ?? []) data.outbox.set(each.id, each)
        return decide(record)
      }),
  })),
  outbox('lists the latest first', ['outbox-store/page-is-in-order'], (store) => ({
    page: (...asked) => store.page(...asked).map((events) => events.toReversed()),
  })),
  outbox('compares only the time of a cursor', ['outbox-store/page-is-in-order'], (store) => ({
    page: (after, limit) => store.page(after && { ...after, id: 'ffffffff' }, limit),
  })),
  outbox('ignores the limit', ['outbox-store/page-is-in-order'], (store) => ({
    page: (after) => store.page(after, 1_000),
  })),
  outbox('erases too late', ['outbox-store/erase-old-takes-the-old'], (store) => ({
    eraseOld: (byMicros, limit) => store.eraseOld(byMicros - 1, limit),
  })),
  outbox('erases too early', ['outbox-store/erase-old-takes-the-old'], (store) => ({
    eraseOld: (byMicros, limit) => store.eraseOld(byMicros + 1, limit),
  })),
  outbox('erases without limit', ['outbox-store/erase-old-takes-the-old'], (store) => ({
    eraseOld: (byMicros) => store.eraseOld(byMicros, 1_000),
  })),
  {
    flaw: 'forgets its events when it is closed',
    breaks: ['outbox-store/writes-are-durable'],
    harness: memoryStorageHarness({
      reopened(data) {
        data.outbox.clear()
        return data
      },
    }),
  },
  {
    flaw: 'has replaced events again after reopening',
    breaks: ['outbox-store/writes-are-durable'],
    harness: memoryStorageHarness({
      reopened(data) {
        for (const { delivery } of data.deliveries.values())
          data.outbox.set(delivery.event.id, delivery.event)
        return data
      },
    }),
  },
  brokenStorage(
    'replaces events for its own process',
    ['outbox-store/events-are-seen-beside'],
    ({ outbox: store }) => {
      const replaced = new Set<string>()
      return {
        outbox: {
          ...store,
          page: (...asked) => store.page(...asked).map((all) => all.filter(({ id }) => !replaced.has(id))),
          distribute(events) {
            const fresh = events.filter(({ eventId }) => !replaced.has(eventId))
            for (const { eventId } of fresh) replaced.add(eventId)
            return okAsync(fresh.length)
          },
        },
      }
    },
  ),
]

/** Flaws of replacing events by deliveries. */
export const brokenDistributions: readonly Broken<StorageHarness>[] = [
  outbox(
    'keeps events without a target',
    ['outbox-store/distribute-replaces-events-by-deliveries'],
    (store) => ({
      distribute: (events) => store.distribute(events.filter(({ deliveries }) => deliveries.length > 0)),
    }),
  ),
  outbox('is due to the second', ['outbox-store/distribute-replaces-events-by-deliveries'], (store) => ({
    distribute: (events) =>
      store.distribute(
        events.map((each) => ({
          ...each,
          deliveries: each.deliveries.map((delivery) => ({
            ...delivery,
            dueAtMicros: toMillis(delivery.dueAtMicros),
          })),
        })),
      ),
  })),
  outbox('replaces all events', ['outbox-store/distribute-replaces-events-by-deliveries'], (store, data) => ({
    distribute: (events) => store.distribute(events).map((replaced) => (data.outbox.clear(), replaced)),
  })),
  outbox(
    'adds the deliveries of events that are gone',
    [
      'outbox-store/distribute-leaves-out-events-that-are-gone',
      'outbox-store/one-of-parallel-distributions-replaces',
    ],
    (store, data) => ({
      distribute(events) {
        for (const { eventId, deliveries } of events) {
          if (deliveries[0]) data.outbox.set(eventId, deliveries[0].event)
        }
        return store.distribute(events)
      },
    }),
  ),
  outbox(
    'refuses all when one is gone',
    ['outbox-store/distribute-leaves-out-events-that-are-gone'],
    (store, data) => ({
      distribute: (events) =>
        events.every(({ eventId }) => data.outbox.has(eventId)) ? store.distribute(events) : okAsync(0),
    }),
  ),
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
]

/** A storage that stores something else than an event of a change. */
function storing(
  flaw: string,
  breaks: readonly string[],
  stored: (event: SecretEvent) => SecretEvent,
): Broken<StorageHarness> {
  return updating(flaw, breaks, (change) => ({ ...change, events: change.events?.map(stored) ?? [] }))
}

import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStore, type Broken } from './broken.ts'
import { changeDeliveries, withRows } from './delivery-rows.ts'

const deliveries = brokenStore('deliveries')

/** Flaws of lists, counts and erasing, and of what is kept. */
export const brokenDeliveryLists: readonly Broken<StorageHarness>[] = [
  deliveries('has an oldest event when there is none', ['delivery-store/empty-queue'], (store) => ({
    state: () => store.state().map(({ oldestMicros = 0, ...state }) => ({ ...state, oldestMicros })),
  })),
  deliveries('lists the latest first', ['delivery-store/page-is-in-order'], (store) => ({
    page: (...asked) => store.page(...asked).map((page) => page.toReversed()),
  })),
  deliveries('lists by the id of the event', ['delivery-store/page-is-in-order'], (store) => ({
    page: (...asked) =>
      store
        .page(...asked)
        .map((page) => page.toSorted((one, other) => (one.event.id < other.event.id ? -1 : 1))),
  })),
  deliveries('compares only the time of a cursor', ['delivery-store/page-is-in-order'], (store) => ({
    page: (filter, after, limit) => store.page(filter, after && { ...after, id: 'ffffffff' }, limit),
  })),
  deliveries('ignores the limit', ['delivery-store/page-is-in-order'], (store) => ({
    page: (filter, after) => store.page(filter, after, 1_000),
  })),
  deliveries('lists those of all accounts', ['delivery-store/page-passes-the-filter'], (store) => ({
    page: ({ dead }, ...asked) => store.page({ dead }, ...asked),
  })),
  deliveries('lists the dead always', ['delivery-store/page-passes-the-filter'], (store) => ({
    page: ({ accountId }, ...asked) => store.page({ accountId }, ...asked),
  })),
  deliveries('lists pauses', ['delivery-store/page-passes-the-filter'], (store, data) => ({
    page: (...asked) => withRows(data, counted, () => store.page(...asked)),
  })),
  deliveries('counts pauses', ['delivery-store/state-counts'], (store, data) => ({
    state: () => withRows(data, counted, () => store.state()),
  })),
  deliveries('counts the dead as waiting', ['delivery-store/state-counts'], (store) => ({
    state: () => store.state().map((state) => ({ ...state, waiting: state.waiting + state.dead })),
  })),
  deliveries('looks only at events for the oldest', ['delivery-store/state-counts'], (store, data) => ({
    state: () =>
      store.state().map((state) => ({
        ...state,
        oldestMicros: data.outbox.values().next().value?.createdAtMicros,
      })),
  })),
  deliveries(
    'erases the deliveries of an account with those of a target',
    ['delivery-store/erase-target-takes-its-deliveries'],
    (_, data) => ({
      eraseTarget({ accountId }) {
        for (const [id, { delivery }] of data.deliveries) {
          if (delivery.target.accountId === accountId) data.deliveries.delete(id)
        }
        return okAsync(undefined)
      },
    }),
  ),
  deliveries(
    'leaves the dead of a target',
    ['delivery-store/erase-target-takes-its-deliveries'],
    (store, data) => ({
      eraseTarget(target) {
        const dead = [...data.deliveries].filter(([, { delivery }]) => delivery.deadAtMicros !== undefined)
        return store.eraseTarget(target).map(() => {
          for (const [id, row] of dead) data.deliveries.set(id, row)
        })
      },
    }),
  ),
  deliveries(
    'leaves the pauses of a target',
    ['delivery-store/erase-target-takes-its-deliveries'],
    (store, data) => ({
      eraseTarget(target) {
        const pauses = [...data.deliveries].filter(([, { delivery }]) => delivery.count === 0)
        return store.eraseTarget(target).map(() => {
          for (const [id, row] of pauses) data.deliveries.set(id, row)
        })
      },
    }),
  ),
  deliveries('erases the dead too late', ['delivery-store/erase-dead-takes-the-old'], (store) => ({
    eraseDead: (byMicros, limit) => store.eraseDead(byMicros - 1, limit),
  })),
  deliveries('erases the dead too early', ['delivery-store/erase-dead-takes-the-old'], (store) => ({
    eraseDead: (byMicros, limit) => store.eraseDead(byMicros + 1, limit),
  })),
  deliveries('erases the dead without limit', ['delivery-store/erase-dead-takes-the-old'], (store) => ({
    eraseDead: (byMicros) => store.eraseDead(byMicros, 1_000),
  })),
  {
    flaw: 'forgets its leases when it is closed',
    breaks: ['delivery-store/writes-are-durable'],
    harness: memoryStorageHarness({
      reopened(data) {
        data.leases.clear()
        return data
      },
    }),
  },
  {
    flaw: 'forgets what became of deliveries when it is closed',
    breaks: ['delivery-store/writes-are-durable'],
    harness: memoryStorageHarness({
      reopened(data) {
        changeDeliveries(data, () => ({ deadAtMicros: undefined, count: 1 }))
        return data
      },
    }),
  },
  {
    flaw: 'does not see the deliveries of others',
    breaks: ['delivery-store/writes-are-seen-beside'],
    harness: memoryStorageHarness({ beside: (data) => ({ ...data, deliveries: new Map(data.deliveries) }) }),
  },
]

type Row = Parameters<Parameters<typeof withRows>[1]>[0]

function counted(row: Row): Row {
  return { ...row, delivery: { ...row.delivery, count: 1 } }
}

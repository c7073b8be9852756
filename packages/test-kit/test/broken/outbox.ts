import type { OutboxMessage } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStorage, brokenStore, toMillis, type Broken } from './broken.ts'
import { links, updating } from './links.ts'

const outbox = brokenStore('outbox')

export const brokenOutboxes: readonly Broken<StorageHarness>[] = [
  updating('loses all but the first message', ['outbox-store/messages-of-a-change-are-stored'], (change) => ({
    ...change,
    messages: change.messages?.slice(0, 1) ?? [],
  })),
  storing('stores times to the millisecond', ['outbox-store/messages-of-a-change-are-stored'], (message) => ({
    ...message,
    createdAtMicros: toMillis(message.createdAtMicros),
  })),
  storing('stores bodies in ASCII', ['outbox-store/messages-of-a-change-are-stored'], (message) => ({
    ...message,
    body: message.body.replace(/[^ -~]/g, '?'),
  })),
  links('adds the messages of an Err', ['outbox-store/refused-update-adds-no-message'], (store, data) => ({
    update: (lookup, formId, decide) =>
      store.update(lookup, formId, (record) =>
        decide(record).mapErr((error) => {
          const { messages = [] } = error as { messages?: readonly OutboxMessage[] }
          for (const message of messages) data.outbox.set(message.id, message)
          return error
        }),
      ),
  })),
  links('adds messages of a change twice', ['outbox-store/one-message-per-change'], (store, data) => ({
    update: (lookup, formId, decide) =>
      store.update(lookup, formId, decide).map((change) => {
        for (const message of change.messages ?? []) {
          data.outbox.set(`${message.id}!`, { ...message, id: `${message.id}!` })
        }
        return change
      }),
  })),
  links('adds messages of refused updates', ['outbox-store/one-message-per-change'], (store, data) => ({
    update: (lookup, formId, decide) =>
      store.update(lookup, formId, (record) => {
        const asked = decide({ ...record, state: { ...record.state, opens: 0 } })
        if (asked.isOk()) for (const each of asked.value.messages ?? []) data.outbox.set(each.id, each)
        return decide(record)
      }),
  })),
  outbox('lists the latest first', ['outbox-store/page-is-in-order'], (store) => ({
    page: (...asked) => store.page(...asked).map((messages) => messages.toReversed()),
  })),
  outbox('compares only the time of a cursor', ['outbox-store/page-is-in-order'], (store) => ({
    page: (after, limit) => store.page(after && { ...after, id: 'ffffffff' }, limit),
  })),
  outbox('ignores the limit', ['outbox-store/page-is-in-order'], (store) => ({
    page: (after) => store.page(after, 1_000),
  })),
  outbox('answers true without removing', ['outbox-store/remove-removes-one-message'], () => ({
    remove: () => okAsync(true),
  })),
  outbox(
    'removes all messages',
    ['outbox-store/remove-removes-one-message', 'outbox-store/remove-of-none-is-false'],
    (store, data) => ({
      remove: (id) =>
        store.remove(id).map((removed) => {
          data.outbox.clear()
          return removed
        }),
    }),
  ),
  outbox('answers true for every id', ['outbox-store/remove-of-none-is-false'], (store) => ({
    remove: (id) => store.remove(id).map(() => true),
  })),
  {
    flaw: 'forgets its messages when it is closed',
    breaks: ['outbox-store/writes-are-durable'],
    harness: memoryStorageHarness({
      reopened(data) {
        data.outbox.clear()
        return data
      },
    }),
  },
  {
    flaw: 'removes messages only until it is closed',
    breaks: ['outbox-store/writes-are-durable'],
    harness: undoingRemovals(),
  },
  brokenStorage(
    'has its own messages in each process',
    ['outbox-store/messages-are-seen-beside'],
    ({ outbox: store }) => {
      const removed = new Set<string>()
      return {
        outbox: {
          page: (...asked) =>
            store.page(...asked).map((messages) => messages.filter(({ id }) => !removed.has(id))),
          remove: (id) => {
            const known = removed.has(id)
            removed.add(id)
            return okAsync(!known)
          },
        },
      }
    },
  ),
]

/** A storage that stores something else than a message of a change. */
function storing(
  flaw: string,
  breaks: readonly string[],
  stored: (message: OutboxMessage) => OutboxMessage,
): Broken<StorageHarness> {
  return updating(flaw, breaks, (change) => ({ ...change, messages: change.messages?.map(stored) ?? [] }))
}

/** A storage in which removed messages are there again after reopening. */
function undoingRemovals(): StorageHarness {
  const removed = new Map<string, OutboxMessage>()
  return memoryStorageHarness({
    change: (storage) => ({
      ...storage,
      outbox: {
        ...storage.outbox,
        remove(id) {
          const message = storage.data.outbox.get(id)
          if (message) removed.set(id, message)
          return storage.outbox.remove(id)
        },
      },
    }),
    reopened(data) {
      for (const [id, message] of removed) data.outbox.set(id, message)
      return data
    },
  })
}

import type { StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync } from 'neverthrow'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStore, pause, slowly, toMillis, type Broken } from './broken.ts'

const webhooks = brokenStore('webhooks')

/** Flaws of adding and finding webhooks. */
export const brokenWebhooks: readonly Broken<StorageHarness>[] = [
  webhooks('loses why one is disabled', ['webhook-store/insert-is-found-again'], (store) => ({
    insert: (webhook, max) =>
      store.insert(
        { ...webhook, disabled: webhook.disabled && { ...webhook.disabled, reason: 'gone' } },
        max,
      ),
  })),
  webhooks('stores times to the millisecond', ['webhook-store/insert-is-found-again'], (store) => ({
    insert: (webhook, max) =>
      store.insert({ ...webhook, createdAtMicros: toMillis(webhook.createdAtMicros) }, max),
  })),
  webhooks('lists no disabled ones', ['webhook-store/insert-is-found-again'], (store) => ({
    list: (accountId) =>
      store.list(accountId).map((all) => all.filter(({ disabled }) => disabled === undefined)),
  })),
  webhooks('finds those of all accounts', ['webhook-store/belongs-to-its-account'], (_, data) => ({
    find: (_accountId, id) => okAsync(data.webhooks.get(id)),
  })),
  webhooks('lists those of all accounts', ['webhook-store/belongs-to-its-account'], (_, data) => ({
    list: () => okAsync([...data.webhooks.values()]),
  })),
  webhooks('lists the latest first', ['webhook-store/list-is-in-order'], (store) => ({
    list: (accountId) => store.list(accountId).map((all) => all.toReversed()),
  })),
  ...[
    { error: 'account_not_found', id: 'webhook-store/account-must-exist' },
    { error: 'key_retired', id: 'webhook-store/retired-key-is-refused' },
    { error: 'webhook_limit_reached', id: 'webhook-store/limit-is-per-account' },
  ].map(({ error, id }) =>
    webhooks(`adds what it refuses with ${error}`, [id], (store, data) => ({
      insert: (webhook, max) =>
        store.insert(webhook, max).mapErr((refused) => {
          if (refused.code === error) data.webhooks.set(webhook.id, webhook)
          return refused
        }),
    })),
  ),
  webhooks('replaces one with the same id', ['webhook-store/taken-id-is-refused'], (store, data) => ({
    insert(webhook, max) {
      data.webhooks.delete(webhook.id)
      return store.insert(webhook, max)
    },
  })),
  webhooks('counts those of all accounts', ['webhook-store/limit-is-per-account'], (store, data) => ({
    insert: (webhook, max) => store.insert(webhook, data.webhooks.size >= max ? 0 : max),
  })),
  webhooks('does not count disabled ones', ['webhook-store/limit-is-per-account'], (store, data) => ({
    insert: (webhook, max) =>
      store.insert(webhook, max + [...data.webhooks.values()].filter(({ disabled }) => disabled).length),
  })),
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
]

/** Flaws of changing and erasing webhooks, and of what is kept. */
export const brokenWebhookChanges: readonly Broken<StorageHarness>[] = [
  webhooks('clears nothing', ['webhook-store/update-applies-the-change'], (store) => ({
    update: (accountId, id, decide) =>
      store.update(accountId, id, (before) => {
        const { failingSinceMicros, disabled } = decide(before) ?? {}
        return { ...(failingSinceMicros && { failingSinceMicros }), ...(disabled && { disabled }) }
      }),
  })),
  webhooks('clears what is not named', ['webhook-store/update-applies-the-change'], (store) => ({
    update: (accountId, id, decide) =>
      store.update(accountId, id, (before) => {
        const change = decide(before)
        return change && { failingSinceMicros: null, disabled: null, ...change }
      }),
  })),
  webhooks('changes all webhooks', ['webhook-store/update-applies-the-change'], (store, data) => ({
    update: (accountId, id, decide) =>
      store.update(accountId, id, decide).map((done) => {
        const changed = data.webhooks.get(id)
        for (const [each, row] of data.webhooks) {
          if (changed) data.webhooks.set(each, { ...row, disabled: changed.disabled })
        }
        return done
      }),
  })),
  webhooks('answers true for every webhook', ['webhook-store/update-of-none-is-false'], (store) => ({
    update: (...asked) => store.update(...asked).map(() => true),
  })),
  webhooks('changes those of other accounts', ['webhook-store/update-of-none-is-false'], (store, data) => ({
    update: (accountId, id, decide) =>
      store.update(data.webhooks.get(id)?.accountId ?? accountId, id, decide),
  })),
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
  webhooks('erases those of other accounts', ['webhook-store/erase-takes-the-webhook'], (_, data) => ({
    erase: (_accountId, id) => okAsync(data.webhooks.delete(id)),
  })),
  webhooks('erases all of an account', ['webhook-store/erase-takes-the-webhook'], (store, data) => ({
    erase: (accountId, id) =>
      store.erase(accountId, id).map((done) => {
        for (const [each, row] of data.webhooks) {
          if (done && row.accountId === accountId) data.webhooks.delete(each)
        }
        return done
      }),
  })),
  webhooks('leaves the deliveries', ['webhook-store/erase-takes-its-deliveries'], (_, data) => ({
    erase: (accountId, id) =>
      okAsync(data.webhooks.get(id)?.accountId === accountId && data.webhooks.delete(id)),
  })),
  webhooks('erases all deliveries', ['webhook-store/erase-takes-its-deliveries'], (store, data) => ({
    erase: (accountId, id) =>
      store.erase(accountId, id).map((done) => {
        if (done) data.deliveries.clear()
        return done
      }),
  })),
  {
    flaw: 'forgets changes when it is closed',
    breaks: ['webhook-store/writes-are-durable'],
    harness: memoryStorageHarness({
      reopened(data) {
        for (const [id, row] of data.webhooks)
          data.webhooks.set(id, { ...row, failingSinceMicros: undefined })
        return data
      },
    }),
  },
  {
    flaw: 'does not see the webhooks of others',
    breaks: ['webhook-store/writes-are-seen-beside'],
    harness: memoryStorageHarness({ beside: (data) => ({ ...data, webhooks: new Map(data.webhooks) }) }),
  },
]

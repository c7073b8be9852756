import {
  nilUuid,
  type LinkChange,
  type SecretEvent,
  type StoredShareableSecret,
  type WebhookChange,
} from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow'
import t from 'tap'
import { createWatchers, watchStorage } from '../../src/installation/watch-storage.ts'
import { codeOf } from '../support/installation.ts'

const failure = { code: 'storage_failed', detail: 'disk I/O error' } as const
const event = { id: '1', type: 'secret.opened' } as SecretEvent
const target = { kind: 'webhook', accountId: 'a', webhookId: 'w' } as const
const lease = { id: 'l', target }

/** Watched stores that answer as they are told, and what the watcher was called with. */
function watched({ isBroken = false, isFound = true, unopened = 0 } = {}) {
  const answer = <T>(value: T) => (isBroken ? errAsync(failure) : okAsync(value))
  const stores = {
    links: {
      update: (
        _lookup: unknown,
        _formId: unknown,
        decide: (record: unknown) => Result<LinkChange, unknown>,
      ) => {
        const decided = decide({})
        return isBroken ? errAsync(failure) : decided.asyncAndThen((change) => okAsync(change))
      },
    },
    secrets: {
      eraseExpired: (
        _by: unknown,
        _limit: unknown,
        report: (secret: StoredShareableSecret) => SecretEvent,
      ) => {
        for (let at = 0; at < unopened; at++) report({} as StoredShareableSecret)
        return answer(3)
      },
      erase: () => answer(isFound),
    },
    drafts: { erase: () => answer(isFound), replace: () => answer(isFound) },
    deliveries: { settle: () => answer(isFound), retry: () => answer(isFound) },
    webhooks: {
      update: (_account: unknown, _id: unknown, decide: (webhook: never) => WebhookChange | undefined) => {
        decide({} as never)
        return answer(isFound)
      },
    },
  }
  const calls: unknown[] = []
  const watchers = createWatchers()
  const unwatch = watchers.watch({
    queued: () => calls.push('queued'),
    erased: (secretId) => calls.push(['erased', secretId]),
    gaveUp: (details) => calls.push(details),
    disabledWebhook: (details) => calls.push(details),
  })
  return { ...watchStorage(stores as unknown as FullStorage, watchers.all), calls, unwatch }
}

const lookup = new Uint8Array(32)

t.test('an open that has events wakes after its commit, others do not', async (t) => {
  const { links, calls } = watched()
  t.ok((await links.update(lookup, undefined, () => ok({ opens: 1 }))).isOk())
  t.ok((await links.update(lookup, undefined, () => ok({ opens: 1, events: [] }))).isOk())
  t.ok((await links.update(lookup, undefined, () => err(failure))).isErr())
  t.strictSame(calls, [])
  t.same((await links.update(lookup, undefined, () => ok({ events: [event] }))).unwrapOr(undefined), {
    events: [event],
  })
  t.strictSame(calls, ['queued'])
})

t.test('a sweep that reports something wakes after its commit, others do not', async (t) => {
  const none = watched()
  t.equal((await none.secrets.eraseExpired(1, 2, () => event)).unwrapOr(undefined), 3)
  t.strictSame(none.calls, [])
  const some = watched({ unopened: 2 })
  t.equal((await some.secrets.eraseExpired(1, 2, () => event)).unwrapOr(undefined), 3)
  t.strictSame(some.calls, ['queued'])
})

t.test(
  'what its owner erases, or removes from a draft, is told after its commit, if there was any',
  async (t) => {
    const erase = async ({ secrets, drafts }: ReturnType<typeof watched>) => {
      const erased = [await secrets.erase('account', 'secret'), await drafts.erase('account', 'draft')]
      const edit = [lookup, { id: 'draft' }, {}] as unknown as Parameters<typeof drafts.replace>
      const edited = [
        await drafts.replace(edit[0], edit[1], edit[2], {}),
        await drafts.replace(edit[0], edit[1], edit[2], { files: [] }),
      ]
      return [...erased, ...edited]
    }
    for (const missing of [watched({ isFound: false }), watched({ isBroken: true })]) {
      await erase(missing)
      t.strictSame(missing.calls, [])
    }
    const there = watched()
    await erase(there)
    t.strictSame(there.calls, [
      ['erased', 'secret'],
      ['erased', 'draft'],
      ['erased', nilUuid],
    ])
  },
)

t.test('a delivery that is given up is reported, others are not', async (t) => {
  const { deliveries, calls } = watched()
  for (const settlement of [
    { outcome: 'done' },
    { outcome: 'pause', untilMicros: 1 },
    { outcome: 'retry', dueAtMicros: 1, failure: 'timeout' },
  ] as const)
    t.ok((await deliveries.settle(lease, '1', settlement)).unwrapOr(false))
  t.strictSame(calls, [])
  await codeOf(deliveries.settle(lease, '1', { outcome: 'dead', atMicros: 1, failure: 'status 500' }))
  t.strictSame(calls, [{ deliveryId: '1', target, failure: 'status 500' }])
})

t.test('a delivery that is to be tried again wakes', async (t) => {
  const { deliveries, calls } = watched()
  t.ok((await deliveries.retry('1', 1)).unwrapOr(false))
  t.strictSame(calls, ['queued'])
})

t.test('a webhook that is disabled is reported, other changes are not', async (t) => {
  const { webhooks, calls } = watched()
  for (const change of [undefined, {}, { failingSinceMicros: 1 }, { disabled: null }])
    t.ok((await webhooks.update('a', 'w', () => change)).unwrapOr(false))
  t.strictSame(calls, [])
  await codeOf(webhooks.update('a', 'w', () => ({ disabled: { atMicros: 1, reason: 'gone' } })))
  t.strictSame(calls, [{ accountId: 'a', webhookId: 'w', reason: 'gone' }])
})

t.test('nothing is reported that was not committed', async (t) => {
  for (const options of [{ isBroken: true, unopened: 1 }, { isFound: false }]) {
    const { links, secrets, deliveries, webhooks, calls } = watched(options)
    if (options.isBroken === true) {
      await codeOf(links.update(lookup, undefined, () => ok({ events: [event] })))
      await codeOf(secrets.eraseExpired(1, 2, () => event))
    }
    await codeOf(deliveries.settle(lease, '1', { outcome: 'dead', atMicros: 1, failure: 'status 500' }))
    await codeOf(deliveries.retry('1', 1))
    await codeOf(webhooks.update('a', 'w', () => ({ disabled: { atMicros: 1, reason: 'failing' } })))
    t.strictSame(calls, [])
  }
})

t.test('a watcher that has left is not called any more', async (t) => {
  const { links, calls, unwatch } = watched()
  unwatch()
  await codeOf(links.update(lookup, undefined, () => ok({ events: [event] })))
  t.strictSame(calls, [])
})

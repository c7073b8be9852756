import type { StoredWebhook, WebhookChange } from '@sotto/core'
import { casesOf } from '../../contract/contract.ts'
import { expectOk } from '../../contract/expect.ts'
import { same } from '../../contract/compare.ts'
import type { Samples } from '../../shared/samples.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../../stores/harness.ts'
import { neededStoresCase } from '../../stores/needed-stores.ts'
import { addAccount } from '../../stores/rows.ts'

/** What histories do not show of the store of webhooks: the stores that it needs, and callers at the same time. */
export const webhookCases: readonly StorageCase[] = [
  neededStoresCase('webhook-store', 'webhooks', [
    ...(['accounts', 'keys', 'folders', 'secrets', 'links', 'outbox', 'deliveries'] as const),
  ]),
  ...casesOf({
    'webhook-store/limit-holds-for-parallel-callers': storageCase({
      rule: 'Of many webhooks that are inserted at the same time exactly as many are added as the limit allows.',
      check: (store, make) => reachLimit(store, store, make),
    }),
    'webhook-store/limit-holds-beside': besideCase({
      rule: 'The limit holds for callers in several storages on the same data.',
      check: reachLimit,
    }),
    'webhook-store/parallel-updates-do-not-interleave': storageCase({
      rule: 'No update comes between the read and the write of another one.',
      check: (store, make) => countsEach(store, store, make),
    }),
    'webhook-store/updates-from-two-storages-do-not-interleave': besideCase({
      rule: 'No update of another storage on the same data comes between the read and the write of an update.',
      check: countsEach,
    }),
  }),
]

/** Inserts more webhooks than the limit allows, at the same time, by the storages in turn. */
async function reachLimit(one: StorageUnderTest, other: StorageUnderTest, make: Samples): Promise<void> {
  const { id: accountId } = await addAccount(one, make)
  const rivals: readonly StoredWebhook[] = Array.from({ length: 12 }, () => make.webhook(accountId))
  const results = await Promise.all(
    rivals.map((webhook, at) => (at % 2 === 0 ? one : other).webhooks.insert(webhook, 5)),
  )
  const added = rivals.filter((_, at) => results[at]?.isOk())
  for (const result of results) {
    if (result.isErr()) same(result.error, { code: 'webhook_limit_reached' })
  }
  same(added.length, 5, 'how many were added')
  for (const { webhooks } of [one, other]) same(expectOk(await webhooks.list(accountId)), added)
}

async function countsEach(store: StorageUnderTest, beside: StorageUnderTest, make: Samples): Promise<void> {
  const { id } = await addAccount(store, make)
  const webhook = make.webhook(id, { failingSinceMicros: 0 })
  expectOk(await store.webhooks.insert(webhook, 5))
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? store : beside).webhooks.update(id, webhook.id, oneMore),
    ),
  )
  for (const result of results) expectOk(result)
  for (const { webhooks } of [store, beside])
    same(expectOk(await webhooks.find(id, webhook.id))?.failingSinceMicros, 20)
}

/** Counts, in the only number that a change can set. */
function oneMore({ failingSinceMicros = 0 }: StoredWebhook): WebhookChange {
  return { failingSinceMicros: failingSinceMicros + 1 }
}

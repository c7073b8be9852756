import type { StoredWebhook } from '@sotto/core'
import { casesOf, contractOf } from '../../contract/contract.ts'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { noonMicros, type Samples } from '../../shared/samples.ts'
import { same, sameIds } from '../../contract/compare.ts'
import {
  durableCase,
  besideCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from '../../stores/harness.ts'
import { neededStoresCase } from '../../stores/needed-stores.ts'
import { ascending, tiedPositions } from '../../stores/paging.ts'
import { addDeliveries, addQueue, fresh, listed, mailAt } from '../queue-rows.ts'
import { addAccount } from '../../stores/rows.ts'
import { webhookUpdateCases } from './webhook-updates.ts'

/** Cases of adding and finding. */
const webhookInsertCases: readonly StorageCase[] = casesOf({
  'webhook-store/insert-is-found-again': storageCase({
    rule: 'A webhook is found by its account and id, and listed, exactly as it was inserted, disabled or not.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const webhooks = [
        make.webhook(id, { createdAtMicros: 2 ** 52 + 1, failingSinceMicros: 2 ** 52 + 3 }),
        make.webhook(id, {
          createdAtMicros: 2 ** 52 + 3,
          disabled: { atMicros: 2 ** 52 + 5, reason: 'gone' },
        }),
        make.webhook(id, { createdAtMicros: 2 ** 52 + 5, disabled: { atMicros: 0, reason: 'failing' } }),
      ]
      for (const webhook of webhooks) expectOk(await store.webhooks.insert(webhook, 3))
      for (const webhook of webhooks) same(expectOk(await store.webhooks.find(id, webhook.id)), webhook)
      same(expectOk(await store.webhooks.list(id)), webhooks)
    },
  }),
  'webhook-store/belongs-to-its-account': storageCase({
    rule: 'find answers undefined for an unknown id and for another account; list gives the webhooks of the account only.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const webhook = make.webhook(mine.id)
      expectOk(await store.webhooks.insert(webhook, 5))
      same(expectOk(await store.webhooks.find(theirs.id, webhook.id)), undefined, 'of another account')
      same(expectOk(await store.webhooks.find(mine.id, make.uuid())), undefined, 'an unknown id')
      same(expectOk(await store.webhooks.list(theirs.id)), [], 'the list of another account')
    },
  }),
  'webhook-store/list-is-in-order': storageCase({
    rule: 'Webhooks are listed by creation and id, ascending.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const webhooks = tiedPositions(make.uuid, noonMicros).map((position) => make.webhook(id, position))
      for (const webhook of webhooks) expectOk(await store.webhooks.insert(webhook, 100))
      same(expectOk(await store.webhooks.list(id)), webhooks.toSorted(ascending))
    },
  }),
  'webhook-store/account-must-exist': storageCase({
    rule: 'insert answers account_not_found for an unknown account, and adds nothing.',
    needs: ['together'],
    async check(store, make) {
      const webhook = make.webhook(make.uuid())
      expectErr(await store.webhooks.insert(webhook, 5), 'account_not_found')
      same(expectOk(await store.webhooks.list(webhook.accountId)), [])
    },
  }),
  'webhook-store/taken-id-is-refused': storageCase({
    rule: 'insert under an id that is taken answers storage_failed and changes nothing.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const webhook = make.webhook(mine.id)
      expectOk(await store.webhooks.insert(webhook, 5))
      for (const { id } of [mine, theirs]) {
        expectErr(await store.webhooks.insert(make.webhook(id, { id: webhook.id }), 5), 'storage_failed')
      }
      same(expectOk(await store.webhooks.list(mine.id)), [webhook])
      same(expectOk(await store.webhooks.list(theirs.id)), [])
    },
  }),
})

/** Cases of the limit. */
const webhookLimitCases: readonly StorageCase[] = casesOf({
  'webhook-store/limit-is-per-account': storageCase({
    rule: 'insert answers webhook_limit_reached, and adds nothing, once the account has `max` webhooks, disabled ones included; those of others do not count.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const disabled = make.webhook(mine.id, { disabled: { atMicros: noonMicros, reason: 'gone' } })
      const active = make.webhook(mine.id)
      for (const webhook of [make.webhook(theirs.id), disabled, active]) {
        expectOk(await store.webhooks.insert(webhook, 2))
      }
      expectErr(await store.webhooks.insert(make.webhook(mine.id), 2), 'webhook_limit_reached')
      sameIds(expectOk(await store.webhooks.list(mine.id)), [disabled.id, active.id])
      expectOk(await store.webhooks.erase(mine.id, disabled.id))
      expectOk(await store.webhooks.insert(make.webhook(mine.id), 2), 'after one was erased')
    },
  }),
  'webhook-store/limit-holds-for-parallel-callers': storageCase({
    rule: 'Of many webhooks that are inserted at the same time exactly as many are added as the limit allows.',
    check: (store, make) => reachLimit(store, store, make),
  }),
  'webhook-store/limit-holds-beside': besideCase({
    rule: 'The limit holds for callers in several storages on the same data.',
    check: reachLimit,
  }),
})

/** Cases of erasing, and of what is found after reopening and by others. */
const webhookKeepingCases: readonly StorageCase[] = casesOf({
  'webhook-store/erase-takes-the-webhook': storageCase({
    rule: 'erase erases the webhook of the account and answers Ok(true); for an unknown id or another account it answers Ok(false) and erases nothing.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const [erased, kept] = [make.webhook(mine.id), make.webhook(mine.id)]
      for (const webhook of [erased, kept]) expectOk(await store.webhooks.insert(webhook, 5))
      same(expectOk(await store.webhooks.erase(theirs.id, erased.id)), false, 'for another account')
      same(expectOk(await store.webhooks.erase(mine.id, make.uuid())), false, 'for an unknown id')
      same(expectOk(await store.webhooks.list(mine.id)), [erased, kept])
      same(expectOk(await store.webhooks.erase(mine.id, erased.id)), true)
      same(expectOk(await store.webhooks.list(mine.id)), [kept])
      same(expectOk(await store.webhooks.erase(mine.id, erased.id)), false, 'the second time')
    },
  }),
  'webhook-store/erase-takes-its-deliveries': storageCase({
    rule: 'With a webhook all deliveries to it are erased, and no other ones.',
    needs: ['together'],
    async check(store, make) {
      const queue = await addQueue(store, make)
      const { accountId } = queue
      const post = async (at: number) => {
        const webhook = make.webhook(accountId)
        expectOk(await store.webhooks.insert(webhook, 5))
        return mailAt(make, queue, at, { target: { kind: 'webhook', accountId, webhookId: webhook.id } })
      }
      const [first, second, kept, mail] = [
        await post(0),
        await post(0),
        await post(1),
        mailAt(make, queue, 2),
      ]
      const toErased = { ...second, target: first.target }
      await addDeliveries(store, queue, [first, toErased, kept, mail])
      const webhookId = first.target.kind === 'webhook' ? first.target.webhookId : ''
      same(expectOk(await store.webhooks.erase(make.uuid(), webhookId)), false)
      same((await listed(store)).length, 4, 'after another account tried')
      same(expectOk(await store.webhooks.erase(accountId, webhookId)), true)
      same(await listed(store), [kept, mail].map(fresh))
    },
  }),
  'webhook-store/writes-are-durable': durableCase({
    rule: 'Webhooks that were added or changed are found after reopening, and those that were erased are not.',
    async act(store, make) {
      const { id } = await addAccount(store, make)
      const [kept, erased] = [make.webhook(id), make.webhook(id)]
      for (const webhook of [kept, erased]) expectOk(await store.webhooks.insert(webhook, 5))
      expectOk(await store.webhooks.update(id, kept.id, () => ({ failingSinceMicros: noonMicros })))
      expectOk(await store.webhooks.erase(id, erased.id))
      return ({ webhooks }) => [webhooks.list(id)]
    },
  }),
  'webhook-store/writes-are-seen-beside': besideCase({
    rule: 'What one storage adds, changes or erases is immediately so for another storage on the same data.',
    async check(store, beside, make) {
      const { id } = await addAccount(store, make)
      const webhook = make.webhook(id)
      expectOk(await store.webhooks.insert(webhook, 5))
      same(expectOk(await beside.webhooks.find(id, webhook.id)), webhook)
      const disabled = { atMicros: noonMicros, reason: 'failing' } as const
      expectOk(await beside.webhooks.update(id, webhook.id, () => ({ disabled })))
      same(expectOk(await store.webhooks.find(id, webhook.id)), { ...webhook, disabled })
      expectOk(await store.webhooks.erase(id, webhook.id))
      same(expectOk(await beside.webhooks.list(id)), [])
    },
  }),
})

/** The contract of the webhook store. */
export const webhookStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('webhook-store', 'webhooks', [
    'accounts',
    'keys',
    'folders',
    'secrets',
    'links',
    'outbox',
    'deliveries',
  ]),
  ...webhookInsertCases,
  ...webhookLimitCases,
  ...webhookUpdateCases,
  ...webhookKeepingCases,
])

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

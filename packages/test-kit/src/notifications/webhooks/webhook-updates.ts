import { casesOf } from '../../contract/contract.ts'
import type { StoredWebhook, WebhookChange } from '@sotto/core'
import { expectOk } from '../../contract/expect.ts'
import { noonMicros, type Samples } from '../../shared/samples.ts'
import { same } from '../../contract/compare.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../../stores/harness.ts'
import { addAccount } from '../../stores/rows.ts'

const gone = { atMicros: noonMicros, reason: 'gone' } as const
const failing = { atMicros: noonMicros + 1, reason: 'failing' } as const

/** Cases of `update`. */
export const webhookUpdateCases: readonly StorageCase[] = casesOf({
  'webhook-store/update-applies-the-change': storageCase({
    rule: 'update passes the webhook to decide and applies what it returns: what that does not name stays, null clears, undefined changes nothing; other webhooks stay.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const [webhook, other] = [make.webhook(id), make.webhook(id, { disabled: gone })]
      for (const each of [webhook, other]) expectOk(await store.webhooks.insert(each, 5))
      let now: StoredWebhook = webhook
      const steps: readonly (readonly [WebhookChange | undefined, Partial<StoredWebhook>])[] = [
        [{ failingSinceMicros: noonMicros }, { failingSinceMicros: noonMicros }],
        [{ disabled: gone }, { disabled: gone }],
        [{ failingSinceMicros: null }, { failingSinceMicros: undefined }],
        [undefined, {}],
        [{}, {}],
        [
          { disabled: failing, failingSinceMicros: 1 },
          { disabled: failing, failingSinceMicros: 1 },
        ],
        [{ disabled: null }, { disabled: undefined }],
      ]
      for (const [change, columns] of steps) {
        const seen: StoredWebhook[] = []
        const updated = await store.webhooks.update(id, webhook.id, (before) => {
          seen.push(before)
          return change
        })
        same(expectOk(updated), true)
        same(seen.at(-1), now, 'what decide was given')
        now = { ...now, ...columns }
        same(expectOk(await store.webhooks.list(id)), [now, other], JSON.stringify(change))
      }
    },
  }),
  'webhook-store/update-of-none-is-false': storageCase({
    rule: 'update answers Ok(false) when the account has no such webhook, changes nothing and does not ask decide.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const webhook = make.webhook(mine.id)
      expectOk(await store.webhooks.insert(webhook, 5))
      let asked = 0
      const decide = () => {
        asked += 1
        return { disabled: gone }
      }
      same(expectOk(await store.webhooks.update(theirs.id, webhook.id, decide)), false, 'another account')
      same(expectOk(await store.webhooks.update(mine.id, make.uuid(), decide)), false, 'an unknown id')
      same(asked, 0, 'how often decide was asked')
      same(expectOk(await store.webhooks.list(mine.id)), [webhook])
    },
  }),
  'webhook-store/parallel-updates-do-not-interleave': storageCase({
    rule: 'No update comes between the read and the write of another one.',
    check: (store, make) => countsEach(store, store, make),
  }),
  'webhook-store/updates-from-two-storages-do-not-interleave': besideCase({
    rule: 'No update of another storage on the same data comes between the read and the write of an update.',
    check: countsEach,
  }),
})

/** Counts, in the only number that a change can set. */
function oneMore({ failingSinceMicros = 0 }: StoredWebhook): WebhookChange {
  return { failingSinceMicros: failingSinceMicros + 1 }
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

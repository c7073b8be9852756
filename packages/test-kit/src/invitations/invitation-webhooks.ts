import type { Delivery, Target, Uuid } from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import type { Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { kids, storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import { addDeliveries, addQueue, fresh, listed, mailAt, type Queue } from '../notifications/queue-rows.ts'
import { addPassword } from '../stores/rows.ts'
import { addInvitation, spending } from '../stores/one-time-rows.ts'

/** Cases of what `spend` does with webhooks. */
export const invitationWebhookCases: readonly StorageCase[] = together({
  'invitation-store/a-reset-and-a-replaced-password-erase-the-webhooks': storageCase({
    rule: 'spend of a reset, and of an invitation that replaces a password, erases all webhooks of the account with all deliveries to them. Mails and other accounts keep theirs.',
    async check(store, make) {
      for (const [kind, hasPassword] of [
        ['reset', false],
        ['reset', true],
        ['invite', true],
      ] as const) {
        const [mine, theirs] = [await addQueue(store, make), await addQueue(store, make)]
        if (hasPassword) await addPassword(store, make, mine.accountId)
        const kept = [await addToMail(store, make, mine), await addToWebhook(store, make, theirs)]
        await addToWebhook(store, make, mine)
        await addToWebhook(store, make, mine)
        const { digest } = await addInvitation(store, make, mine.accountId, { kind })
        same(expectOk(await store.invitations.spend(digest, spending(make, mine.accountId))), true)
        const when = `${kind}, ${hasPassword ? 'with' : 'without'} a password`
        same(expectOk(await store.webhooks.list(mine.accountId)), [], when)
        same(expectOk(await store.webhooks.list(theirs.accountId)).length, 1, when)
        same(await deliveriesOf(store, [mine, theirs]), byId(kept), when)
      }
    },
  }),
  'invitation-store/other-spendings-erase-no-webhook': storageCase({
    rule: 'spend erases no webhook and no delivery when it is of an invitation and the account had no password, and when it is refused.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const { accountId } = queue
      const delivery = await addToWebhook(store, make, queue)
      const webhooks = expectOk(await store.webhooks.list(accountId))
      const isKept = async (when: string) => {
        same(expectOk(await store.webhooks.list(accountId)), webhooks, when)
        same(await deliveriesOf(store, [queue]), [delivery], when)
      }
      const invitation = await addInvitation(store, make, accountId, { kind: 'invite' })
      same(expectOk(await store.invitations.spend(invitation.digest, spending(make, accountId))), true)
      await isKept('an invitation to an account without a password')
      const { digest } = await addInvitation(store, make, accountId, { kind: 'reset' })
      const hash = { kid: kids.retired, ciphertext: make.ciphertext() }
      expectErr(await store.invitations.spend(digest, spending(make, accountId, { hash })), 'key_retired')
      same(expectOk(await store.invitations.spend(make.tokenDigest(), spending(make, accountId))), false)
      await isKept('a refused spending')
    },
  }),
})

/** Adds a webhook to the account, with a delivery that waits for it. */
async function addToWebhook(store: StorageUnderTest, make: Samples, queue: Queue): Promise<Delivery> {
  const { accountId } = queue
  const webhook = make.webhook(accountId)
  expectOk(await store.webhooks.insert(webhook, 5), 'adding a webhook')
  return addDelivery(store, make, queue, { kind: 'webhook', accountId, webhookId: webhook.id })
}

async function addToMail(store: StorageUnderTest, make: Samples, queue: Queue): Promise<Delivery> {
  return addDelivery(store, make, queue, queue.mail)
}

async function addDelivery(
  store: StorageUnderTest,
  make: Samples,
  queue: Queue,
  target: Target,
): Promise<Delivery> {
  const delivery = mailAt(make, queue, 0, { target })
  await addDeliveries(store, queue, [delivery])
  return fresh(delivery)
}

async function deliveriesOf(store: StorageUnderTest, queues: readonly Queue[]): Promise<readonly Delivery[]> {
  const accounts = new Set<Uuid>(queues.map(({ accountId }) => accountId))
  return byId((await listed(store)).filter(({ target }) => accounts.has(target.accountId)))
}

function byId(deliveries: readonly Delivery[]): readonly Delivery[] {
  return deliveries.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

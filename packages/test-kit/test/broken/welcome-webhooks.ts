import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { brokenStore, type Broken } from './broken.ts'

const welcomes = brokenStore('welcomes')

const erased = ['welcome-store/a-reset-and-a-replaced-password-erase-the-webhooks']
const kept = ['welcome-store/other-spendings-erase-no-webhook']

/** Flaws of what the spending of one-time links does with webhooks. */
export const brokenWelcomeWebhooks: readonly Broken<StorageHarness>[] = [
  ...(['invite', 'reset'] as const).map((kind) =>
    welcomes(`keeps the webhooks with a link of the kind ${kind}`, erased, (store, data) => ({
      spend(digest, left) {
        const isKind = data.welcomes.get(left.password.accountId)?.welcome.kind === kind
        const before = [...data.webhooks]
        return store.spend(digest, left).map((spent) => {
          if (isKind) for (const [id, webhook] of before) data.webhooks.set(id, webhook)
          return spent
        })
      },
    })),
  ),
  welcomes('keeps the webhooks of an account without a password', erased, (store, data) => ({
    spend(digest, left) {
      const [before, had] = [[...data.webhooks], data.passwords.has(left.password.accountId)]
      return store.spend(digest, left).map((spent) => {
        if (!had) for (const [id, webhook] of before) data.webhooks.set(id, webhook)
        return spent
      })
    },
  })),
  welcomes('keeps the deliveries to the webhooks', erased, (store, data) => ({
    spend(digest, left) {
      const before = [...data.deliveries]
      return store.spend(digest, left).map((spent) => {
        for (const [id, row] of before) data.deliveries.set(id, row)
        return spent
      })
    },
  })),
  welcomes('erases mails, too', erased, (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).map((spent) => {
        eraseDeliveries(data, left.password.accountId)
        return spent
      }),
  })),
  welcomes('erases the webhooks of all accounts', erased, (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).map((spent) => {
        if (data.deliveries.size > 0) data.webhooks.clear()
        return spent
      }),
  })),
  welcomes('erases webhooks with every invitation', kept, (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).map((spent) => {
        if (spent) data.webhooks.clear()
        return spent
      }),
  })),
  welcomes('erases deliveries with every invitation', kept, (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).map((spent) => {
        if (spent) eraseDeliveries(data, left.password.accountId)
        return spent
      }),
  })),
  welcomes('erases webhooks although it refuses', kept, (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).mapErr((error) => {
        data.webhooks.clear()
        return error
      }),
  })),
  welcomes('erases webhooks before it looks', kept, (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).map((spent) => {
        if (!spent) data.webhooks.clear()
        return spent
      }),
  })),
]

function eraseDeliveries({ deliveries }: MemoryData, accountId: string): void {
  for (const [id, { delivery }] of deliveries) {
    if (delivery.target.accountId === accountId) deliveries.delete(id)
  }
}

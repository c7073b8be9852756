import { contractOf } from '../../contract.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros } from '../../samples.ts'
import { same } from '../compare.ts'
import { reopenCase, storageCase, type StorageCase, type StorageUnderTest } from './harness.ts'
import { neededStoresCase } from './needed-stores.ts'
import { addAccount } from './rows.ts'
import { welcomeAccessTokenCases } from './welcome-access-tokens.ts'
import { addWelcome, spending, welcomeSpendingCases } from './welcome-spending.ts'
import { welcomeWebhookCases } from './welcome-webhooks.ts'

/** Cases of `replace`, `find` and `eraseExpired`. */
const welcomeFindCases: readonly StorageCase[] = [
  storageCase({
    id: 'welcome-store/replace-is-found-again',
    rule: 'A one-time link comes back by its digest exactly as it was stored.',
    async check(store, make) {
      for (const kind of ['invite', 'reset'] as const) {
        const { welcome, digest } = await addWelcome(store, make, undefined, { kind })
        same(expectOk(await store.welcomes.find(digest, noonMicros)), welcome)
      }
    },
  }),
  storageCase({
    id: 'welcome-store/find-of-none-is-undefined',
    rule: 'find answers undefined for an unknown digest.',
    async check(store, make) {
      const { digest } = await addWelcome(store, make)
      const close = Uint8Array.from(digest, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const other of [make.tokenDigest(), close]) {
        same(expectOk(await store.welcomes.find(other, noonMicros)), undefined)
      }
    },
  }),
  storageCase({
    id: 'welcome-store/find-of-account-is-like-find',
    rule: 'findOfAccount gives the one-time link of the account until it expires, and undefined for an account without one or disabled.',
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addWelcome(store, make), await addWelcome(store, make)]
      const { accountId, expiresAtMicros } = mine.welcome
      const find = async (id: string, nowMicros: number) =>
        expectOk(await store.welcomes.findOfAccount(id, nowMicros))
      same(await find(accountId, expiresAtMicros - 1), mine.welcome)
      same(await find(accountId, expiresAtMicros), undefined, 'an expired one')
      same(await find((await addAccount(store, make)).id, noonMicros), undefined, 'an account without one')
      expectOk(await store.accounts.disable(accountId, noonMicros))
      same(await find(accountId, noonMicros), undefined, 'a disabled account')
      same(await find(theirs.welcome.accountId, noonMicros), theirs.welcome)
    },
  }),
  storageCase({
    id: 'welcome-store/replace-erases-the-older-one',
    rule: 'replace erases the older one-time link of its account and of no other account.',
    async check(store, make) {
      const [older, elsewhere] = [await addWelcome(store, make), await addWelcome(store, make)]
      const newer = await addWelcome(store, make, older.welcome.accountId, { kind: 'reset' })
      same(expectOk(await store.welcomes.find(older.digest, noonMicros)), undefined, 'the older one')
      for (const { welcome, digest } of [newer, elsewhere]) {
        same(expectOk(await store.welcomes.find(digest, noonMicros)), welcome)
      }
    },
  }),
  storageCase({
    id: 'welcome-store/account-must-be-enabled',
    rule: 'replace answers account_not_found for an unknown account and for a disabled one, and writes nothing.',
    needs: ['together'],
    async check(store, make) {
      const { id } = await addAccount(store, make)
      expectOk(await store.accounts.disable(id, noonMicros))
      for (const accountId of [make.uuid(), id]) {
        const digest = make.tokenDigest()
        expectErr(await store.welcomes.replace(make.welcome(accountId), digest), 'account_not_found')
        same(expectOk(await store.welcomes.find(digest, noonMicros)), undefined)
      }
      same(expectOk(await store.welcomes.eraseExpired(Number.MAX_SAFE_INTEGER, 10)), 0, 'how many are stored')
    },
  }),
  storageCase({
    id: 'welcome-store/is-found-until-it-expires',
    rule: 'A one-time link is found until the microsecond before its expiry.',
    async check(store, make) {
      const { welcome, digest } = await addWelcome(store, make)
      const { expiresAtMicros } = welcome
      same(expectOk(await store.welcomes.find(digest, expiresAtMicros - 1)), welcome)
      for (const nowMicros of [expiresAtMicros, expiresAtMicros + 1]) {
        same(expectOk(await store.welcomes.find(digest, nowMicros)), undefined)
      }
    },
  }),
  storageCase({
    id: 'welcome-store/find-of-a-disabled-account-is-undefined',
    rule: 'The one-time link of an account that was disabled since is not found.',
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addWelcome(store, make), await addWelcome(store, make)]
      expectOk(await store.accounts.disable(mine.welcome.accountId, noonMicros))
      same(expectOk(await store.welcomes.find(mine.digest, noonMicros)), undefined)
      same(expectOk(await store.welcomes.find(theirs.digest, noonMicros)), theirs.welcome)
    },
  }),
  storageCase({
    id: 'welcome-store/erase-takes-the-expired',
    rule: 'eraseExpired erases the one-time links that expired at the given time or before, and no other.',
    async check(store, make) {
      const expiring = (expiresAtMicros: number) => addWelcome(store, make, undefined, { expiresAtMicros })
      const expired = [await expiring(noonMicros), await expiring(noonMicros - 1)]
      const live = await expiring(noonMicros + 1)
      same(expectOk(await store.welcomes.eraseExpired(noonMicros, 10)), 2, 'how many were erased')
      for (const { digest } of expired) same(expectOk(await store.welcomes.find(digest, 0)), undefined)
      same(expectOk(await store.welcomes.find(live.digest, 0)), live.welcome)
      same(expectOk(await store.welcomes.eraseExpired(noonMicros, 10)), 0, 'the second time')
    },
  }),
  storageCase({
    id: 'welcome-store/erase-stops-at-the-limit',
    rule: 'eraseExpired erases at most the given number of one-time links.',
    async check(store, make) {
      const added = []
      for (let at = 1; at <= 5; at += 1) {
        added.push(await addWelcome(store, make, undefined, { expiresAtMicros: at }))
      }
      for (const [erased, left] of [
        [2, 3],
        [2, 1],
        [1, 0],
        [0, 0],
      ]) {
        same(expectOk(await store.welcomes.eraseExpired(noonMicros, 2)), erased, 'how many were erased')
        same(await countFound(store, added), left, 'how many are left')
      }
    },
  }),
]

/** The contract of the store of one-time links. */
export const welcomeStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('welcome-store', 'welcomes', [
    'accounts',
    'keys',
    'folders',
    'secrets',
    'links',
    'outbox',
    'deliveries',
    'webhooks',
    'accessTokens',
    'passwords',
    'sessions',
  ]),
  ...welcomeFindCases,
  ...welcomeSpendingCases,
  ...welcomeAccessTokenCases,
  ...welcomeWebhookCases,
  reopenCase({
    id: 'welcome-store/writes-are-durable',
    rule: 'One-time links that were stored, replaced or spent are so after reopening.',
    async before(store, make) {
      const [older, spent] = [await addWelcome(store, make), await addWelcome(store, make)]
      const newer = await addWelcome(store, make, older.welcome.accountId)
      expectOk(await store.welcomes.spend(spent.digest, spending(make, spent.welcome.accountId)))
      return { newer, gone: [older, spent] }
    },
    async after({ welcomes }, { newer, gone }) {
      same(expectOk(await welcomes.find(newer.digest, noonMicros)), newer.welcome)
      for (const { digest } of gone) same(expectOk(await welcomes.find(digest, noonMicros)), undefined)
    },
  }),
])

async function countFound(
  { welcomes }: StorageUnderTest,
  added: readonly { readonly digest: Uint8Array }[],
): Promise<number> {
  const found = await Promise.all(added.map(async ({ digest }) => expectOk(await welcomes.find(digest, 0))))
  return found.filter((each) => each !== undefined).length
}

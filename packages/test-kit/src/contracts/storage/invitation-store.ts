import { casesOf, contractOf } from '../../contract.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros } from '../../samples.ts'
import { same } from '../compare.ts'
import { reopenCase, storageCase, type StorageCase, type StorageUnderTest } from './harness.ts'
import { neededStoresCase } from './needed-stores.ts'
import { addAccount } from './rows.ts'
import { invitationAccessTokenCases } from './invitation-access-tokens.ts'
import { addInvitation, spending, invitationSpendingCases } from './invitation-spending.ts'
import { invitationWebhookCases } from './invitation-webhooks.ts'

/** Cases of `replace`, `find` and `eraseExpired`. */
const invitationFindCases: readonly StorageCase[] = casesOf({
  'invitation-store/replace-is-found-again': storageCase({
    rule: 'A one-time link comes back by its digest exactly as it was stored.',
    async check(store, make) {
      for (const kind of ['invite', 'reset'] as const) {
        const { invitation, digest } = await addInvitation(store, make, undefined, { kind })
        same(expectOk(await store.invitations.find(digest, noonMicros)), invitation)
      }
    },
  }),
  'invitation-store/find-of-none-is-undefined': storageCase({
    rule: 'find answers undefined for an unknown digest.',
    async check(store, make) {
      const { digest } = await addInvitation(store, make)
      const close = Uint8Array.from(digest, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const other of [make.tokenDigest(), close]) {
        same(expectOk(await store.invitations.find(other, noonMicros)), undefined)
      }
    },
  }),
  'invitation-store/find-of-account-is-like-find': storageCase({
    rule: 'findOfAccount gives the one-time link of the account until it expires, and undefined for an account without one or disabled.',
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addInvitation(store, make), await addInvitation(store, make)]
      const { accountId, expiresAtMicros } = mine.invitation
      const find = async (id: string, nowMicros: number) =>
        expectOk(await store.invitations.findOfAccount(id, nowMicros))
      same(await find(accountId, expiresAtMicros - 1), mine.invitation)
      same(await find(accountId, expiresAtMicros), undefined, 'an expired one')
      same(await find((await addAccount(store, make)).id, noonMicros), undefined, 'an account without one')
      expectOk(await store.accounts.disable(accountId, noonMicros))
      same(await find(accountId, noonMicros), undefined, 'a disabled account')
      same(await find(theirs.invitation.accountId, noonMicros), theirs.invitation)
    },
  }),
  'invitation-store/replace-erases-the-older-one': storageCase({
    rule: 'replace erases the older one-time link of its account and of no other account.',
    async check(store, make) {
      const [older, elsewhere] = [await addInvitation(store, make), await addInvitation(store, make)]
      const newer = await addInvitation(store, make, older.invitation.accountId, { kind: 'reset' })
      same(expectOk(await store.invitations.find(older.digest, noonMicros)), undefined, 'the older one')
      for (const { invitation, digest } of [newer, elsewhere]) {
        same(expectOk(await store.invitations.find(digest, noonMicros)), invitation)
      }
    },
  }),
  'invitation-store/account-must-be-enabled': storageCase({
    rule: 'replace answers account_not_found for an unknown account and for a disabled one, and writes nothing.',
    needs: ['together'],
    async check(store, make) {
      const { id } = await addAccount(store, make)
      expectOk(await store.accounts.disable(id, noonMicros))
      for (const accountId of [make.uuid(), id]) {
        const digest = make.tokenDigest()
        expectErr(await store.invitations.replace(make.invitation(accountId), digest), 'account_not_found')
        same(expectOk(await store.invitations.find(digest, noonMicros)), undefined)
      }
      same(
        expectOk(await store.invitations.eraseExpired(Number.MAX_SAFE_INTEGER, 10)),
        0,
        'how many are stored',
      )
    },
  }),
  'invitation-store/is-found-until-it-expires': storageCase({
    rule: 'A one-time link is found until the microsecond before its expiry.',
    async check(store, make) {
      const { invitation, digest } = await addInvitation(store, make)
      const { expiresAtMicros } = invitation
      same(expectOk(await store.invitations.find(digest, expiresAtMicros - 1)), invitation)
      for (const nowMicros of [expiresAtMicros, expiresAtMicros + 1]) {
        same(expectOk(await store.invitations.find(digest, nowMicros)), undefined)
      }
    },
  }),
  'invitation-store/find-of-a-disabled-account-is-undefined': storageCase({
    rule: 'The one-time link of an account that was disabled since is not found.',
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addInvitation(store, make), await addInvitation(store, make)]
      expectOk(await store.accounts.disable(mine.invitation.accountId, noonMicros))
      same(expectOk(await store.invitations.find(mine.digest, noonMicros)), undefined)
      same(expectOk(await store.invitations.find(theirs.digest, noonMicros)), theirs.invitation)
    },
  }),
  'invitation-store/erase-takes-the-expired': storageCase({
    rule: 'eraseExpired erases the one-time links that expired at the given time or before, and no other.',
    async check(store, make) {
      const expiring = (expiresAtMicros: number) => addInvitation(store, make, undefined, { expiresAtMicros })
      const expired = [await expiring(noonMicros), await expiring(noonMicros - 1)]
      const live = await expiring(noonMicros + 1)
      same(expectOk(await store.invitations.eraseExpired(noonMicros, 10)), 2, 'how many were erased')
      for (const { digest } of expired) same(expectOk(await store.invitations.find(digest, 0)), undefined)
      same(expectOk(await store.invitations.find(live.digest, 0)), live.invitation)
      same(expectOk(await store.invitations.eraseExpired(noonMicros, 10)), 0, 'the second time')
    },
  }),
  'invitation-store/erase-stops-at-the-limit': storageCase({
    rule: 'eraseExpired erases at most the given number of one-time links.',
    async check(store, make) {
      const added = []
      for (let at = 1; at <= 5; at += 1) {
        added.push(await addInvitation(store, make, undefined, { expiresAtMicros: at }))
      }
      for (const [erased, left] of [
        [2, 3],
        [2, 1],
        [1, 0],
        [0, 0],
      ]) {
        same(expectOk(await store.invitations.eraseExpired(noonMicros, 2)), erased, 'how many were erased')
        same(await countFound(store, added), left, 'how many are left')
      }
    },
  }),
})

const ownCases: readonly StorageCase[] = casesOf({
  'invitation-store/writes-are-durable': reopenCase({
    rule: 'One-time links that were stored, replaced or spent are so after reopening.',
    async before(store, make) {
      const [older, spent] = [await addInvitation(store, make), await addInvitation(store, make)]
      const newer = await addInvitation(store, make, older.invitation.accountId)
      expectOk(await store.invitations.spend(spent.digest, spending(make, spent.invitation.accountId)))
      return { newer, gone: [older, spent] }
    },
    async after({ invitations }, { newer, gone }) {
      same(expectOk(await invitations.find(newer.digest, noonMicros)), newer.invitation)
      for (const { digest } of gone) same(expectOk(await invitations.find(digest, noonMicros)), undefined)
    },
  }),
})

/** The contract of the store of one-time links. */
export const invitationStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('invitation-store', 'invitations', [
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
  ...ownCases,
  ...invitationFindCases,
  ...invitationSpendingCases,
  ...invitationAccessTokenCases,
  ...invitationWebhookCases,
])

async function countFound(
  { invitations }: StorageUnderTest,
  added: readonly { readonly digest: Uint8Array }[],
): Promise<number> {
  const found = await Promise.all(
    added.map(async ({ digest }) => expectOk(await invitations.find(digest, 0))),
  )
  return found.filter((each) => each !== undefined).length
}

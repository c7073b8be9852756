import type { InvitationSpending, StoredInvitation } from '@sotto/core'
import { casesOf, contractOf } from '../../contract.ts'
import { expectOk } from '../../expect.ts'
import { noonMicros } from '../../samples.ts'
import { same } from '../compare.ts'
import { storageCase, together, type StorageCase } from './harness.ts'
import { invitationAccessTokenCases } from './invitation-access-tokens.ts'
import { invitationIdentityCases } from './invitation-identities.ts'
import { invitationWebhookCases } from './invitation-webhooks.ts'
import { neededStoresCase } from './needed-stores.ts'
import { oneTimeCases, type OneTimeStore } from './one-time.ts'
import { addInvitation, spending } from './one-time-rows.ts'
import { addAccount, addPassword } from './rows.ts'
import { status } from './session-rows.ts'

const links: OneTimeStore<StoredInvitation, InvitationSpending> = {
  port: 'invitation-store',
  what: 'one-time link',
  make: (make, accountId, columns) => make.invitation(accountId, columns),
  storeIn: ({ invitations }) => invitations,
  makeSpending: (make, accountId) => spending(make, accountId),
  spend: ({ invitations }, left, digest, nowMicros) => invitations.spend(digest, { ...left, nowMicros }),
  changedIn: async ({ passwords, sessions }, accountId) => [
    expectOk(await passwords.find(accountId)),
    expectOk(await sessions.page(accountId, undefined, 20)),
  ],
  afterSpending: ({ password, session }) => [password, [session]],
}

const linkCases = oneTimeCases(links)

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
    'identities',
    'passkeys',
  ]),
  ...linkCases.alone,
  ...casesOf({
    'invitation-store/replace-is-found-again': storageCase({
      rule: 'A one-time link comes back by its digest exactly as it was stored.',
      async check(store, make) {
        for (const kind of ['invite', 'reset'] as const) {
          const { invitation, digest } = await addInvitation(store, make, undefined, { kind })
          same(expectOk(await store.invitations.find(digest, noonMicros)), invitation)
        }
      },
    }),
  }),
  ...linkCases.withOthers,
  ...together({
    'invitation-store/find-of-account-is-like-find': storageCase({
      rule: 'findOfAccount gives the one-time link of the account until it expires, and undefined for an account without one or disabled.',
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
    'invitation-store/spend-sets-the-password-and-signs-in': storageCase({
      rule: 'spend sets the password of the account, whether it had one or not, and adds the new session.',
      async check(store, make) {
        const { id } = await addAccount(store, make)
        for (const kind of ['invite', 'reset'] as const) {
          const { digest } = await addInvitation(store, make, id, { kind })
          const left = spending(make, id)
          same(expectOk(await store.invitations.spend(digest, left)), true)
          same(expectOk(await store.passwords.find(id)), left.password, kind)
          same(expectOk(await store.sessions.findByDigest(left.sessionDigest)), status(left.session), kind)
        }
      },
    }),
    'invitation-store/spend-ends-all-older-sessions': storageCase({
      rule: 'spend ends the sessions that its account had, and changes no other account.',
      async check(store, make) {
        const [{ id: mine }, { id: theirs }] = [await addAccount(store, make), await addAccount(store, make)]
        await addPassword(store, make, mine)
        const others = await addPassword(store, make, theirs)
        const { digest } = await addInvitation(store, make, mine)
        const left = spending(make, mine)
        expectOk(await store.invitations.spend(digest, left))
        same(expectOk(await store.sessions.page(mine, undefined, 10)), [left.session])
        same(expectOk(await store.sessions.page(theirs, undefined, 10)), [others.session])
        same(expectOk(await store.passwords.find(theirs)), others.password)
      },
    }),
  }),
  ...invitationAccessTokenCases,
  ...invitationWebhookCases,
  ...invitationIdentityCases,
])

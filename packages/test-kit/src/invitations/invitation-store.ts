import type { InvitationSpending, StoredInvitation } from '@sotto/identity'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, storageCase, together, type StorageCase } from '../stores/harness.ts'
import { invitationAccessTokenCases } from './invitation-access-tokens.ts'
import { invitationWebhookCases } from './invitation-webhooks.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { oneTimeCases, type OneTimeStore } from '../stores/one-time.ts'
import { addInvitation, spending } from '../stores/one-time-rows.ts'
import { addAccount, addPassword } from '../stores/rows.ts'
import { status } from '../sessions/session-rows.ts'

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
  ]),
  ...linkCases.alone,
  ...casesOf({
    'invitation-store/replace-is-found-again': storageCase({
      rule: 'A one-time link comes back by its digest exactly as it was stored.',
      async check(store, make) {
        for (const kind of ['invite', 'reset'] as const)
          for (const isAsked of [true, false]) {
            const { invitation, digest } = await addInvitation(store, make, undefined, { kind, isAsked })
            same(expectOk(await store.invitations.find(digest, noonMicros)), invitation)
          }
      },
    }),
  }),
  ...casesOf({
    'invitation-store/asked-for-spares-the-operators': storageCase({
      rule: 'replace answers Ok(false) and changes nothing for a link that was asked for while one that the operator made can be used; it replaces one that was asked for or is over, and the operator’s replaces any.',
      async check(store, make) {
        for (const kind of ['invite', 'reset'] as const) {
          const operators = await addInvitation(store, make, undefined, { kind })
          const { accountId, expiresAtMicros } = operators.invitation
          const ask = async (createdAtMicros: number) => {
            const asked = make.invitation(accountId, { kind: 'reset', isAsked: true, createdAtMicros })
            const digest = make.tokenDigest()
            return { digest, stored: expectOk(await store.invitations.replace(asked, digest)) }
          }
          const isThere = async ({ digest }: { readonly digest: Uint8Array }) =>
            expectOk(await store.invitations.find(digest, noonMicros)) !== undefined
          const spared = await ask(expiresAtMicros - 1)
          same([spared.stored, await isThere(operators), await isThere(spared)], [false, true, false], kind)
          const late = await ask(expiresAtMicros)
          same([late.stored, await isThere(operators), await isThere(late)], [true, false, true], kind)
          const again = await ask(noonMicros)
          same([again.stored, await isThere(late), await isThere(again)], [true, false, true], kind)
          const newest = await addInvitation(store, make, accountId, { kind })
          same([await isThere(again), await isThere(newest)], [false, true], kind)
        }
      },
    }),
    'invitation-store/asked-for-at-the-same-time-spares-the-operators': besideCase({
      rule: 'When two storages store a link of the operator and one that was asked for at the same time, the operator’s stays.',
      async check(store, beside, make) {
        for (let round = 0; round < 8; round += 1) {
          const { id } = await addAccount(store, make)
          const digest = make.tokenDigest()
          const asked = make.invitation(id, { kind: 'reset', isAsked: true })
          const both = await Promise.all([
            beside.invitations.replace(asked, make.tokenDigest()),
            store.invitations.replace(make.invitation(id), digest),
          ])
          for (const each of both) expectOk(each)
          same(
            expectOk(await store.invitations.find(digest, noonMicros)) !== undefined,
            true,
            'the operator’s',
          )
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
])

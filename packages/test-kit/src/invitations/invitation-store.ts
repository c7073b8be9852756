import type { InvitationSpending, StoredInvitation } from '@sotto/identity'
import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, type StorageCase } from '../stores/harness.ts'
import { invitationAccessTokenCases } from './invitation-access-tokens.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { oneTimeCases, type OneTimeStore } from '../stores/one-time.ts'
import { spending } from '../stores/one-time-rows.ts'
import { addAccount } from '../stores/rows.ts'

const links: OneTimeStore<StoredInvitation, InvitationSpending> = {
  port: 'invitation-store',
  what: 'one-time link',
  make: (make, accountId) => make.invitation(accountId),
  storeIn: ({ invitations }) => invitations,
  makeSpending: (make, accountId) => spending(make, accountId),
  spend: ({ invitations }, left, digest, nowMicros) => invitations.spend(digest, { ...left, nowMicros }),
  changedIn: async ({ passwords, sessions }, accountId) => [
    expectOk(await passwords.find(accountId)),
    expectOk(await sessions.page(accountId, undefined, 20)),
  ],
  afterSpending: ({ password, session }) => [password, [session]],
}

/** What histories seldom show of the store of one-time links, or not at all: tokens that are revoked, and callers at the same time. */
export const invitationCases: readonly StorageCase[] = [
  neededStoresCase('invitation-store', 'invitations', [
    ...(['accounts', 'keys', 'folders', 'secrets', 'links', 'outbox', 'deliveries', 'webhooks'] as const),
    ...(['accessTokens', 'passwords', 'passkeys', 'sessions', 'emailChanges'] as const),
  ]),
  ...oneTimeCases(links),
  ...invitationAccessTokenCases,
  ...casesOf({
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
]

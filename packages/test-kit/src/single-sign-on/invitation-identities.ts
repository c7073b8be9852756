import type { StoredIdentity } from '@sotto/identity'
import type { InvitationKind, Uuid } from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  kids,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { addInvitation, spending } from '../stores/one-time-rows.ts'
import { onlyWinner } from '../stores/races.ts'
import { addAccount, addPassword } from '../stores/rows.ts'
import { taking } from './identity-rows.ts'

/** The rows with which somebody gets in to an account. */
async function accessTo(store: StorageUnderTest, accountId: Uuid) {
  return {
    password: expectOk(await store.passwords.find(accountId)),
    identities: expectOk(await store.identities.list(accountId)),
    passkeys: expectOk(await store.passkeys.list(accountId)),
    sessions: expectOk(await store.sessions.page(accountId, undefined, 10)),
  }
}

/** Adds an account with an identity and a passkey, and with a password if asked. */
async function addAuthenticators(store: StorageUnderTest, make: Samples, hasPassword: boolean) {
  const { id } = await addAccount(store, make)
  if (hasPassword) await addPassword(store, make, id)
  const [identity, index, passkey] = [make.identity(id), make.nameIndex(), make.passkey(id)]
  expectOk(await store.identities.insert(identity, [index], 5))
  expectOk(await store.passkeys.insert(passkey, make.tokenDigest(), 5))
  return { id, identity, index, passkey }
}

/** The kinds of link and of account, and whether what was there before goes. */
const links: readonly (readonly [kind: InvitationKind, hasPassword: boolean, goes: boolean])[] = [
  ['reset', false, true],
  ['reset', true, true],
  ['invite', true, true],
  ['invite', false, false],
]

/** Cases of `takeInvitation`, and of what both do with identities and passkeys. */
export const invitationIdentityCases: readonly StorageCase[] = together({
  'identity-store/a-reset-and-a-replaced-password-erase-identities-and-passkeys': storageCase({
    rule: 'spend of a reset, and of an invitation that replaces a password, erases all identities and passkeys of the account; an invitation to an account without a password, and other accounts, keep theirs.',
    async check(store, make) {
      for (const [kind, hasPassword, goes] of links) {
        const [mine, theirs] = [
          await addAuthenticators(store, make, hasPassword),
          await addAuthenticators(store, make, false),
        ]
        const others = await accessTo(store, theirs.id)
        const { digest } = await addInvitation(store, make, mine.id, { kind })
        const left = spending(make, mine.id)
        same(expectOk(await store.invitations.spend(digest, left)), true)
        same(await accessTo(store, mine.id), {
          password: left.password,
          identities: goes ? [] : [mine.identity],
          passkeys: goes ? [] : [mine.passkey],
          sessions: [left.session],
        })
        same(await accessTo(store, theirs.id), others)
      }
    },
  }),
  'identity-store/take-leaves-an-identity-and-a-session': storageCase({
    rule: 'takeInvitation does the same as spend of one-time links, with an identity in place of a password: the account has no password afterwards, and a session that was begun with the identity and the session at the provider.',
    async check(store, make) {
      for (const [kind, hasPassword, goes] of links) {
        const [mine, theirs] = [
          await addAuthenticators(store, make, hasPassword),
          await addAuthenticators(store, make, true),
        ]
        const others = await accessTo(store, theirs.id)
        const { digest } = await addInvitation(store, make, mine.id, { kind })
        const left = taking(make, mine.id)
        same(expectOk(await store.identities.takeInvitation(digest, left, 5)), true)
        same(await accessTo(store, mine.id), {
          password: undefined,
          identities: [...(goes ? [] : [mine.identity]), left.identity],
          passkeys: goes ? [] : [mine.passkey],
          sessions: [left.session],
        })
        same(expectOk(await store.invitations.find(digest, noonMicros)), undefined, 'the link')
        same(await accessTo(store, theirs.id), others)
        const { indexes: identity, providerSession } = left
        const token = { digest: make.tokenDigest(), eraseAtMicros: noonMicros }
        same(expectOk(await store.identities.endSessions({ identity, providerSession, token })), 1)
      }
    },
  }),
  'identity-store/take-replaces-an-identity-of-the-account': storageCase({
    rule: 'takeInvitation with an identity that the account has already replaces it, under any of the indexes.',
    async check(store, make) {
      const { id, index } = await addAuthenticators(store, make, false)
      const { digest } = await addInvitation(store, make, id, { kind: 'invite' })
      const left = { ...taking(make, id), indexes: [make.nameIndex(), index] as const }
      same(expectOk(await store.identities.takeInvitation(digest, left, 1)), true)
      same((await accessTo(store, id)).identities, [left.identity])
      const found: StoredIdentity | undefined = expectOk(await store.identities.find([left.indexes[0]]))
      same(found?.id, left.identity.id)
    },
  }),
  'identity-store/refused-take-changes-nothing': storageCase({
    rule: 'takeInvitation answers identity_taken when another account has the identity, identity_limit_reached when there would be more than `max`, key_retired under such a key, and Ok(false) for a link that find would not find; it changes nothing then.',
    async check(store, make) {
      const [mine, theirs] = [
        await addAuthenticators(store, make, false),
        await addAuthenticators(store, make, false),
      ]
      const { digest, invitation } = await addInvitation(store, make, mine.id, { kind: 'invite' })
      const before = await accessTo(store, mine.id)
      const left = taking(make, mine.id)
      const take = (columns: Partial<typeof left>, given = digest, max = 5) =>
        store.identities.takeInvitation(given, { ...left, ...columns }, max)
      expectErr(await take({ indexes: [make.nameIndex(), theirs.index] }), 'identity_taken')
      expectErr(await take({}, digest, 1), 'identity_limit_reached')
      const name = { kid: kids.retired, ciphertext: make.ciphertext() }
      expectErr(await take({ identity: { ...left.identity, name } }), 'key_retired')
      same(expectOk(await take({}, make.tokenDigest())), false, 'an unknown link')
      same(expectOk(await take({ nowMicros: invitation.expiresAtMicros })), false, 'an expired link')
      same(await accessTo(store, mine.id), before)
      same(expectOk(await store.invitations.find(digest, noonMicros)), invitation)
      same(expectOk(await take({})), true)
    },
  }),
  'identity-store/one-of-parallel-takings-wins': storageCase({
    rule: 'Of several calls that take or spend one link at the same time exactly one succeeds.',
    check: (store, make) => oneTakingWins(store, store, make),
  }),
  'identity-store/one-of-takings-from-two-storages-wins': besideCase({
    rule: 'Of several calls by two storages that take or spend one link at the same time exactly one succeeds.',
    check: oneTakingWins,
  }),
})

async function oneTakingWins(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const { id } = await addAccount(store, make)
  const { digest } = await addInvitation(store, make, id)
  let made = 0
  const winner = await onlyWinner({
    stores: [store, beside],
    makeRival: () => ((made += 1) % 3 === 0 ? spending(make, id) : taking(make, id)),
    run: ({ invitations, identities }, left) =>
      'password' in left ? invitations.spend(digest, left) : identities.takeInvitation(digest, left, 5),
  })
  same((await accessTo(store, id)).sessions, [winner.session])
}

import { casesOf } from '../../contract.ts'
import type { StoredPassword, StoredInvitation, Uuid, InvitationSpending } from '@sotto/core'
import { expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import {
  besideCase,
  reopenCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from './harness.ts'
import { onlyWinner } from './races.ts'
import { addAccount, addPassword } from './rows.ts'
import { status } from './session-rows.ts'

const aloneCases: readonly StorageCase[] = casesOf({
  'invitation-store/spent-link-is-gone': storageCase({
    rule: 'A one-time link is found and spent once; other ones stay.',
    async check(store, make) {
      const [mine, theirs] = [await addInvitation(store, make), await addInvitation(store, make)]
      for (const isFirst of [true, false]) {
        const spent = await store.invitations.spend(mine.digest, spending(make, mine.invitation.accountId))
        same(expectOk(spent), isFirst)
        same(expectOk(await store.invitations.find(mine.digest, noonMicros)), undefined)
      }
      same(expectOk(await store.invitations.find(theirs.digest, noonMicros)), theirs.invitation)
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
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
  'invitation-store/spend-of-none-is-false': storageCase({
    rule: 'spend answers Ok(false) and changes nothing for a one-time link that is unknown, expired, replaced, or of a disabled account.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const before = await addPassword(store, make, id)
      const replaced = await addInvitation(store, make, id)
      const current = await addInvitation(store, make, id)
      const { expiresAtMicros } = current.invitation
      const isFalse = async (digest: Uint8Array, nowMicros: number, when: string) => {
        const spent = await store.invitations.spend(digest, { ...spending(make, id), nowMicros })
        same(expectOk(spent), false, when)
        same(expectOk(await store.passwords.find(id)), before.password, when)
        same(expectOk(await store.sessions.page(id, undefined, 10)), [before.session], when)
      }
      await isFalse(make.tokenDigest(), noonMicros, 'an unknown one')
      await isFalse(replaced.digest, noonMicros, 'one that was replaced')
      await isFalse(current.digest, expiresAtMicros, 'an expired one')
      same(expectOk(await store.invitations.find(current.digest, noonMicros)), current.invitation)
      expectOk(await store.accounts.disable(id, noonMicros))
      await isFalse(current.digest, noonMicros, 'one of a disabled account')
    },
  }),
  'invitation-store/one-of-parallel-spendings-wins': storageCase({
    rule: 'Of several calls that spend one one-time link at the same time exactly one succeeds, and what it brought is stored.',
    async check(store, make) {
      await oneSpendingWins(make, [store, store])
    },
  }),
  'invitation-store/one-of-spendings-from-two-storages-wins': besideCase({
    rule: 'Of several calls by two storages on the same data that spend one one-time link exactly one succeeds.',
    async check(store, beside, make) {
      await oneSpendingWins(make, [store, beside])
    },
  }),
  'invitation-store/spendings-are-durable': reopenCase({
    rule: 'The password and the session of a one-time link that was spent are found after reopening.',
    async before(store, make) {
      const { invitation, digest } = await addInvitation(store, make)
      const left = spending(make, invitation.accountId)
      expectOk(await store.invitations.spend(digest, left))
      return left
    },
    async after({ passwords, sessions }, { password, session, sessionDigest }) {
      same(expectOk(await passwords.find(password.accountId)), password)
      same(expectOk(await sessions.findByDigest(sessionDigest)), status(session))
    },
  }),
})

/** Cases of `spend`. */
export const invitationSpendingCases: readonly StorageCase[] = [...aloneCases, ...togetherCases]

/** Makes a one-time link for the account, or for a new one. */
export async function addInvitation(
  store: StorageUnderTest,
  make: Samples,
  accountId?: Uuid,
  columns?: Partial<StoredInvitation>,
): Promise<{ readonly invitation: StoredInvitation; readonly digest: Uint8Array }> {
  const invitation = make.invitation(accountId ?? (await addAccount(store, make)).id, columns)
  const digest = make.tokenDigest()
  expectOk(await store.invitations.replace(invitation, digest), 'making a one-time link')
  return { invitation, digest }
}

/** What a spending leaves behind: a new password and a new session. */
export function spending(
  make: Samples,
  accountId: Uuid,
  columns?: Partial<StoredPassword>,
): InvitationSpending {
  return {
    nowMicros: noonMicros,
    password: make.password(accountId, columns),
    session: make.session(accountId),
    sessionDigest: make.tokenDigest(),
  }
}

/** @param stores each on the same data */
async function oneSpendingWins(
  make: Samples,
  stores: readonly [StorageUnderTest, StorageUnderTest],
): Promise<void> {
  const [store] = stores
  const { invitation, digest } = await addInvitation(store, make)
  const { accountId } = invitation
  const winner = await onlyWinner({
    stores,
    makeRival: () => spending(make, accountId),
    run: ({ invitations }, rival) => invitations.spend(digest, rival),
  })
  same(expectOk(await store.passwords.find(accountId)), winner.password, 'the password')
  const sessions = expectOk(await store.sessions.page(accountId, undefined, 20))
  same(sessions, [winner.session], 'the sessions')
}

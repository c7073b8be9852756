import type { Uuid } from '@sotto/core'
import { casesOf, contractOf } from '../../contract.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import { reopenCase, storageCase, type StorageCase, type StorageUnderTest, together } from './harness.ts'
import { neededStoresCase } from './needed-stores.ts'
import { addAccount, addPassword } from './rows.ts'
import { addEmailChange, emailChangeSpendingCases } from './email-change-spending.ts'
import { addInvitation, spending } from './invitation-spending.ts'

/** Cases of `replace`, `find` and `eraseExpired`, and of what else ends a change. */
const emailChangeFindCases: readonly StorageCase[] = casesOf({
  'email-change-store/replace-is-found-again': storageCase({
    rule: 'A change comes back by its digest exactly as it was stored.',
    async check(store, make) {
      const { change, digest } = await addEmailChange(store, make, undefined, { email: make.ciphertext(97) })
      same(expectOk(await store.emailChanges.find(digest, noonMicros)), change)
    },
  }),
  'email-change-store/find-of-none-is-undefined': storageCase({
    rule: 'find answers undefined for an unknown digest.',
    async check(store, make) {
      const { digest } = await addEmailChange(store, make)
      const close = Uint8Array.from(digest, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const other of [make.tokenDigest(), close]) await isGone(store, other)
    },
  }),
  'email-change-store/replace-erases-the-older-one': storageCase({
    rule: 'replace erases the older change of its account and of no other account.',
    async check(store, make) {
      const [older, elsewhere] = [await addEmailChange(store, make), await addEmailChange(store, make)]
      const newer = await addEmailChange(store, make, older.change.accountId)
      await isGone(store, older.digest)
      for (const { change, digest } of [newer, elsewhere]) {
        same(expectOk(await store.emailChanges.find(digest, noonMicros)), change)
      }
    },
  }),
  'email-change-store/account-must-be-enabled': storageCase({
    rule: 'replace answers account_not_found for an unknown account, a disabled one and one that is being erased, and writes nothing.',
    needs: ['together'],
    async check(store, make) {
      const [disabled, erased] = [await addAccount(store, make), await addAccount(store, make)]
      expectOk(await store.accounts.disable(disabled.id, noonMicros))
      expectOk(await store.accounts.beginErasure(erased.id))
      for (const accountId of [make.uuid(), disabled.id, erased.id]) {
        const digest = make.tokenDigest()
        expectErr(await store.emailChanges.replace(make.emailChange(accountId), digest), 'account_not_found')
      }
      const stored = await store.emailChanges.eraseExpired(Number.MAX_SAFE_INTEGER, 10)
      same(expectOk(stored), 0, 'how many are stored')
    },
  }),
  'email-change-store/is-found-until-it-expires': storageCase({
    rule: 'A change is found until the microsecond before its expiry.',
    async check(store, make) {
      const { change, digest } = await addEmailChange(store, make)
      const { expiresAtMicros } = change
      same(expectOk(await store.emailChanges.find(digest, expiresAtMicros - 1)), change)
      await isGone(store, digest, expiresAtMicros)
    },
  }),
  'email-change-store/find-of-a-disabled-account-is-undefined': storageCase({
    rule: 'The change of an account that was disabled since is not found.',
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addEmailChange(store, make), await addEmailChange(store, make)]
      expectOk(await store.accounts.disable(mine.change.accountId, noonMicros))
      await isGone(store, mine.digest)
      same(expectOk(await store.emailChanges.find(theirs.digest, noonMicros)), theirs.change)
    },
  }),
  'email-change-store/ends-with-what-replaces-its-owner': storageCase({
    rule: 'A rename, a new password, the use of a one-time link and an erasure that begins each erase the change of their account, and of no other.',
    needs: ['together'],
    async check(store, make) {
      const other = await addEmailChange(store, make)
      for (const [what, end] of Object.entries(endings)) {
        const { id } = await addAccount(store, make)
        const { password, session } = await addPassword(store, make, id)
        const { digest } = await addEmailChange(store, make, id)
        await end(store, make, { id, expectedId: password.id, keepSessionId: session.id })
        await isGone(store, digest, noonMicros, what)
        same(expectOk(await store.emailChanges.find(other.digest, noonMicros)), other.change, what)
      }
      const stored = await store.emailChanges.eraseExpired(Number.MAX_SAFE_INTEGER, 10)
      same(expectOk(stored), 1, 'how many are stored')
    },
  }),
  'email-change-store/erase-takes-the-expired-up-to-the-limit': storageCase({
    rule: 'eraseExpired erases the changes that expired at the given time or before, at most as many as it is told, and no other.',
    async check(store, make) {
      const expiring = (expiresAtMicros: number) =>
        addEmailChange(store, make, undefined, { expiresAtMicros })
      for (const at of [noonMicros, noonMicros - 1, noonMicros - 2]) await expiring(at)
      const live = await expiring(noonMicros + 1)
      for (const erased of [2, 1, 0]) {
        same(expectOk(await store.emailChanges.eraseExpired(noonMicros, 2)), erased, 'how many were erased')
      }
      same(expectOk(await store.emailChanges.find(live.digest, 0)), live.change)
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'email-change-store/writes-are-durable': reopenCase({
    rule: 'Changes that were stored, replaced or spent are so after reopening.',
    async before(store, make) {
      const [older, spent] = [await addEmailChange(store, make), await addEmailChange(store, make)]
      const newer = await addEmailChange(store, make, older.change.accountId)
      const name = [make.encrypted(), [make.nameIndex()]] as const
      expectOk(await store.emailChanges.spend(spent.digest, noonMicros, ...name))
      return { newer, gone: [older, spent] }
    },
    async after(store, { newer, gone }) {
      same(expectOk(await store.emailChanges.find(newer.digest, noonMicros)), newer.change)
      for (const { digest } of gone) await isGone(store, digest)
    },
  }),
})

/** The contract of the store of waiting changes of email addresses. */
export const emailChangeStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('email-change-store', 'emailChanges', ['accounts', 'keys', 'passwords', 'invitations']),
  ...togetherCases,
  ...emailChangeFindCases,
  ...emailChangeSpendingCases,
])

interface Owner {
  readonly id: Uuid
  readonly expectedId: Uuid
  readonly keepSessionId: Uuid
}

const endings: Readonly<
  Record<string, (store: StorageUnderTest, make: Samples, owner: Owner) => Promise<unknown>>
> = {
  'a rename': async (store, make, { id }) =>
    expectOk(await store.accounts.rename(id, make.encrypted(), [make.nameIndex()])),
  'a new password': async (store, make, { id, ...options }) =>
    expectOk(await store.passwords.replace(make.password(id), options)),
  'a one-time link': async (store, make, { id }) => {
    const { digest } = await addInvitation(store, make, id)
    return expectOk(await store.invitations.spend(digest, spending(make, id)))
  },
  'an erasure': async (store, _make, { id }) => expectOk(await store.accounts.beginErasure(id)),
}

async function isGone(
  { emailChanges }: StorageUnderTest,
  digest: Uint8Array,
  nowMicros = noonMicros,
  when?: string,
): Promise<void> {
  same(expectOk(await emailChanges.find(digest, nowMicros)), undefined, when)
}

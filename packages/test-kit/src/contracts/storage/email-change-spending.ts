import type { StoredEmailChange, Uuid } from '@sotto/core'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import {
  besideCase,
  kids,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from './harness.ts'
import { onlyWinner } from './races.ts'
import { addAccount } from './rows.ts'
import { addInvitation } from './invitation-spending.ts'

/** Cases of `spend`. */
export const emailChangeSpendingCases: readonly StorageCase[] = together({
  'email-change-store/spent-change-is-gone': storageCase({
    rule: 'A change is found and spent once; other ones stay.',
    async check(store, make) {
      const [mine, theirs] = [await addEmailChange(store, make), await addEmailChange(store, make)]
      for (const isFirst of [true, false]) {
        same(expectOk(await spend(store, make, mine.digest)), isFirst)
        same(expectOk(await store.emailChanges.find(mine.digest, noonMicros)), undefined)
      }
      same(expectOk(await store.emailChanges.find(theirs.digest, noonMicros)), theirs.change)
    },
  }),
  'email-change-store/spend-renames': storageCase({
    rule: 'spend gives the account of the change the new name, under the first index, erases its one-time link, and changes no other account.',
    async check(store, make) {
      const [account, index] = [make.account(), make.nameIndex()]
      expectOk(await store.accounts.insert(account, [index]))
      const { digest } = await addEmailChange(store, make, account.id)
      const { digest: invitationDigest } = await addInvitation(store, make, account.id)
      const other = await addInvitation(store, make)
      const [name, first, second] = [make.encrypted(), make.nameIndex(), make.nameIndex()]
      same(expectOk(await store.emailChanges.spend(digest, noonMicros, name, [first, second])), true)
      same(expectOk(await store.accounts.findByName([first])), { ...account, name })
      for (const gone of [index, second]) same(expectOk(await store.accounts.findByName([gone])), undefined)
      same(
        expectOk(await store.invitations.find(invitationDigest, noonMicros)),
        undefined,
        'the one-time link',
      )
      same(
        expectOk(await store.invitations.find(other.digest, noonMicros)),
        other.invitation,
        "another account's",
      )
    },
  }),
  'email-change-store/spend-of-none-is-false': storageCase({
    rule: 'spend answers Ok(false) and changes nothing for a change that is unknown, expired, replaced, or of a disabled account; another one can be spent.',
    async check(store, make) {
      const account = make.account()
      expectOk(await store.accounts.insert(account, [make.nameIndex()]))
      const replaced = await addEmailChange(store, make, account.id)
      const { change, digest } = await addEmailChange(store, make, account.id)
      const isFalse = async (given: Uint8Array, nowMicros: number, when: string) => {
        same(expectOk(await spend(store, make, given, nowMicros)), false, when)
        same(expectOk(await store.accounts.find(account.id))?.name, account.name, when)
      }
      await isFalse(make.tokenDigest(), noonMicros, 'an unknown one')
      await isFalse(replaced.digest, noonMicros, 'one that was replaced')
      await isFalse(digest, change.expiresAtMicros, 'an expired one')
      same(expectOk(await store.emailChanges.find(digest, noonMicros)), change)
      expectOk(await store.accounts.disable(account.id, noonMicros))
      await isFalse(digest, noonMicros, 'one of a disabled account')
      const other = await addEmailChange(store, make)
      same(expectOk(await spend(store, make, other.digest)), true, "another account's")
    },
  }),
  'email-change-store/refused-spending-changes-nothing': storageCase({
    rule: 'spend answers account_exists when another account has the name, under any index, key_retired under a retired or an unknown key, and changes nothing.',
    async check(store, make) {
      const [account, taken] = [make.account(), make.nameIndex()]
      expectOk(await store.accounts.insert(account, [make.nameIndex()]))
      expectOk(await store.accounts.insert(make.account(), [taken]))
      const { change, digest } = await addEmailChange(store, make, account.id)
      const isUnchanged = async () => {
        same(expectOk(await store.accounts.find(account.id)), account)
        same(expectOk(await store.emailChanges.find(digest, noonMicros)), change)
      }
      const indexes = [make.nameIndex(), taken] as const
      const refused = await store.emailChanges.spend(digest, noonMicros, make.encrypted(), indexes)
      expectErr(refused, 'account_exists')
      await isUnchanged()
      for (const kid of [kids.retired, kids.unknown]) {
        const name = { kid, ciphertext: make.ciphertext() }
        const under = await store.emailChanges.spend(digest, noonMicros, name, [make.nameIndex()])
        expectErr(under, 'key_retired')
        await isUnchanged()
      }
    },
  }),
  'email-change-store/one-of-parallel-spendings-wins': storageCase({
    rule: 'Of several calls that spend one change at the same time exactly one succeeds.',
    async check(store, make) {
      await oneSpendingWins(make, [store, store])
    },
  }),
  'email-change-store/one-of-spendings-from-two-storages-wins': besideCase({
    rule: 'Of several calls by two storages on the same data that spend one change exactly one succeeds.',
    async check(store, beside, make) {
      await oneSpendingWins(make, [store, beside])
    },
  }),
})

/** Adds a change to the account, or to a new one. */
export async function addEmailChange(
  store: StorageUnderTest,
  make: Samples,
  accountId?: Uuid,
  columns?: Partial<StoredEmailChange>,
): Promise<{ readonly change: StoredEmailChange; readonly digest: Uint8Array }> {
  const change = make.emailChange(accountId ?? (await addAccount(store, make)).id, columns)
  const digest = make.tokenDigest()
  expectOk(await store.emailChanges.replace(change, digest), 'storing a change')
  return { change, digest }
}

function spend(
  { emailChanges }: StorageUnderTest,
  make: Samples,
  digest: Uint8Array,
  nowMicros = noonMicros,
) {
  return emailChanges.spend(digest, nowMicros, make.encrypted(), [make.nameIndex()])
}

async function oneSpendingWins(
  make: Samples,
  stores: readonly [StorageUnderTest, StorageUnderTest],
): Promise<void> {
  const { change, digest } = await addEmailChange(stores[0], make)
  const winner = await onlyWinner({
    stores,
    makeRival: () => make.encrypted(),
    run: ({ emailChanges }, name) => emailChanges.spend(digest, noonMicros, name, [make.nameIndex()]),
  })
  same(expectOk(await stores[0].accounts.find(change.accountId))?.name, winner)
}

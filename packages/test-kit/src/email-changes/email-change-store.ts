import type { StoredEmailChange } from '@sotto/identity'
import type { Encrypted, Uuid } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, together, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { oneTimeCases, type OneTimeStore } from '../stores/one-time.ts'
import { addEmailChange, addInvitation, spending } from '../stores/one-time-rows.ts'
import { addAccount, addPassword } from '../stores/rows.ts'

interface NewName {
  readonly name: Encrypted
  readonly index: Uint8Array
}

const changes: OneTimeStore<StoredEmailChange, NewName> = {
  port: 'email-change-store',
  what: 'change',
  make: (make, accountId, columns) => make.emailChange(accountId, columns),
  storeIn: ({ emailChanges }) => emailChanges,
  makeSpending: (make) => ({ name: make.encrypted(), index: make.nameIndex() }),
  spend: ({ emailChanges }, { name, index }, digest, nowMicros) =>
    emailChanges.spend(digest, nowMicros, name, [index]),
  changedIn: async ({ accounts }, accountId) => expectOk(await accounts.find(accountId))?.name,
  afterSpending: ({ name }) => name,
}

const changeCases = oneTimeCases(changes)

/** The contract of the store of waiting changes of email addresses. */
export const emailChangeStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('email-change-store', 'emailChanges', ['accounts', 'keys', 'passwords', 'invitations']),
  ...changeCases.alone,
  ...casesOf({
    'email-change-store/replace-is-found-again': storageCase({
      rule: 'A change comes back by its digest exactly as it was stored.',
      async check(store, make) {
        const { change, digest } = await addEmailChange(store, make, undefined, {
          email: make.ciphertext(97),
        })
        same(expectOk(await store.emailChanges.find(digest, noonMicros)), change)
      },
    }),
  }),
  ...changeCases.withOthers,
  ...together({
    'email-change-store/ends-with-what-replaces-its-owner': storageCase({
      rule: 'A rename, a new password, the use of a one-time link and an erasure that begins each erase the change of their account, and of no other.',
      async check(store, make) {
        const other = await addEmailChange(store, make)
        for (const [what, end] of Object.entries(endings)) {
          const { id } = await addAccount(store, make)
          const { password, session } = await addPassword(store, make, id)
          const { digest } = await addEmailChange(store, make, id)
          await end(store, make, { id, expectedId: password.id, keepSessionId: session.id })
          same(expectOk(await store.emailChanges.find(digest, noonMicros)), undefined, what)
          same(expectOk(await store.emailChanges.find(other.digest, noonMicros)), other.change, what)
        }
        const stored = await store.emailChanges.eraseExpired(Number.MAX_SAFE_INTEGER, 10)
        same(expectOk(stored), 1, 'how many are stored')
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
    'email-change-store/refused-spending-changes-nothing': storageCase({
      rule: 'spend answers account_exists when another account has the name, under any index, and changes nothing.',
      async check(store, make) {
        const [account, taken] = [make.account(), make.nameIndex()]
        expectOk(await store.accounts.insert(account, [make.nameIndex()]))
        expectOk(await store.accounts.insert(make.account(), [taken]))
        const { change, digest } = await addEmailChange(store, make, account.id)
        const indexes = [make.nameIndex(), taken] as const
        const refused = await store.emailChanges.spend(digest, noonMicros, make.encrypted(), indexes)
        expectErr(refused, 'account_exists')
        same(expectOk(await store.accounts.find(account.id)), account)
        same(expectOk(await store.emailChanges.find(digest, noonMicros)), change)
      },
    }),
  }),
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

import { casesOf } from '../contract/contract.ts'
import {
  defaultMailChoice,
  languages,
  type AccountStore,
  type KeyRetired,
  type StorageError,
  type StoredAccount,
  type Uuid,
} from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { durableCase, kids, storageCase, type StorageCase } from '../stores/harness.ts'
import { addInvitation } from '../stores/one-time-rows.ts'

/** Cases of `find`, `rename`, `setLanguage`, `setMails` and `setNotifies`. */
export const accountChangeCases: readonly StorageCase[] = casesOf({
  'account-store/find-gives-the-account-with-the-id': storageCase({
    rule: 'find gives the account with the id exactly as it is stored, disabled or not, and undefined for an unknown id.',
    async check({ accounts }, make) {
      const active = make.account({
        language: 'fr',
        mails: { enabled: false, nameLabels: true },
        notifies: true,
      })
      const disabled = make.account({ disabledAtMicros: noonMicros })
      for (const account of [active, disabled]) expectOk(await accounts.insert(account, [make.nameIndex()]))
      for (const account of [active, disabled]) same(expectOk(await accounts.find(account.id)), account)
      same(expectOk(await accounts.find(make.uuid())), undefined)
    },
  }),
  'account-store/rename-changes-the-name': storageCase({
    rule: 'A renamed account is found by the first of the new indexes only; nothing else of any account changes.',
    async check({ accounts }, make) {
      const [account, index] = [make.account({ language: 'de' }), make.nameIndex()]
      const [other, otherIndex] = [make.account(), make.nameIndex()]
      expectOk(await accounts.insert(account, [index]))
      expectOk(await accounts.insert(other, [otherIndex]))
      const [name, first, second] = [make.encrypted(), make.nameIndex(), make.nameIndex()]
      expectOk(await accounts.rename(account.id, name, [first, second]))
      same(expectOk(await accounts.findByName([first])), { ...account, name }, 'by the new index')
      for (const none of [index, second]) same(expectOk(await accounts.findByName([none])), undefined)
      same(expectOk(await accounts.findByName([otherIndex])), other, 'the other account')
      expectOk(await accounts.insert(make.account(), [index]), 'an account with the name that became free')
    },
  }),
  'account-store/rename-to-its-own-name': storageCase({
    rule: 'An account can be renamed to the name that it has.',
    async check({ accounts }, make) {
      const [account, index] = [make.account(), make.nameIndex()]
      expectOk(await accounts.insert(account, [index]))
      const [name, newIndex] = [make.encrypted(), make.nameIndex()]
      expectOk(await accounts.rename(account.id, name, [newIndex, index]))
      same(expectOk(await accounts.findByName([newIndex])), { ...account, name })
    },
  }),
  'account-store/rename-erases-the-one-time-link': storageCase({
    rule: 'rename erases the one-time link of its account and of no other; one that is refused erases none.',
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addInvitation(store, make), await addInvitation(store, make)]
      const { accountId } = mine.invitation
      const taken = make.nameIndex()
      expectOk(await store.accounts.insert(make.account(), [taken]))
      expectErr(await store.accounts.rename(accountId, make.encrypted(), [taken]), 'account_exists')
      const retired = { kid: kids.retired, ciphertext: make.ciphertext() }
      expectErr(await store.accounts.rename(accountId, retired, [make.nameIndex()]), 'key_retired')
      same(expectOk(await store.invitations.find(mine.digest, noonMicros)), mine.invitation, 'a refused one')
      expectOk(await store.accounts.rename(accountId, make.encrypted(), [make.nameIndex()]))
      same(expectOk(await store.invitations.find(mine.digest, noonMicros)), undefined)
      same(expectOk(await store.invitations.find(theirs.digest, noonMicros)), theirs.invitation)
    },
  }),
  'account-store/rename-to-a-taken-name-is-refused': storageCase({
    rule: 'rename answers account_exists when another account is stored under any of the indexes, and changes nothing.',
    async check({ accounts }, make) {
      const [account, index] = [make.account(), make.nameIndex()]
      const taken = make.nameIndex()
      expectOk(await accounts.insert(account, [index]))
      expectOk(await accounts.insert(make.account(), [taken]))
      for (const indexes of [[taken], [taken, make.nameIndex()], [make.nameIndex(), taken]] as const) {
        expectErr(await accounts.rename(account.id, make.encrypted(), indexes), 'account_exists')
        same(expectOk(await accounts.findByName([index])), account)
      }
    },
  }),
  'account-store/rename-of-none-is-an-error': storageCase({
    rule: 'rename of an unknown account answers account_not_found and changes nothing.',
    async check({ accounts }, make) {
      const account = make.account()
      expectOk(await accounts.insert(account, [make.nameIndex()]))
      const index = make.nameIndex()
      expectErr(await accounts.rename(make.uuid(), make.encrypted(), [index]), 'account_not_found')
      same(expectOk(await accounts.findByName([index])), undefined)
      same(expectOk(await accounts.page(undefined, 10)), [account])
    },
  }),
  'account-store/one-of-parallel-renames-wins': storageCase({
    rule: 'Of several accounts that take one name at the same time exactly one gets it; the others answer account_exists.',
    async check({ accounts }, make) {
      const rivals = Array.from({ length: 12 }, () => make.account())
      for (const each of rivals) expectOk(await accounts.insert(each, [make.nameIndex()]))
      const index = make.nameIndex()
      const results = await Promise.all(rivals.map(({ id, name }) => accounts.rename(id, name, [index])))
      const winners = rivals.filter((_, at) => results[at]?.isOk())
      same(winners.length, 1, 'how many succeeded')
      for (const result of results) if (result.isErr()) same(result.error, { code: 'account_exists' })
      same(expectOk(await accounts.findByName([index])), winners[0])
    },
  }),
  'account-store/choices-of-none-are-false': storageCase({
    rule: 'setLanguage, setMails, setNotifies, setDisplayName and disable of an unknown account answer Ok(false) and change nothing.',
    async check({ accounts }, make) {
      const account = make.account()
      expectOk(await accounts.insert(account, [make.nameIndex()]))
      for (const [name, { columns, set }] of Object.entries(choices)) {
        for (const each of columns(make)) {
          same(expectOk(await set(accounts, make.uuid(), each)), false, name)
          same(expectOk(await accounts.page(undefined, 10)), [account], name)
        }
      }
    },
  }),
  'account-store/changes-are-durable': durableCase({
    rule: 'The new name, the display name and the choices of an account are found after reopening.',
    async act({ accounts }, make) {
      const account = make.account()
      expectOk(await accounts.insert(account, [make.nameIndex()]))
      const [name, index] = [make.encrypted(), make.nameIndex()]
      expectOk(await accounts.rename(account.id, name, [index]))
      for (const { columns, set } of Object.values(choices))
        for (const each of columns(make).slice(0, 1)) expectOk(await set(accounts, account.id, each))
      return (store) => [store.accounts.findByName([index])]
    },
  }),
})

/** A method that sets a column of an account, and columns for it. */
interface Choice {
  readonly rule: string
  columns(make: Samples): readonly Partial<StoredAccount>[]
  set(
    accounts: AccountStore,
    id: Uuid,
    columns: Partial<StoredAccount>,
  ): ResultAsync<boolean, StorageError | KeyRetired>
}

/** The choices, by the name of the case that each is set. */
export const choices: Readonly<Record<string, Choice>> = {
  'language-is-set': {
    rule: 'setLanguage sets the language of the account and of no other, or takes it away, and answers Ok(true).',
    columns: () => [...languages, undefined].map((language) => ({ language })),
    set: (accounts, id, { language }) => accounts.setLanguage(id, language),
  },
  'mails-are-set': {
    rule: 'setMails sets which mails the owner of the account wants, and of no other, and answers Ok(true).',
    columns: () => mailChoices.map((mails) => ({ mails })),
    set: (accounts, id, { mails = defaultMailChoice }) => accounts.setMails(id, mails),
  },
  'notifies-is-set': {
    rule: 'setNotifies sets what the owner of the account chose last, and of no other account, and answers Ok(true).',
    columns: () => [{ notifies: true }, { notifies: false }],
    set: (accounts, id, { notifies = false }) => accounts.setNotifies(id, notifies),
  },
  'display-name-is-set': {
    rule: 'setDisplayName sets the display name of the account and of no other, replaces it, or takes it away, and answers Ok(true).',
    columns: (make) =>
      [
        make.displayName(),
        make.displayName(),
        { id: make.uuid(), name: { ...make.encrypted(), ciphertext: make.ciphertext(96) } },
        undefined,
      ].map((displayName) => ({ displayName })),
    set: (accounts, id, { displayName }) => accounts.setDisplayName(id, displayName),
  },
  'disable-changes-one-account': {
    rule: 'disable changes the given account and no other, and answers Ok(true).',
    columns: () => [{ disabledAtMicros: noonMicros }],
    set: (accounts, id, { disabledAtMicros = 0 }) => accounts.disable(id, disabledAtMicros),
  },
  'release-changes-one-account': {
    rule: 'release releases the given account and no other, also one that is not held, and answers Ok(true).',
    columns: () => [{ isHeld: false }, { isHeld: false }],
    set: (accounts, id) => accounts.release(id),
  },
}

/** Cases of what one call sets. */
export const accountChoiceCases: readonly StorageCase[] = Object.entries(choices).map(
  ([name, { rule, columns, set }]) => ({
    id: `account-store/${name}`,
    ...storageCase({
      rule,
      async check({ accounts }, make) {
        const [account, index] = [make.account({ isHeld: true }), make.nameIndex()]
        const other = make.account({ language: 'es', isHeld: true })
        expectOk(await accounts.insert(account, [index]))
        expectOk(await accounts.insert(other, [make.nameIndex()]))
        for (const each of columns(make)) {
          const now = { ...account, ...each }
          same(expectOk(await set(accounts, account.id, each)), true)
          same(expectOk(await accounts.page(undefined, 10)), [now, other])
          same(expectOk(await accounts.find(account.id)), now)
          same(expectOk(await accounts.findByName([index])), now)
        }
      },
    }),
  }),
)

const mailChoices = [true, false].flatMap((enabled) =>
  [true, false].map((nameLabels) => ({ enabled, nameLabels })),
)

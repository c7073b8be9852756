import { defaultMailChoice } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync } from 'neverthrow'
import { brokenStore, pause, slowly, type Broken } from './broken.ts'

const accounts = brokenStore('accounts')

/** Flaws of finding by id, of renaming and of languages. */
export const brokenAccountChanges: readonly Broken<StorageHarness>[] = [
  accounts(
    'loses the language',
    ['account-store/insert-is-found-again', 'account-store/find-gives-the-account-with-the-id'],
    (store) => ({
      insert: (account, indexes) => store.insert({ ...account, language: undefined }, indexes),
    }),
  ),
  accounts('finds no disabled account', ['account-store/find-gives-the-account-with-the-id'], (store) => ({
    find: (id) => store.find(id).map((found) => (found?.disabledAtMicros === undefined ? found : undefined)),
  })),
  accounts(
    'leaves a renamed account under its old index',
    ['account-store/rename-changes-the-name', 'account-store/rename-to-its-own-name'],
    (store, data) => ({
      rename(id, name, indexes) {
        const nameIndex = data.accounts.get(id)?.nameIndex
        return store.rename(id, name, indexes).map(() => {
          const row = data.accounts.get(id)
          if (row && nameIndex) data.accounts.set(id, { ...row, nameIndex })
        })
      },
    }),
  ),
  accounts(
    'stores a renamed account under the last index',
    ['account-store/rename-changes-the-name'],
    (store) => ({
      rename: (id, name, indexes) => store.rename(id, name, [indexes.at(-1) ?? indexes[0]]),
    }),
  ),
  accounts(
    'leaves a renamed account its one-time link',
    ['account-store/rename-erases-the-one-time-link'],
    (store, { welcomes }) => ({
      rename(id, ...to) {
        const welcome = welcomes.get(id)
        return store.rename(id, ...to).map(() => {
          if (welcome) welcomes.set(id, welcome)
        })
      },
    }),
  ),
  accounts(
    'erases the one-time link, then looks whether the name is taken',
    ['account-store/rename-erases-the-one-time-link'],
    (store, { welcomes }) => ({
      rename(id, ...to) {
        welcomes.delete(id)
        return store.rename(id, ...to)
      },
    }),
  ),
  accounts(
    'erases all one-time links with a rename',
    ['account-store/rename-erases-the-one-time-link'],
    (store, { welcomes }) => ({
      rename: (id, ...to) => store.rename(id, ...to).map(() => welcomes.clear()),
    }),
  ),
  accounts('renames all accounts', ['account-store/rename-changes-the-name'], (store, data) => ({
    rename: (id, name, indexes) =>
      store.rename(id, name, indexes).map(() => {
        for (const [each, row] of data.accounts) {
          data.accounts.set(each, { ...row, account: { ...row.account, name } })
        }
      }),
  })),
  accounts(
    "takes an account's own name for another's",
    ['account-store/rename-to-its-own-name'],
    (store) => ({
      rename: (id, name, indexes) =>
        store
          .findByName(indexes)
          .andThen((found) =>
            found === undefined ? store.rename(id, name, indexes) : err({ code: 'account_exists' as const }),
          ),
    }),
  ),
  accounts(
    'checks only the first index on rename',
    ['account-store/rename-to-a-taken-name-is-refused'],
    (store) => ({ rename: (id, name, [first]) => store.rename(id, name, [first]) }),
  ),
  accounts(
    'renames although it refuses',
    [
      'account-store/rename-to-a-taken-name-is-refused',
      'account-store/rename-under-a-retired-key-is-refused',
    ],
    (store, data) => ({
      rename: (id, name, indexes) =>
        store.rename(id, name, indexes).mapErr((error) => {
          const row = data.accounts.get(id)
          if (row) data.accounts.set(id, { account: { ...row.account, name }, nameIndex: indexes[0] })
          return error
        }),
    }),
  ),
  accounts('adds the account that it lacks', ['account-store/rename-of-none-is-an-error'], (store) => ({
    rename: (id, name, indexes) =>
      store.rename(id, name, indexes).orElse((error) =>
        store
          .insert(
            {
              id,
              name,
              createdAtMicros: 1,
              disabledAtMicros: undefined,
              language: undefined,
              mails: defaultMailChoice,
            },
            indexes,
          )
          .andThen(() => err(error)),
      ),
  })),
  accounts(
    'checks the name, then renames',
    ['account-store/one-of-parallel-renames-wins'],
    (store, data) => ({
      rename: (id, name, indexes) =>
        slowly(async () => {
          const found = await store.findByName(indexes)
          if (found.isErr()) return err(found.error)
          if (found.value !== undefined) return err({ code: 'account_exists' as const })
          await pause()
          const row = data.accounts.get(id)
          if (row) data.accounts.set(id, { account: { ...row.account, name }, nameIndex: indexes[0] })
          return ok()
        }),
    }),
  ),
  accounts('cannot take a language away', ['account-store/language-is-set'], (store) => ({
    setLanguage: (id, language) => (language === undefined ? okAsync(true) : store.setLanguage(id, language)),
  })),
  accounts('sets the language of all accounts', ['account-store/language-is-set'], (store, data) => ({
    setLanguage: (id, language) =>
      store.setLanguage(id, language).map((done) => {
        for (const [each, row] of data.accounts) {
          data.accounts.set(each, { ...row, account: { ...row.account, language } })
        }
        return done
      }),
  })),
  accounts('answers true for every account', ['account-store/language-of-none-is-false'], (store) => ({
    setLanguage: (id, language) => store.setLanguage(id, language).map(() => true),
  })),
]

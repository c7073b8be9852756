import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStorage, brokenStore, type Broken } from './broken.ts'

export const drafts = brokenStore('drafts')

export const brokenDrafts: readonly Broken<StorageHarness>[] = [
  drafts('swaps note and wrap', ['draft-store/find-gives-draft-and-note'], (store) => ({
    find: (...asked) =>
      store
        .find(...asked)
        .map((found) => found && { ...found, note: { note: found.note.wrap, wrap: found.note.note } }),
  })),
  brokenStorage(
    "finds other accounts' drafts",
    ['draft-store/find-of-none-is-undefined'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        find: (_, id) => store.find(data.secrets.get(id)?.secret.accountId ?? '', id),
      },
    }),
  ),
  brokenStorage(
    'still finds shared drafts',
    ['draft-store/find-of-none-is-undefined', 'draft-store/share-ends-the-draft'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        find: (accountId, id) => {
          const { secret, note } = data.secrets.get(id) ?? {}
          return okAsync(secret?.accountId === accountId && note ? { secret, note } : undefined)
        },
      },
    }),
  ),
  drafts('lists the latest first', ['draft-store/page-is-in-order'], (store) => ({
    page: (...asked) => store.page(...asked).map((rows) => rows.toReversed()),
  })),
  drafts('compares only the time of a cursor', ['draft-store/page-is-in-order'], (store) => ({
    page: (filter, after, limit) => store.page(filter, after && { ...after, id: 'ffffffff' }, limit),
  })),
  brokenStorage(
    'lists shareable secrets as drafts',
    ['draft-store/page-shows-own-drafts-only'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        page: ({ accountId }) =>
          okAsync(
            [...data.secrets.values()]
              .map(({ secret }) => secret)
              .filter((row) => row.accountId === accountId),
          ),
      },
    }),
  ),
  brokenStorage(
    "lists other accounts' drafts",
    ['draft-store/page-shows-own-drafts-only'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        page: () =>
          okAsync(
            [...data.secrets.values()].map(({ secret }) => secret).filter((row) => row.link === undefined),
          ),
      },
    }),
  ),
  drafts(
    'ignores the folder',
    ['draft-store/page-of-one-folder', 'draft-store/page-of-no-folder-of-the-account'],
    (store) => ({ page: (filter, ...rest) => store.page({ ...filter, folderId: undefined }, ...rest) }),
  ),
  drafts('applies the limit before the folder', ['draft-store/page-of-one-folder'], (store) => ({
    page: ({ folderId, ...filter }, after, limit) =>
      store
        .page(filter, after, limit)
        .map((rows) => rows.filter((row) => folderId === undefined || row.folderId === folderId)),
  })),
  drafts(
    "lists another account's folder",
    ['draft-store/page-of-no-folder-of-the-account'],
    (store, data) => ({
      page: (filter, ...rest) =>
        store.page(
          { ...filter, accountId: data.folders.get(filter.folderId ?? '')?.accountId ?? filter.accountId },
          ...rest,
        ),
    }),
  ),
  drafts('answers true without erasing', ['draft-store/erase-removes-draft-and-note'], () => ({
    erase: () => okAsync(true),
  })),
  brokenStorage(
    'erases the other drafts of the folder',
    ['draft-store/erase-removes-draft-and-note'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        erase(accountId, id) {
          const folderId = data.secrets.get(id)?.secret.folderId
          const answer = store.erase(accountId, id)
          for (const [each, { secret }] of data.secrets)
            if (secret.folderId === folderId) data.secrets.delete(each)
          return answer
        },
      },
    }),
  ),
  drafts('answers true for every id', ['draft-store/erase-of-none-is-false'], (store) => ({
    erase: (...asked) => store.erase(...asked).map(() => true),
  })),
  brokenStorage(
    'erases shared secrets',
    ['draft-store/erase-of-none-is-false'],
    ({ drafts: store, data }) => ({
      drafts: { ...store, erase: (_, id) => okAsync(data.secrets.delete(id)) },
    }),
  ),
]

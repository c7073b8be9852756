import { type DraftStore } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStorage, type Broken } from './broken.ts'

export const brokenDrafts: readonly Broken<StorageHarness>[] = [
  drafts('gives note and wrap in each other’s place', ['draft-store/find-gives-draft-and-note'], (store) => ({
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
    'finds shared drafts still',
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
  drafts('lists the latest first', ['draft-store/slice-is-in-order'], (store) => ({
    slice: (...asked) => store.slice(...asked).map((rows) => rows.toReversed()),
  })),
  drafts('goes on by time alone', ['draft-store/slice-is-in-order'], (store) => ({
    slice: (accountId, after, limit) => store.slice(accountId, after && { ...after, id: 'ffffffff' }, limit),
  })),
  brokenStorage(
    'lists shareable secrets as drafts',
    ['draft-store/slice-shows-own-drafts-only'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        slice: (accountId) =>
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
    ['draft-store/slice-shows-own-drafts-only'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        slice: () =>
          okAsync(
            [...data.secrets.values()].map(({ secret }) => secret).filter((row) => row.link === undefined),
          ),
      },
    }),
  ),
  drafts('says that it erased, and does not', ['draft-store/erase-takes-draft-and-note'], () => ({
    erase: () => okAsync(true),
  })),
  brokenStorage(
    'erases the other drafts of the folder',
    ['draft-store/erase-takes-draft-and-note'],
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
  drafts('says that it erased what is not there', ['draft-store/erase-of-none-is-false'], (store) => ({
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

export function drafts(
  fault: string,
  breaks: readonly string[],
  change: (store: DraftStore) => Partial<DraftStore>,
): Broken<StorageHarness> {
  return brokenStorage(fault, breaks, ({ drafts: store }) => ({ drafts: { ...store, ...change(store) } }))
}

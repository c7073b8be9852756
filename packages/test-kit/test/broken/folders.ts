import type { StoredFolderWithCounts } from '@sotto/core'
import type { MemoryData, MemoryStorage, StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStorage, toMillis, type Broken } from './broken.ts'

export const brokenFolders: readonly Broken<StorageHarness>[] = [
  brokenStorage(
    'keeps times to the millisecond',
    ['folder-store/insert-is-found-again', 'folder-store/slice-is-in-order'],
    ({ folders }) => ({
      folders: {
        ...folders,
        insert: (folder) => folders.insert({ ...folder, createdAtMicros: toMillis(folder.createdAtMicros) }),
      },
    }),
  ),
  brokenStorage('adds folders of nobody', ['folder-store/account-has-to-exist'], ({ folders, data }) => ({
    folders: {
      ...folders,
      insert: (folder) => {
        data.folders.set(folder.id, folder)
        return okAsync(undefined)
      },
    },
  })),
  brokenStorage(
    'adds what it refuses',
    ['folder-store/account-has-to-exist', 'folder-store/retired-key-is-refused'],
    ({ folders, data }) => ({
      folders: {
        ...folders,
        insert: (folder) =>
          folders.insert(folder).mapErr((error) => {
            data.folders.set(folder.id, folder)
            return error
          }),
      },
    }),
  ),
  brokenStorage(
    'gives every folder to everybody',
    ['folder-store/owns-tells-whose-it-is'],
    ({ folders, data }) => ({
      folders: { ...folders, owns: (_, folderId) => okAsync(data.folders.has(folderId)) },
    }),
  ),
  brokenStorage('lists the latest first', ['folder-store/slice-is-in-order'], ({ folders }) => ({
    folders: {
      ...folders,
      slice: (...asked) => folders.slice(...asked).map((rows) => rows.toReversed()),
    },
  })),
  brokenStorage('goes on by time alone', ['folder-store/slice-is-in-order'], ({ folders }) => ({
    folders: {
      ...folders,
      slice: (accountId, nowMicros, after, limit) =>
        folders.slice(accountId, nowMicros, after && { ...after, id: 'ffffffff' }, limit),
    },
  })),
  brokenStorage(
    "lists other accounts' folders too",
    ['folder-store/slice-shows-own-folders-only'],
    (storage) => ({
      folders: {
        ...storage.folders,
        slice: (accountId, nowMicros, after, limit) => {
          const owners = [accountId, ...storage.data.accounts.keys()]
          const owner = owners.find((each) =>
            storage.data.folders.values().some((row) => row.accountId === each),
          )
          return storage.folders.slice(owner ?? accountId, nowMicros, after, limit)
        },
      },
    }),
  ),
  brokenStorage(
    'counts what lies in all folders together',
    ['folder-store/counts-each-folder-by-itself', 'folder-store/counts-equal-the-lists'],
    (storage) =>
      counting(storage, (row, { secrets }) => ({
        ...row,
        draftsCount: [...secrets.values()].filter(({ secret }) => secret.link === undefined).length,
      })),
  ),
  brokenStorage(
    'counts secrets at their expiry still',
    ['folder-store/counts-secrets-until-they-expire'],
    ({ folders }) => ({
      folders: {
        ...folders,
        slice: (accountId, nowMicros, after, limit) => folders.slice(accountId, nowMicros - 1, after, limit),
      },
    }),
  ),
  brokenStorage(
    'counts expired secrets',
    ['folder-store/counts-secrets-until-they-expire', 'folder-store/counts-equal-the-lists'],
    ({ folders }) => ({
      folders: {
        ...folders,
        slice: (accountId, _, after, limit) => folders.slice(accountId, 0, after, limit),
      },
    }),
  ),
  brokenStorage(
    'counts secrets with a note only',
    ['folder-store/counts-secrets-without-note', 'folder-store/counts-equal-the-lists'],
    (storage) =>
      counting(storage, (row, { secrets }) => {
        const inFolder = [...secrets.values()].filter(({ secret }) => secret.folderId === row.id)
        const destroyed = inFolder.filter(({ note }) => note === undefined).length
        return { ...row, secretsCount: Math.max(0, row.secretsCount - destroyed) }
      }),
  ),
]

/** Changes each row of a list of folders. */
function counting(
  { folders, data }: Pick<MemoryStorage, 'folders' | 'data'>,
  counted: (row: StoredFolderWithCounts, data: MemoryData) => StoredFolderWithCounts,
): Pick<MemoryStorage, 'folders'> {
  return {
    folders: {
      ...folders,
      slice: (...asked) => folders.slice(...asked).map((rows) => rows.map((row) => counted(row, data))),
    },
  }
}

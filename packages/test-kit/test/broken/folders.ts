import { secretLifetimeMicros, type StoredFolderWithCounts } from '@sotto/core'
import type { MemoryData, MemoryStorage, StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStorage, toMillis, type Broken } from './broken.ts'

export const brokenFolders: readonly Broken<StorageHarness>[] = [
  brokenStorage(
    'stores times to the millisecond',
    ['folder-store/insert-is-found-again', 'folder-store/page-is-in-order'],
    ({ folders }) => ({
      folders: {
        ...folders,
        insert: (folder) => folders.insert({ ...folder, createdAtMicros: toMillis(folder.createdAtMicros) }),
      },
    }),
  ),
  brokenStorage(
    'replaces a folder with the same id',
    ['folder-store/id-belongs-to-one-folder'],
    ({ folders, data }) => ({
      folders: {
        ...folders,
        insert(folder) {
          data.folders.delete(folder.id)
          return folders.insert(folder)
        },
      },
    }),
  ),
  brokenStorage(
    'takes 30 days for the lifetime of every secret',
    ['folder-store/counts-secrets-until-they-expire', 'folder-store/counts-equal-the-lists'],
    (storage) =>
      counting(storage, (row, { secrets }, nowMicros) => {
        const young = [...secrets.values()].filter(
          ({ secret: { folderId, link } }) =>
            folderId === row.id && link && link.createdAtMicros + secretLifetimeMicros > nowMicros,
        )
        return { ...row, secretsCount: young.length }
      }),
  ),
  brokenStorage(
    'inserts folders of unknown accounts',
    ['folder-store/account-must-exist'],
    ({ folders, data }) => ({
      folders: {
        ...folders,
        insert: (folder) => {
          data.folders.set(folder.id, folder)
          return okAsync(undefined)
        },
      },
    }),
  ),
  brokenStorage(
    'inserts what it refuses',
    ['folder-store/account-must-exist', 'folder-store/retired-key-is-refused'],
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
    'ignores the account of a folder',
    ['folder-store/owns-checks-the-account'],
    ({ folders, data }) => ({
      folders: { ...folders, owns: (_, folderId) => okAsync(data.folders.has(folderId)) },
    }),
  ),
  brokenStorage('lists the latest first', ['folder-store/page-is-in-order'], ({ folders }) => ({
    folders: {
      ...folders,
      page: (...asked) => folders.page(...asked).map((rows) => rows.toReversed()),
    },
  })),
  brokenStorage('compares only the time of a cursor', ['folder-store/page-is-in-order'], ({ folders }) => ({
    folders: {
      ...folders,
      page: (accountId, nowMicros, after, limit) =>
        folders.page(accountId, nowMicros, after && { ...after, id: 'ffffffff' }, limit),
    },
  })),
  brokenStorage(
    "lists other accounts' folders too",
    ['folder-store/page-shows-own-folders-only'],
    (storage) => ({
      folders: {
        ...storage.folders,
        page: (accountId, nowMicros, after, limit) => {
          const owners = [accountId, ...storage.data.accounts.keys()]
          const owner = owners.find((each) =>
            storage.data.folders.values().some((row) => row.accountId === each),
          )
          return storage.folders.page(owner ?? accountId, nowMicros, after, limit)
        },
      },
    }),
  ),
  brokenStorage(
    'counts the drafts of all folders',
    ['folder-store/counts-per-folder', 'folder-store/counts-equal-the-lists'],
    (storage) =>
      counting(storage, (row, { secrets }) => ({
        ...row,
        draftsCount: [...secrets.values()].filter(({ secret }) => secret.link === undefined).length,
      })),
  ),
  brokenStorage(
    'still counts secrets at their expiry',
    ['folder-store/counts-secrets-until-they-expire'],
    ({ folders }) => ({
      folders: {
        ...folders,
        page: (accountId, nowMicros, after, limit) => folders.page(accountId, nowMicros - 1, after, limit),
      },
    }),
  ),
  brokenStorage(
    'counts expired secrets',
    ['folder-store/counts-secrets-until-they-expire', 'folder-store/counts-equal-the-lists'],
    ({ folders }) => ({
      folders: {
        ...folders,
        page: (accountId, _, after, limit) => folders.page(accountId, 0, after, limit),
      },
    }),
  ),
  brokenStorage(
    'counts only secrets with a note',
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
  counted: (row: StoredFolderWithCounts, data: MemoryData, nowMicros: number) => StoredFolderWithCounts,
): Pick<MemoryStorage, 'folders'> {
  return {
    folders: {
      ...folders,
      page: (accountId, nowMicros, ...rest) =>
        folders
          .page(accountId, nowMicros, ...rest)
          .map((rows) => rows.map((row) => counted(row, data, nowMicros))),
    },
  }
}

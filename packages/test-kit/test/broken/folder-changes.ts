import type { StorageHarness } from '@sotto/test-kit'
import { errAsync, ok, okAsync } from 'neverthrow'
import { brokenStore, pause, slowly, type Broken } from './broken.ts'

const folders = brokenStore('folders')

/** Flaws of finding, relabelling and erasing one folder. */
export const brokenFolderChanges: readonly Broken<StorageHarness>[] = [
  folders('counts expired secrets', ['folder-store/find-gives-the-folder-with-its-counts'], (store) => ({
    find: (accountId, id) => store.find(accountId, id, 0),
  })),
  folders("finds other accounts' folders", ['folder-store/find-checks-the-account'], (store, data) => ({
    find: (accountId, id, nowMicros) =>
      store.find(data.folders.get(id)?.accountId ?? accountId, id, nowMicros),
  })),
  folders('relabels all folders', ['folder-store/relabel-replaces-the-label'], (store, data) => ({
    relabel: (accountId, id, label) =>
      store.relabel(accountId, id, label).map((done) => {
        for (const [each, folder] of data.folders) data.folders.set(each, { ...folder, label })
        return done
      }),
  })),
  folders("relabels other accounts' folders", ['folder-store/relabel-of-none-is-false'], (store, data) => ({
    relabel: (accountId, id, label) =>
      store.relabel(data.folders.get(id)?.accountId ?? accountId, id, label).map(() => false),
  })),
  folders('answers true for every folder', ['folder-store/relabel-of-none-is-false'], (store) => ({
    relabel: (accountId, id, label) => store.relabel(accountId, id, label).map(() => true),
  })),
  folders(
    'relabels although it refuses',
    ['folder-store/relabel-under-a-retired-key-is-refused'],
    (store, data) => ({
      relabel: (accountId, id, label) =>
        store.relabel(accountId, id, label).mapErr((error) => {
          const folder = data.folders.get(id)
          if (folder) data.folders.set(id, { ...folder, label })
          return error
        }),
    }),
  ),
  folders('erases all empty folders', ['folder-store/erase-takes-an-empty-folder'], (store, data) => ({
    erase: (accountId, id, nowMicros) =>
      store.erase(accountId, id, nowMicros).map((done) => {
        data.folders.clear()
        return done
      }),
  })),
  folders(
    'answers true although there is none',
    ['folder-store/erase-takes-an-empty-folder', 'folder-store/erase-of-none-is-false'],
    (store) => ({
      erase: (accountId, id, nowMicros) => store.erase(accountId, id, nowMicros).map(() => true),
    }),
  ),
  folders("erases other accounts' folders", ['folder-store/erase-of-none-is-false'], (store, data) => ({
    erase: (accountId, id, nowMicros) =>
      store.erase(data.folders.get(id)?.accountId ?? accountId, id, nowMicros).map(() => false),
  })),
  folders(
    'erases drafts with their folder',
    ['folder-store/folder-that-is-not-empty-stays'],
    (store, { secrets }) => ({
      erase(accountId, id, nowMicros) {
        for (const { secret } of secrets.values()) if (!secret.link) secrets.delete(secret.id)
        return store.erase(accountId, id, nowMicros)
      },
    }),
  ),
  folders(
    'takes secrets for expired too early',
    ['folder-store/folder-that-is-not-empty-stays'],
    (store) => ({
      erase: (accountId, id, nowMicros) => store.erase(accountId, id, nowMicros + 1),
    }),
  ),
  folders(
    'erases the expired although it refuses',
    ['folder-store/folder-that-is-not-empty-stays'],
    (store, { secrets }) => ({
      erase(accountId, id, nowMicros) {
        for (const { secret } of secrets.values()) {
          if (secret.link && secret.link.expiresAtMicros <= nowMicros) secrets.delete(secret.id)
        }
        return store.erase(accountId, id, nowMicros)
      },
    }),
  ),
  folders('keeps the expired', ['folder-store/erase-takes-the-expired'], (_, data) => ({
    erase: (_accountId, id) => okAsync(data.folders.delete(id)),
  })),
  folders('refuses for the expired', ['folder-store/erase-takes-the-expired'], (store, { secrets }) => ({
    erase: (accountId, id, nowMicros) =>
      secrets.values().some(({ secret }) => secret.folderId === id)
        ? errAsync({ code: 'folder_not_empty' })
        : store.erase(accountId, id, nowMicros),
  })),
  folders('looks, then erases', ['folder-store/erase-or-insert-wins'], (store, data) => ({
    erase: (accountId, id, nowMicros) =>
      slowly(async () => {
        const found = await store.find(accountId, id, nowMicros)
        await pause()
        return found.isOk() && found.value ? ok(data.folders.delete(id)) : ok(false)
      }),
  })),
]

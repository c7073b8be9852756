import { isExpired, type FolderStore, type StoredFolder, type StoredFolderWithCounts } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { keyRetired, pageOf, taken, type MemoryConnection, type MemoryData } from './memory-data.ts'

export function createMemoryFolders({ data, answer, hasAccount, mayWrite }: MemoryConnection): FolderStore {
  return {
    insert: (folder) =>
      answer(() => {
        if (!hasAccount(folder.accountId)) return err({ code: 'account_not_found' })
        if (!mayWrite(folder.label)) return err(keyRetired)
        if (data.folders.has(folder.id)) return err(taken)
        data.folders.set(folder.id, structuredClone(folder))
        return ok()
      }),

    owns: (accountId, folderId) => answer(() => ok(data.folders.get(folderId)?.accountId === accountId)),

    page: (accountId, nowMicros, after, limit) =>
      answer(() => {
        const own = [...data.folders.values()].filter((folder) => folder.accountId === accountId)
        return ok(pageOf(own, after, limit).map((folder) => counted(data, folder, nowMicros)))
      }),
  }
}

function counted({ secrets }: MemoryData, folder: StoredFolder, nowMicros: number): StoredFolderWithCounts {
  let draftsCount = 0
  let secretsCount = 0
  for (const { secret } of secrets.values()) {
    if (secret.folderId !== folder.id) continue
    if (secret.link === undefined) draftsCount += 1
    else if (!isExpired(secret.link.expiresAtMicros, nowMicros)) secretsCount += 1
  }
  return { ...folder, draftsCount, secretsCount }
}

import {
  isExpired,
  type FolderStore,
  type StoredFolder,
  type StoredFolderWithCounts,
  type Uuid,
} from '@sotto/core'
import { err, ok } from 'neverthrow'
import { openRequests } from '../requests/memory-requests.ts'
import { keyRetired, pageOf, taken, type MemoryConnection, type MemoryData } from '../stores/memory-data.ts'

export function createMemoryFolders({ data, answer, hasAccount, mayWrite }: MemoryConnection): FolderStore {
  const folderOf = (accountId: Uuid, id: Uuid): StoredFolder | undefined => {
    const folder = data.folders.get(id)
    return folder?.accountId === accountId ? folder : undefined
  }
  return {
    insert: (folder) =>
      answer(() => {
        if (!hasAccount(folder.accountId)) return err({ code: 'account_not_found' })
        if (!mayWrite(folder.label)) return err(keyRetired)
        if (data.folders.has(folder.id)) return err(taken)
        data.folders.set(folder.id, structuredClone(folder))
        return ok()
      }),

    find: (accountId, id, nowMicros) =>
      answer(() => {
        const folder = folderOf(accountId, id)
        return ok(folder && counted(data, folder, nowMicros))
      }),

    owns: (accountId, folderId) => answer(() => ok(folderOf(accountId, folderId) !== undefined)),

    page: (accountId, nowMicros, after, limit) =>
      answer(() => {
        const own = [...data.folders.values()].filter((folder) => folder.accountId === accountId)
        return ok(pageOf(own, after, limit).map((folder) => counted(data, folder, nowMicros)))
      }),

    relabel: (accountId, id, label) =>
      answer(() => {
        const folder = folderOf(accountId, id)
        if (folder === undefined) return ok(false)
        if (!mayWrite(label)) return err(keyRetired)
        data.folders.set(id, structuredClone({ ...folder, label }))
        return ok(true)
      }),

    erase: (accountId, id, nowMicros) =>
      answer(() => {
        const folder = folderOf(accountId, id)
        if (folder === undefined) return ok(false)
        const { draftsCount, secretsCount } = counted(data, folder, nowMicros)
        const requestsCount = openRequests(data, { accountId, folderId: id, nowMicros }).length
        if (draftsCount + secretsCount + requestsCount > 0) return err({ code: 'folder_not_empty' })
        for (const { secret } of data.secrets.values())
          if (secret.folderId === id) data.secrets.delete(secret.id)
        for (const { request } of data.requests.values())
          if (request.folderId === id) data.requests.delete(request.id)
        return ok(data.folders.delete(id))
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

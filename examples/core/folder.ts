import type { Sotto } from '@sotto/core'
import { must } from './sotto.ts'

/** The account of one of your users, and its first folder. Both are created where they do not exist yet. */
export async function folderOf(sotto: Sotto, user: string) {
  const { id: accountId } = must(await sotto.ensureAccount({ externalId: user }))
  for await (const page of sotto.listFolders({ accountId, pageSize: 1 })) {
    const [folder] = must(page).items
    if (folder !== undefined) return { accountId, folderId: folder.id }
  }
  const { id: folderId } = must(await sotto.createFolder({ accountId, label: 'Inbox' }))
  return { accountId, folderId }
}

import type { Sotto } from '@sotto/core'
import { must } from './sotto.ts'

/** The account of one of your users, and its folder "Inbox". Both are created where they do not exist yet. */
export async function folderOf(sotto: Sotto, user: string) {
  const { id: accountId } = must(await sotto.ensureAccount({ externalId: user }))
  const { id: folderId } = must(await sotto.ensureFolder({ accountId, label: 'Inbox' }))
  return { accountId, folderId }
}

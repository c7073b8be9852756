import type { ErrorOf, Sotto } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'

type UseCases = Pick<Sotto, 'ensureAccount' | 'listFolders' | 'createFolder'>
type FolderError = ErrorOf<UseCases['ensureAccount' | 'createFolder' | 'listFolders']>

/** Where the secrets of a user go. */
interface Place {
  readonly accountId: string
  readonly folderId: string
}

/** The account of one of your users, and its first folder. Both are created where they do not exist yet. */
export function folderOf(sotto: UseCases, user: string): ResultAsync<Place, FolderError> {
  return new ResultAsync(find(sotto, user))
}

async function find(sotto: UseCases, user: string): Promise<Result<Place, FolderError>> {
  const account = await sotto.ensureAccount({ externalId: user })
  if (account.isErr()) return err(account.error)
  const accountId = account.value.id
  for await (const page of sotto.listFolders({ accountId, pageSize: 1 })) {
    if (page.isErr()) return err(page.error)
    const [folder] = page.value.items
    if (folder !== undefined) return ok({ accountId, folderId: folder.id })
  }
  const created = await sotto.createFolder({ accountId, label: 'Inbox' })
  return created.map(({ id: folderId }) => ({ accountId, folderId }))
}

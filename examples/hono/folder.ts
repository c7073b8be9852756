import type { ErrorOf, Sotto } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'

type UseCases = Pick<Sotto, 'ensureAccount' | 'ensureFolder'>
type FolderError = ErrorOf<UseCases['ensureAccount' | 'ensureFolder']>

/** Where the secrets of a user go. */
interface Place {
  readonly accountId: string
  readonly folderId: string
}

/** The account of one of your users, and its folder "Inbox". Both are created where they do not exist yet. */
export function folderOf(sotto: UseCases, user: string): ResultAsync<Place, FolderError> {
  return sotto
    .ensureAccount({ externalId: user })
    .andThen(({ id: accountId }) =>
      sotto.ensureFolder({ accountId, label: 'Inbox' }).map(({ id: folderId }) => ({ accountId, folderId })),
    )
}

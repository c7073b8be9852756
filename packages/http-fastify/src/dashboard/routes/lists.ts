import { err, ok, type Result } from 'neverthrow'
import type { DataDamaged, FolderWithCounts, ListFoldersError, Pages } from '@sotto/core'
import type { DashboardUseCases } from '../../use-cases.ts'
import type { OwnerVisit } from '../visit.ts'

/** Rows of a list on one page. */
export const rowsPerPage = 50

/** The first page of a list, and whether there is more. Read it with `pageSize: rowsPerPage + 1`. */
export interface FirstPage<T> {
  readonly items: readonly T[]
  readonly damaged: readonly DataDamaged[]
  readonly hasMore: boolean
}

/** Reads one page of a list and no further. */
export async function firstPage<T, E>(pages: Pages<T, E>): Promise<Result<FirstPage<T>, E>> {
  for await (const page of pages) {
    if (page.isErr()) return err(page.error)
    const { items, damaged } = page.value
    const hasMore = items.length + damaged.length > rowsPerPage
    return ok({ items: hasMore ? items.slice(0, rowsPerPage) : items, damaged, hasMore })
  }
  return ok({ items: [], damaged: [], hasMore: false })
}

/** Every folder of the account that can be read. The log names the damaged ones. */
export interface AllFolders {
  readonly items: readonly FolderWithCounts[]
  readonly hasDamage: boolean
}

export async function allFolders(
  sotto: Pick<DashboardUseCases, 'listFolders'>,
  { accountId, request }: OwnerVisit,
): Promise<Result<AllFolders, ListFoldersError>> {
  const items: FolderWithCounts[] = []
  let hasDamage = false
  for await (const page of sotto.listFolders({ accountId })) {
    if (page.isErr()) return err(page.error)
    items.push(...page.value.items)
    for (const error of page.value.damaged) {
      hasDamage = true
      request.log.error({ error }, 'a damaged row was left out of a list')
    }
  }
  return ok({ items, hasDamage })
}

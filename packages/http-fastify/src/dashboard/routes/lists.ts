import { err, ok, type Result } from 'neverthrow'
import type {
  Cursor,
  DataDamaged,
  FolderWithCounts,
  ListFoldersError,
  ListInput,
  Page,
  Pages,
} from '@sotto/core'
import type { DashboardUseCases } from '../../use-cases.ts'
import type { OwnerVisit } from '../visit.ts'

/** Rows of a list on one page. */
export const rowsPerPage = 50

/** One page of a list. */
export interface ShownPage<T> {
  readonly items: readonly T[]
  readonly damaged: readonly DataDamaged[]
  /** Where the next page begins; `undefined` on the last one. */
  readonly next: Cursor | undefined
}

/** Reads one page of a list, and whether a row follows. */
export async function onePage<T, E>(
  list: (range: ListInput) => Pages<T, E>,
  after: Cursor | undefined,
): Promise<Result<ShownPage<T>, E>> {
  const page = await firstOf(list({ after, pageSize: rowsPerPage }))
  if (page.isErr()) return err(page.error)
  const { items, damaged, next } = page.value
  if (next === undefined) return ok({ items, damaged, next })
  const rest = await firstOf(list({ after: next, pageSize: 1 }))
  return rest.map((row) => ({ items, damaged, next: row.next && next }))
}

async function firstOf<T, E>(pages: Pages<T, E>): Promise<Result<Page<T>, E>> {
  for await (const page of pages) return page
  return ok({ items: [], damaged: [] })
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

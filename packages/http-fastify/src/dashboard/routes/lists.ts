import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
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
import { logDamage } from '../../http/errors.ts'
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

/** The rows of a whole list that can be read. */
export interface AllItems<T> {
  readonly items: readonly T[]
  readonly hasDamage: boolean
}

/** Reads a whole list. The log names the damaged rows. Other requests run between two pages. */
export async function allItems<T, E>(
  { request }: OwnerVisit,
  pages: Pages<T, E>,
): Promise<Result<AllItems<T>, E>> {
  const items: T[] = []
  let hasDamage = false
  for await (const page of pages) {
    if (page.isErr()) return err(page.error)
    items.push(...page.value.items)
    hasDamage ||= page.value.damaged.length > 0
    logDamage(request.log, page.value.damaged)
    if (page.value.next !== undefined) await turnOfEventLoop()
  }
  return ok({ items, hasDamage })
}

/** Every folder of the account that can be read. */
export function allFolders(
  sotto: Pick<DashboardUseCases, 'listFolders'>,
  visit: OwnerVisit,
): Promise<Result<AllItems<FolderWithCounts>, ListFoldersError>> {
  return allItems(visit, sotto.listFolders({ accountId: visit.accountId }))
}

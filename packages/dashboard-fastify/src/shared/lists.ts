import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { err, ok, type Result } from 'neverthrow'
import {
  type Cursor,
  type ErrorOf,
  type FolderWithCounts,
  type ListInput,
  type Page,
  type Pages,
} from '@sotto/core'
import { logCorruption } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import type { OwnerVisit } from './visit.ts'

/** Rows of a list on one page. */
export const rowsPerPage = 40

/** Reads one page of a list. */
export async function onePage<T, E>(
  list: (range: ListInput) => Pages<T, E>,
  after: Cursor | undefined,
): Promise<Result<Page<T>, E>> {
  for await (const page of list({ after, pageSize: rowsPerPage })) return page
  return ok({ items: [], corrupted: [] })
}

/** The rows of a whole list that can be read. */
export interface AllItems<T> {
  readonly items: readonly T[]
  readonly hasCorruption: boolean
}

/** Reads a whole list. The log names the corrupted rows. Other requests run between two pages. */
export async function allItems<T, E>(
  { request }: OwnerVisit,
  pages: Pages<T, E>,
): Promise<Result<AllItems<T>, E>> {
  const items: T[] = []
  let hasCorruption = false
  for await (const page of pages) {
    if (page.isErr()) return err(page.error)
    items.push(...page.value.items)
    hasCorruption ||= page.value.corrupted.length > 0
    logCorruption(request.log, page.value.corrupted)
    if (page.value.next !== undefined) await turnOfEventLoop()
  }
  return ok({ items, hasCorruption })
}

/** Every folder of the account that can be read. */
export function allFolders(
  sotto: Pick<DashboardUseCases, 'listFolders'>,
  visit: OwnerVisit,
): Promise<Result<AllItems<FolderWithCounts>, ErrorOf<DashboardUseCases['listFolders']>>> {
  return allItems(visit, sotto.listFolders({ accountId: visit.accountId }))
}

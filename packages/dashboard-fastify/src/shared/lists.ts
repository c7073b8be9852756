import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { err, ok, type Result } from 'neverthrow'
import {
  parseUuid,
  secretStatuses,
  type Cursor,
  type ErrorOf,
  type FolderNotFound,
  type FolderWithCounts,
  type ListInput,
  type Page,
  type Pages,
  type SecretStatus,
} from '@sotto/core'
import { logCorruption } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import type { ChosenList } from '../folders/dashboard-page.ts'
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

/** The list that the address of a request names. */
export function chosenList({ query }: Pick<OwnerVisit, 'query'>): ChosenList {
  const id = parseUuid(query['folder'] ?? '')
  return {
    folder: id === undefined ? undefined : { id },
    status: secretStatuses.find((each) => each === query['status']),
    ofDrafts: query['list'] === 'drafts',
  }
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

export type RailUseCases = Pick<DashboardUseCases, 'listFolders' | 'countSecrets'>

/** The folders beside a list, and which of them it shows. */
export interface Rail {
  readonly folders: readonly FolderWithCounts[]
  readonly folder: FolderWithCounts | undefined
  /** The totals of all folders. */
  readonly total: Readonly<Record<'all' | 'drafts' | SecretStatus, number>>
  readonly hasCorruption: boolean
}

/** @param chosen the id of the folder whose list is shown; without one the list is of all folders */
export async function readRail(
  sotto: RailUseCases,
  visit: OwnerVisit,
  chosen: string | undefined,
): Promise<Result<Rail, ErrorOf<RailUseCases[keyof RailUseCases]> | FolderNotFound>> {
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return err(folders.error)
  const { items, hasCorruption } = folders.value
  const id = parseUuid(chosen ?? '')
  const folder = items.find((each) => each.id === id)
  if (chosen !== undefined && folder === undefined) return err({ code: 'folder_not_found' })
  const total = await sotto.countSecrets({ accountId: visit.accountId })
  return total.map((counts) => ({ folders: items, folder, total: counts, hasCorruption }))
}

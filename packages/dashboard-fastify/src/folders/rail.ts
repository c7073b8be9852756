import {
  parseUuid,
  type ErrorOf,
  type FolderNotFound,
  type FolderWithCounts,
  type SecretStatus,
} from '@sotto/core'
import { err, type Result } from 'neverthrow'
import type { DashboardUseCases } from '../use-cases.ts'
import { allFolders } from '../shared/lists.ts'
import type { OwnerVisit } from '../shared/visit.ts'

export type RailUseCases = Pick<DashboardUseCases, 'listFolders' | 'countSecrets'>

/** The folders beside a list, and which of them it shows. */
export interface Rail {
  readonly folders: readonly FolderWithCounts[]
  readonly folder: FolderWithCounts | undefined
  /** The totals of all folders. */
  readonly total: Readonly<Record<'all' | 'drafts' | 'news' | SecretStatus, number>>
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

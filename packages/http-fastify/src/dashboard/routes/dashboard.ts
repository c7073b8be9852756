import { parseUuid, type Cursor } from '@sotto/core'
import { logCorruption } from '../../http/answers/log.ts'
import type { DashboardUseCases } from '../../use-cases.ts'
import { show, type Answer } from '../answers.ts'
import { cursorText, parseCursor } from '../cursor-text.ts'
import { errorAnswer, statusAnswer } from '../errors.ts'
import { dashboardPage } from '../pages/dashboard-page.ts'
import { doneOf } from '../pages/done.ts'
import type { NewFolderInput } from '../pages/folder-forms.ts'
import type { Router } from '../router.ts'
import type { OwnerVisit } from '../visit.ts'
import { allFolders, onePage } from './lists.ts'

export type DashboardPageUseCases = Pick<DashboardUseCases, 'listFolders' | 'browseSecrets'>

export interface DashboardPageRoutesOptions {
  readonly router: Router
  readonly sotto: DashboardPageUseCases
}

/** `/dashboard`. */
export function addDashboardPage({ router, sotto }: DashboardPageRoutesOptions): void {
  router.owner('/dashboard', { get: (visit) => showDashboard(sotto, visit) })
}

/** @param newFolder a new folder that could not be made, to be corrected */
export async function showDashboard(
  sotto: DashboardPageUseCases,
  visit: OwnerVisit,
  newFolder?: NewFolderInput,
): Promise<Answer> {
  const { accountId, localized, query } = visit
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  const folderId = parseUuid(query['folder'] ?? '')
  const folder = folders.value.items.find(({ id }) => id === folderId)
  if (query['folder'] !== undefined && folder === undefined) return statusAnswer(localized, 404)
  const after = parseCursor(query['after'])
  const page = await onePage(
    (range) => sotto.browseSecrets({ accountId, folderId: folder?.id, ...range }),
    after,
  )
  if (page.isErr()) return errorAnswer(visit, page.error)
  const { items, corrupted, next } = page.value
  logCorruption(visit.request.log, corrupted)
  const shown = dashboardPage(localized, {
    folders: folders.value.items,
    folder,
    secrets: items,
    older: next && olderPath(next, folder?.id),
    isContinued: after !== undefined,
    hasCorruption: corrupted.length > 0 || folders.value.hasCorruption,
    done: doneOf(localized, query['done']),
    newFolder,
  })
  return show(shown, newFolder === undefined ? 200 : 400)
}

function olderPath(next: Cursor, folderId: string | undefined): string {
  const after = `after=${cursorText(next)}`
  return folderId === undefined ? `/dashboard?${after}` : `/dashboard?folder=${folderId}&${after}`
}

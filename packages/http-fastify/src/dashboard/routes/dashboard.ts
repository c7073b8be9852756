import { parseUuid, secretStatuses } from '@sotto/core'
import { logCorruption } from '../../http/answers/log.ts'
import { bareOrigin } from '../../http/request/bare-origin.ts'
import type { DashboardUseCases } from '../../use-cases.ts'
import { show, type Answer } from '../answers.ts'
import { cursorText, parseCursor } from '../cursor-text.ts'
import { errorAnswer, statusAnswer } from '../errors.ts'
import { dashboardPage, listPath } from '../pages/dashboard-page.ts'
import { doneOf } from '../pages/done.ts'
import type { RefusedLabel } from '../pages/folder-rail.ts'
import type { Router } from '../router.ts'
import type { OwnerVisit } from '../visit.ts'
import { allFolders, onePage } from './lists.ts'

export type DashboardPageUseCases = Pick<DashboardUseCases, 'listFolders' | 'browseSecrets' | 'countSecrets'>

export interface DashboardPageOptions {
  readonly sotto: DashboardPageUseCases
  /** The bare origin of links. */
  readonly linkBaseUrl: string
}

/** `/dashboard`. */
export function addDashboardPage(options: DashboardPageOptions & { readonly router: Router }): void {
  options.router.owner('/dashboard', { get: (visit) => showDashboard(options, visit) })
}

/** @param newFolder a new folder that could not be made, to be corrected */
export async function showDashboard(
  { sotto, linkBaseUrl }: DashboardPageOptions,
  visit: OwnerVisit,
  newFolder?: RefusedLabel,
): Promise<Answer> {
  const { accountId, localized, query } = visit
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  const folderId = parseUuid(query['folder'] ?? '')
  const folder = folders.value.items.find(({ id }) => id === folderId)
  if (query['folder'] !== undefined && folder === undefined) return statusAnswer(localized, 404)
  const status = secretStatuses.find((each) => each === query['status'])
  const after = parseCursor(query['after'])
  const page = await onePage(
    (range) => sotto.browseSecrets({ accountId, folderId: folder?.id, status, ...range }),
    after,
  )
  if (page.isErr()) return errorAnswer(visit, page.error)
  const counts = await sotto.countSecrets({ accountId, folderId: folder?.id })
  if (counts.isErr()) return errorAnswer(visit, counts.error)
  const { items, corrupted, next } = page.value
  logCorruption(visit.request.log, corrupted)
  const shown = dashboardPage(localized, {
    folders: folders.value.items,
    folder,
    secrets: items,
    status,
    counts: counts.value,
    nowMicros: visit.nowMicros,
    linkOrigin: bareOrigin(linkBaseUrl).origin,
    older: next && listPath({ folder, status }, cursorText(next)),
    isContinued: after !== undefined,
    hasCorruption: corrupted.length > 0 || folders.value.hasCorruption,
    done: doneOf(localized, query['done']),
    newFolder,
  })
  return show(shown, newFolder === undefined ? 200 : 400)
}

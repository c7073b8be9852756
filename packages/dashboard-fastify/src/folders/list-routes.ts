import { ok } from 'neverthrow'
import { logCorruption } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { chosenList, listPath } from './chosen-list.ts'
import { show, type Answer } from '../shared/answers.ts'
import { cursorText, parseCursor } from '../shared/cursor-text.ts'
import { errorAnswer } from '../shared/errors.ts'
import { dashboardPage } from './dashboard-page.ts'
import { doneOf } from '../shared/done.ts'
import type { RefusedLabel } from './folder-rail.ts'
import type { Router } from '../shared/router.ts'
import { idOf, type OwnerVisit } from '../shared/visit.ts'
import { readRail, type RailUseCases } from './rail.ts'
import { onePage } from '../shared/lists.ts'

export type DashboardPageUseCases = RailUseCases & Pick<DashboardUseCases, 'browseSecrets'>

export interface DashboardPageOptions {
  readonly sotto: DashboardPageUseCases
  /** The bare origin of links. */
  readonly linkBaseUrl: string
}

/** `/dashboard`. */
export function addDashboardPage(options: DashboardPageOptions & { readonly router: Router }): void {
  options.router.owner('/dashboard', { get: (visit) => showDashboard(options, visit) })
}

/** A form that was refused, to be corrected. */
export interface RefusedForm {
  readonly newFolder?: RefusedLabel
  /** The refused label of the folder that the path names. */
  readonly rename?: RefusedLabel
}

export async function showDashboard(
  { sotto, linkBaseUrl }: DashboardPageOptions,
  visit: OwnerVisit,
  refused?: RefusedForm,
): Promise<Answer> {
  const { accountId, localized, query } = visit
  const rail = await readRail(sotto, visit, refused?.rename === undefined ? query['folder'] : idOf(visit))
  if (rail.isErr()) return errorAnswer(visit, rail.error)
  const { folder, total } = rail.value
  const { status } = chosenList(visit)
  const after = parseCursor(query['after'])
  const page = await onePage(
    (range) => sotto.browseSecrets({ accountId, folderId: folder?.id, status, ...range }),
    after,
  )
  if (page.isErr()) return errorAnswer(visit, page.error)
  const counts =
    folder === undefined ? ok(total) : await sotto.countSecrets({ accountId, folderId: folder.id })
  if (counts.isErr()) return errorAnswer(visit, counts.error)
  const { items, corrupted, next } = page.value
  logCorruption(visit.request.log, corrupted)
  const shown = dashboardPage(localized, {
    ...rail.value,
    ...refused,
    secrets: items,
    status,
    counts: counts.value,
    nowMicros: visit.nowMicros,
    linkOrigin: linkBaseUrl,
    older: next && listPath({ folder, status }, cursorText(next)),
    isContinued: after !== undefined,
    hasCorruption: corrupted.length > 0 || rail.value.hasCorruption,
    done: doneOf(localized, query['done']),
    query,
  })
  return show(shown, refused === undefined ? 200 : 400)
}

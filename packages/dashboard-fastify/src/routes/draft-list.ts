import { logCorruption } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { show, type Answer } from '../answers.ts'
import { cursorText, parseCursor } from '../cursor-text.ts'
import { errorAnswer } from '../errors.ts'
import { listPath } from '../pages/dashboard-page.ts'
import { doneOf } from '../pages/done.ts'
import { draftsPage } from '../pages/drafts-page.ts'
import type { Router } from '../router.ts'
import type { OwnerVisit } from '../visit.ts'
import { onePage, readRail, type RailUseCases } from './lists.ts'

type UseCases = RailUseCases & Pick<DashboardUseCases, 'listDrafts'>

/** `/drafts`. */
export function addDraftList({ router, sotto }: { readonly router: Router; readonly sotto: UseCases }): void {
  router.owner('/drafts', { get: (visit) => showDrafts(sotto, visit) })
}

async function showDrafts(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, query, nowMicros } = visit
  const rail = await readRail(sotto, visit, query['folder'])
  if (rail.isErr()) return errorAnswer(visit, rail.error)
  const { folder } = rail.value
  const drafts = await onePage(
    (range) => sotto.listDrafts({ accountId, folderId: folder?.id, ...range }),
    parseCursor(query['after']),
  )
  if (drafts.isErr()) return errorAnswer(visit, drafts.error)
  const { items, corrupted, next } = drafts.value
  logCorruption(visit.request.log, corrupted)
  const page = draftsPage(localized, {
    ...rail.value,
    drafts: items,
    nowMicros,
    more: next && listPath({ folder, ofDrafts: true }, cursorText(next)),
    hasCorruption: corrupted.length > 0 || rail.value.hasCorruption,
    done: doneOf(localized, query['done']),
    query,
  })
  return show(page)
}

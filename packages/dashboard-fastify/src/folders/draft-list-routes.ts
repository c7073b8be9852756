import { logCorruption } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { listPath } from './chosen-list.ts'
import { show, type Answer } from '../shared/answers.ts'
import { cursorText, parseCursor } from '../shared/cursor-text.ts'
import { errorAnswer } from '../shared/errors.ts'
import { doneOf } from '../shared/done.ts'
import { draftsPage } from './drafts-page.ts'
import type { Router } from '../shared/router.ts'
import type { OwnerVisit } from '../shared/visit.ts'
import { readRail, type RailUseCases } from './rail.ts'
import { onePage } from '../shared/lists.ts'

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

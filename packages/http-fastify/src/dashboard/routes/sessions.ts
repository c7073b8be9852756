import { uuidToFind, type Session } from '@sotto/core'
import type { DashboardUseCases } from '../../use-cases.ts'
import { redirect, show, type Answer } from '../answers.ts'
import { audit, errorAnswer } from '../errors.ts'
import { doneOf } from '../pages/done.ts'
import { sessionsPage } from '../pages/sessions-page.ts'
import type { Router } from '../router.ts'
import type { SessionCookie } from '../session-cookie.ts'
import type { OwnerVisit } from '../visit.ts'

type UseCases = Pick<DashboardUseCases, 'listSessions' | 'endSession'>

export interface SessionRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly cookie: SessionCookie
}

/** `/settings/sessions`, `/settings/sessions/{id}/end`. */
export function addSessionRoutes({ router, sotto, cookie }: SessionRoutesOptions): void {
  router.owner('/settings/sessions', { get: (visit) => showSessions(sotto, visit) })
  router.owner('/settings/sessions/:id/end', { post: (visit) => end(sotto, cookie, visit) })
}

/** The session that asks comes first, then the newest. */
async function showSessions(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, session, localized, query } = visit
  const others: Session[] = []
  for await (const page of sotto.listSessions({ accountId })) {
    if (page.isErr()) return errorAnswer(visit, page.error)
    others.push(...page.value.items.filter(({ id }) => id !== session.id))
  }
  const sessions = [session, ...others.toReversed()]
  return show(
    sessionsPage(localized, { sessions, ownId: session.id, done: doneOf(localized, query['done']) }),
  )
}

async function end(sotto: UseCases, cookie: SessionCookie, visit: OwnerVisit): Promise<Answer> {
  const { accountId, session, params, request } = visit
  const id = uuidToFind(params['id'] ?? '')
  const ended = await sotto.endSession({ accountId, id })
  if (ended.isErr()) return errorAnswer(visit, ended.error)
  audit(request.log, 'session_ended', { account_id: accountId, session_id: id })
  return id === session.id
    ? redirect('/login?signed-out=1', cookie.remove)
    : redirect('/settings/sessions?done=sessionEnded')
}

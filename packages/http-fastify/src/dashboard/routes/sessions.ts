import type { DashboardUseCases } from '../../use-cases.ts'
import { redirect, show, type Answer } from '../answers.ts'
import { audit } from '../audit.ts'
import { errorAnswer } from '../errors.ts'
import { doneOf } from '../pages/done.ts'
import { sessionsPage } from '../pages/sessions-page.ts'
import type { Router } from '../router.ts'
import type { SessionCookie } from '../session-cookie.ts'
import { idOf, type SessionVisit } from '../visit.ts'
import { allItems } from './lists.ts'

type UseCases = Pick<DashboardUseCases, 'listSessions' | 'endSession'>

export interface SessionRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly cookie: SessionCookie
}

/** `/settings/sessions`, `/settings/sessions/{id}/end`. */
export function addSessionRoutes({ router, sotto, cookie }: SessionRoutesOptions): void {
  router.session('/settings/sessions', { get: (visit) => showSessions(sotto, visit) })
  router.session('/settings/sessions/:id/end', {
    post: (visit) => end(sotto, cookie, visit),
    takesAccessAway: true,
  })
}

/** The session that asks comes first, then the newest. */
async function showSessions(sotto: UseCases, visit: SessionVisit): Promise<Answer> {
  const { accountId, session, localized, query } = visit
  const all = await allItems(visit, sotto.listSessions({ accountId }))
  if (all.isErr()) return errorAnswer(visit, all.error)
  const others = all.value.items.filter(({ id }) => id !== session.id)
  const sessions = [session, ...others.toReversed()]
  return show(
    sessionsPage(localized, { sessions, ownId: session.id, done: doneOf(localized, query['done']) }),
  )
}

async function end(sotto: UseCases, cookie: SessionCookie, visit: SessionVisit): Promise<Answer> {
  const { accountId, session } = visit
  const id = idOf(visit)
  const ended = await sotto.endSession({ accountId, id })
  if (ended.isErr()) return errorAnswer(visit, ended.error)
  audit(visit, 'session_ended', { account_id: accountId, session_id: id })
  return id === session.id
    ? redirect('/login?signed-out=1', cookie.remove)
    : redirect('/settings/sessions?done=sessionEnded')
}

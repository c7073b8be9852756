import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { doneOf } from '../shared/done.ts'
import { fieldProblems } from '../shared/fields.ts'
import { sessionsPage, type RefusedName } from './sessions-page.ts'
import type { Router } from '../shared/router.ts'
import type { SessionCookie } from './cookies.ts'
import { idOf, type SessionVisit } from '../shared/visit.ts'
import { allItems } from '../shared/lists.ts'

type UseCases = Pick<DashboardUseCases, 'listSessions' | 'nameSession' | 'endSession'>

export interface SessionRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly cookie: SessionCookie
}

/** `/settings/sessions`, `/settings/sessions/{id}/name`, `/settings/sessions/{id}/end`. */
export function addSessionRoutes({ router, sotto, cookie }: SessionRoutesOptions): void {
  router.session('/settings/sessions', { get: (visit) => showSessions(sotto, visit) })
  router.session('/settings/sessions/:id/name', { post: (visit, fields) => name(sotto, visit, fields) })
  router.session('/settings/sessions/:id/end', {
    post: (visit) => end(sotto, cookie, visit),
    takesAccessAway: true,
  })
}

/** The session that asks comes first, then the newest. */
async function showSessions(sotto: UseCases, visit: SessionVisit, refused?: RefusedName): Promise<Answer> {
  const { accountId, session, localized, query } = visit
  const all = await allItems(visit, sotto.listSessions({ accountId }))
  if (all.isErr()) return errorAnswer(visit, all.error)
  const own = all.value.items.find(({ id }) => id === session.id)
  const others = all.value.items.filter((each) => each !== own)
  const sessions = [{ ...session, name: own?.name }, ...others.toReversed()]
  const done = doneOf(localized, query['done'])
  const page = sessionsPage(localized, { sessions, ownId: session.id, done, refused })
  return show(page, refused === undefined ? 200 : 400)
}

async function name(sotto: UseCases, visit: SessionVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized } = visit
  const id = idOf(visit)
  const form = formOf(fields, ['name'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const named = await sotto.nameSession({ accountId, id, ...form.value })
  if (named.isOk()) {
    audit(visit, 'session_named', { account_id: accountId, session_id: id })
    return redirect('/settings/sessions?done=sessionNamed')
  }
  if (named.error.code !== 'fields_invalid') return errorAnswer(visit, named.error)
  const problems = fieldProblems(localized, named.error.errors, { name: 'name' })
  return showSessions(sotto, visit, { id, ...form.value, problems })
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

import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { errorAnswer } from '../shared/errors.ts'
import { doneOf } from '../shared/done.ts'
import { ownerButton, ownerForm } from '../shared/owner-form.ts'
import { sessionsPage, type RefusedName } from './sessions-page.ts'
import type { Router } from '../shared/router.ts'
import type { SessionCookie } from './cookies.ts'
import { idOf, named, type SessionVisit } from '../shared/visit.ts'
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
  router.session('/settings/sessions/:id/name', {
    post: ownerForm({
      fields: ['name'],
      run: (visit, { name }) => sotto.nameSession({ ...named(visit), name }),
      names: { name: 'name' },
      audit: ['session_named', 'session_id'],
      done: '/settings/sessions?done=sessionNamed',
      again: (visit, { form, problems }) =>
        showSessions(sotto, visit, { id: idOf(visit), ...form, problems }),
    }),
  })
  router.session('/settings/sessions/:id/end', {
    post: ownerButton({
      run: (visit) => sotto.endSession(named(visit)),
      audit: ['session_ended', 'session_id'],
      done: (_ended, visit) =>
        idOf(visit) === visit.session.id
          ? redirect('/login?signed-out=1', cookie.remove)
          : '/settings/sessions?done=sessionEnded',
    }),
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

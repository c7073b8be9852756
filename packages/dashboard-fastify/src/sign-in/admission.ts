import { allScopes } from '@sotto/core'
import type { Authenticate } from '@sotto/http-fastify'
import { logError } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import type { Admission, Refusal } from '../shared/admission.ts'
import { redirect, show } from '../shared/answers.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { keptFields } from '../shared/form.ts'
import { loginPath, nextPath, withParameter } from '../shared/next-path.ts'
import { noticePage, sessionOverPage } from '../shared/notices.ts'
import type { SessionCookie } from '../sessions/cookies.ts'
import type { DashboardLocalizer } from '../shared/localized.ts'
import type { Proof } from '../shared/reauthentication.ts'
import type { SessionVisit, Visit } from '../shared/visit.ts'

export interface SessionAdmissionOptions {
  readonly sotto: Pick<DashboardUseCases, 'authenticateSession'>
  readonly cookie: SessionCookie
  /** How owners prove who they are. */
  readonly proofs: readonly Proof[]
  readonly localizedFor: DashboardLocalizer
}

/** Admits those who signed in here. */
export function admitSessions({ sotto, cookie, proofs, localizedFor }: SessionAdmissionOptions): Admission {
  const session = async (visit: Visit): Promise<SessionVisit | Refusal> => {
    const token = cookie.read(visit.request.raw)
    const signedIn = token === undefined ? undefined : await sotto.authenticateSession({ token })
    if (signedIn === undefined) return signedOut(visit)
    if (signedIn.isErr()) {
      const { error } = signedIn
      return error.code === 'session_invalid' ? signedOut(visit) : () => errorAnswer(visit, error)
    }
    const { caller, session, language, notifies, nowMicros } = signedIn.value
    const localized = language === undefined ? visit.localized : localizedFor(language)
    return { ...visit, localized, accountId: caller.accountId, session, proofs, notifies, nowMicros }
  }
  return { owner: session, session }
}

export interface HostAdmissionOptions {
  readonly sotto: Pick<DashboardUseCases, 'getAccount'>
  readonly authenticate: Authenticate
  readonly localizedFor: DashboardLocalizer
}

/** Admits those whom the host application signs in. A caller without all scopes finds no page. */
export function admitHostUsers({ sotto, authenticate, localizedFor }: HostAdmissionOptions): Admission {
  return {
    async owner(visit) {
      const found = await authenticate(visit.request)
      if (found.isErr()) {
        const { error } = found
        if (error.code === 'token_invalid') return signedOut(visit)
        // The visitor has sent nothing that is wrong, so this is an error of the server.
        logError(visit.request.log, error, 500)
        return () => statusAnswer(visit.localized, error.code === 'storage_unavailable' ? 503 : 500)
      }
      const caller = found.value
      if (caller === undefined) return signedOut(visit)
      if (!allScopes.every((scope) => caller.scopes.includes(scope)))
        return () => statusAnswer(visit.localized, 404)
      const account = await sotto.getAccount({ accountId: caller.accountId })
      if (account.isErr()) {
        const { error } = account
        return () => errorAnswer(visit, error)
      }
      const { id: accountId, language, notifies } = account.value
      const localized = language === undefined ? visit.localized : localizedFor(language)
      const nowMicros = Date.now() * 1_000
      return { ...visit, localized, accountId, session: undefined, proofs: [], notifies, nowMicros }
    },
  }
}

/** Sends a visitor to sign in, and leads back from there. A form is answered with 401, whatever is in it. What was typed into it is kept. */
function signedOut({ request: { url }, localized }: Visit): Refusal {
  const { texts, host } = localized
  const { heading, nothingKept } = texts.common.sessionOver
  return (fields, hasFiles) => {
    if (fields !== undefined) {
      const page =
        fields.length > 0
          ? sessionOverPage(localized, url, keptFields(fields, hasFiles))
          : noticePage(localized, { heading, lead: nothingKept }, true)
      return show(page, 401)
    }
    if (host === undefined) return redirect(loginPath(url))
    if (host.signInUrl !== undefined) return redirect(withParameter(host.signInUrl, 'next', nextPath(url)))
    return show(noticePage(localized, { heading, lead: texts.signIn.toContinue }), 401)
  }
}

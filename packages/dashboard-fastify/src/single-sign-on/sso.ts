import type { ErrorOf } from '@sotto/core'
import { bareOrigin } from '@sotto/http-fastify/plugin'
import type { DashboardTexts } from '@sotto/texts/dashboard'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer, type PageAnswer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer } from '../shared/errors.ts'
import { noticePage } from '../shared/notices.ts'
import { createSsoAttempts, type SingleSignOn, type SsoAttempt, type SsoAttempts } from './sso-attempt.ts'
import { labelled } from '../shared/labelled.ts'
import type { Visit } from '../shared/visit.ts'

/** Sends browsers to the identity provider, and reads with what they come back. */
export interface Sso {
  /** 303 to the provider, with the attempt in a cookie; or why that is not possible. */
  begin(visit: Visit, attempt: Omit<SsoAttempt, 'pending'>): Promise<Answer>
  readonly attempts: SsoAttempts
  /** Where the browser has come back to, as the provider knows the address. */
  callbackUrlOf(visit: Visit): string
}

export const callbackPath = '/login/sso/callback'

/** The path of the callback may be long: some providers have codes of nearly two thousand characters. */
export const longCallbacks = { path: callbackPath, maxBytes: 8_192 }

export function createSso(
  sotto: Pick<DashboardUseCases, 'beginSso'>,
  baseUrl: string,
  singleSignOn: SingleSignOn,
): Sso {
  const attempts = createSsoAttempts(singleSignOn, baseUrl)
  const redirectUri = bareOrigin(baseUrl).origin + callbackPath
  return {
    attempts,
    async begin(visit, attempt) {
      const begun = await sotto.beginSso({ redirectUri, fresh: attempt.purpose === 'proof' })
      if (begun.isErr()) return refusedSso(visit, begun.error)
      const { url, pending } = begun.value
      const cookies = attempts.store(visit.request.raw, stateOf(new URL(url).search), { ...attempt, pending })
      return { ...redirect(url), cookies }
    },
    callbackUrlOf({ request }) {
      const [, query = ''] = request.url.split(/\?(.*)/s)
      return `${redirectUri}?${query}`
    },
  }
}

/** The state in a query, by which a browser that comes back is known again; empty without one, and when there are several. */
export function stateOf(query: string): string {
  const [state = '', ...others] = new URLSearchParams(query).getAll('state')
  return others.length === 0 ? state : ''
}

type SsoError = ErrorOf<
  DashboardUseCases[
    | 'beginSso'
    | 'signInWithIdentity'
    | 'connectIdentity'
    | 'takeInvitation'
    | 'reauthenticateWithIdentity'
    | 'disconnectIdentity']
>

/** The seconds after which a browser may try again when the provider could not be asked. */
const retryAfterSeconds = 30

/** Says why nobody was signed in, and tells the operator. */
export function refusedSso(visit: Visit, error: SsoError): PageAnswer {
  switch (error.code) {
    case 'identity_provider_unreachable':
      audit(visit, 'sso_unreachable', { reason: error.reason })
      return ssoNotice(visit, error.isRefusal ? 'refusedUs' : 'unreachable', 503, {
        'retry-after': String(retryAfterSeconds),
      })
    case 'sso_refused':
      audit(visit, 'sso_refused', { reason: error.reason })
      return ssoNotice(visit, error.reason === 'provider_refused' ? 'gaveUp' : 'doesNotFit', 400)
    case 'identity_refused':
      audit(visit, 'identity_refused', { account_id: error.accountId, reason: error.reason })
      return ssoNotice(visit, error.reason, 403)
    case 'identity_taken':
    case 'identity_limit_reached':
    case 'last_way_in':
      return ssoNotice(visit, error.code, 409)
    default:
      return errorAnswer(visit, error)
  }
}

export function ssoNotice(
  { localized }: Visit,
  notice: keyof DashboardTexts['singleSignOn']['notices'],
  status: number,
  headers?: PageAnswer['headers'],
): PageAnswer {
  const { heading, lead } = localized.texts.singleSignOn.notices[notice]
  const texts = { heading: labelled(localized, heading), lead: labelled(localized, lead) }
  return show(noticePage(localized, texts, true), status, headers)
}

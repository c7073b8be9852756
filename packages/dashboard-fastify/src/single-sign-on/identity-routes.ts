import { logCorruption, type FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { questionPage } from '../shared/question-page.ts'
import { identitiesSection, identityName } from './identities-section.ts'
import { ok } from 'neverthrow'
import type { Section, Sections } from '../shared/sections.ts'
import {
  reauthenticationField,
  reauthenticationNeed,
  refusedReauthentication,
} from '../shared/reauthentication.ts'
import type { Router } from '../shared/router.ts'
import { refusedSso, type Sso } from './sso.ts'
import { idOf, type SessionVisit } from '../shared/visit.ts'

type UseCases = Pick<DashboardUseCases, 'showAuthenticators' | 'disconnectIdentity'>

export interface IdentityRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly sso: Sso
  /** The host whose passkeys sign in here. */
  readonly rpId?: string | undefined
  /** Shows the settings with the section that has the form again. */
  readonly showAgain: (visit: SessionVisit, again: Sections<SessionVisit>, status: number) => Promise<Answer>
}

/**
 * The section about identities of `/settings/sign-in`; none where nobody signs in with an identity provider.
 * @param problem what is wrong with the password in the form that connects an identity
 */
export function identitySection(
  sotto: Pick<UseCases, 'showAuthenticators'>,
  problem?: string,
): Section<SessionVisit> {
  return async ({ accountId, localized, request }, reauthentication) => {
    if (localized.singleSignOn === undefined) return ok(undefined)
    const shown = await sotto.showAuthenticators({ accountId })
    return shown.map(({ isHeld, identities: { items: identities, corrupted } }) => {
      logCorruption(request.log, corrupted)
      return identitiesSection(localized, { identities, isHeld, reauthentication, problem })
    })
  }
}

/** The forms of `/settings/sign-in` about identities are posted to these paths. */
export function addIdentityRoutes(options: IdentityRoutesOptions): void {
  const { router, sotto } = options
  router.session('/settings/sign-in/connect', {
    post: (visit, fields) => connect(options, visit, fields),
  })
  router.session('/settings/sign-in/identities/:id/disconnect', {
    get: (visit) => askToDisconnect(sotto, visit),
    post: (visit, fields) => disconnect(options, visit, fields),
    takesAccessAway: true,
  })
}

/** Connects an identity. This needs a fresh re-authentication: whoever stole a session must not get an authenticator of their own. */
async function connect(
  { sotto, sso, showAgain }: IdentityRoutesOptions,
  visit: SessionVisit,
  fields: FormFields,
): Promise<Answer> {
  const again = (problem: string, status: number) =>
    showAgain(visit, { identities: identitySection(sotto, problem) }, status)
  const refused = await refusedReauthentication(visit, fields, again)
  if (refused !== undefined) return refused
  return sso.begin(visit, { purpose: 'connect', boundTo: visit.session.id, next: '/settings/sign-in' })
}

async function askToDisconnect(
  sotto: UseCases,
  visit: SessionVisit,
  problem?: string,
  status = 200,
): Promise<Answer> {
  const { accountId, localized } = visit
  const shown = await sotto.showAuthenticators({ accountId })
  if (shown.isErr()) return errorAnswer(visit, shown.error)
  const identity = shown.value.identities.items.find(({ id }) => id === idOf(visit))
  if (identity === undefined) return statusAnswer(localized, 404)
  const {
    disconnect: button,
    disconnectHeading: heading,
    disconnectLead: lead,
  } = localized.texts.singleSignOn
  const action = `/settings/sign-in/identities/${identity.id}/disconnect`
  const fields = reauthenticationField({
    reauthentication: await reauthenticationNeed(visit),
    problem,
    id: 'proof',
    hasFocus: true,
  })
  const label = identityName(localized, identity)
  const question = { place: 'settings', heading, label, lead, action, button, fields } as const
  return show(questionPage(localized, { ...question, back: '/settings/sign-in' }), status)
}

async function disconnect(
  { sotto, rpId }: IdentityRoutesOptions,
  visit: SessionVisit,
  fields: FormFields,
): Promise<Answer> {
  const { accountId, session } = visit
  const again = (problem: string, status: number) => askToDisconnect(sotto, visit, problem, status)
  const refused = await refusedReauthentication(visit, fields, again)
  if (refused !== undefined) return refused
  const id = idOf(visit)
  const disconnected = await sotto.disconnectIdentity({ accountId, id, sessionId: session.id, rpId })
  if (disconnected.isErr()) return refusedSso(visit, disconnected.error)
  audit(visit, 'identity_disconnected', { account_id: accountId, identity_id: id })
  return redirect('/settings/sign-in?done=identityDisconnected')
}

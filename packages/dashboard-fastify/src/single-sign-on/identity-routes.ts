import { logCorruption, type FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardError, DashboardUseCases } from '../use-cases.ts'
import type { Answer } from '../shared/answers.ts'
import { identitiesSection, identityName } from './identities-section.ts'
import { err, ok, type Result } from 'neverthrow'
import { ownerButton, provenQuestion, type Question } from '../shared/owner-form.ts'
import type { Section, Sections } from '../shared/sections.ts'
import { refusedReauthentication } from '../shared/reauthentication.ts'
import type { Router } from '../shared/router.ts'
import { refusedSso, type Sso } from './sso.ts'
import { idOf, named, type SessionVisit } from '../shared/visit.ts'

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
  const { router, sotto, rpId } = options
  router.session('/settings/sign-in/connect', {
    post: (visit, fields) => connect(options, visit, fields),
  })
  router.session('/settings/sign-in/identities/:id/disconnect', {
    ...provenQuestion<SessionVisit>(
      (visit) => disconnection(sotto, visit),
      ownerButton({
        run: (visit) => sotto.disconnectIdentity({ ...named(visit), sessionId: visit.session.id, rpId }),
        audit: ['identity_disconnected', 'identity_id'],
        done: '/settings/sign-in?done=identityDisconnected',
        explain: (visit, error) => refusedSso(visit, error),
      }),
    ),
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

async function disconnection(
  sotto: UseCases,
  visit: SessionVisit,
): Promise<Result<Question, DashboardError>> {
  const { accountId, localized } = visit
  const shown = await sotto.showAuthenticators({ accountId })
  if (shown.isErr()) return err(shown.error)
  const identity = shown.value.identities.items.find(({ id }) => id === idOf(visit))
  if (identity === undefined) return err({ code: 'identity_not_found' })
  const {
    disconnect: button,
    disconnectHeading: heading,
    disconnectLead: lead,
  } = localized.texts.singleSignOn
  const label = identityName(localized, identity)
  const action = `/settings/sign-in/identities/${identity.id}/disconnect`
  return ok({ heading, label, lead, action, button, back: '/settings/sign-in' })
}

import { isReauthenticationFresh } from '@sotto/identity'
import { markup } from '@sotto/html'
import type { DashboardUseCases } from '../use-cases.ts'
import { keptFields } from '../shared/form.ts'
import { labelled } from '../shared/labelled.ts'
import type { Proof } from '../shared/reauthentication.ts'
import type { SessionVisit } from '../shared/visit.ts'
import type { Sso } from './sso.ts'

export interface IdentityProofOptions {
  readonly sotto: Pick<DashboardUseCases, 'showAuthenticators'>
  readonly sso: Sso | undefined
}

/**
 * The identity provider as a proof, for accounts with an identity and without a password. A form without a proof sends the browser there, and
 * is kept for the time after.
 */
export function identityProof({ sotto, sso }: IdentityProofOptions): Proof {
  return {
    async ask(visit) {
      if (sso === undefined || !(await provesWithIdentity(sotto, visit))) return undefined
      const { localized } = visit
      const hint = markup`<p class="hint">${labelled(localized, localized.texts.singleSignOn.proofHint)}</p>`
      return { kind: 'field', show: () => hint }
    },
    async prove(visit, proof, fields) {
      if (sso === undefined || proof !== '' || !(await provesWithIdentity(sotto, visit))) return undefined
      return sso.begin(visit, {
        purpose: 'proof',
        boundTo: visit.session.id,
        next: visit.request.url,
        kept: keptFields(fields),
      })
    },
  }
}

/** Whether the owner has to prove who they are, and has an identity, but no password, to do so. */
async function provesWithIdentity(
  sotto: IdentityProofOptions['sotto'],
  { accountId, session, nowMicros }: SessionVisit,
): Promise<boolean> {
  if (isReauthenticationFresh(session, nowMicros)) return false
  const shown = await sotto.showAuthenticators({ accountId })
  return shown.isOk() && !shown.value.hasPassword && shown.value.identities.items.length > 0
}

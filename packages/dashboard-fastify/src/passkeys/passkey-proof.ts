import type { PasskeyRefused } from '@sotto/identity'
import { logError } from '@sotto/http-fastify/plugin'
import type { DashboardTexts } from '@sotto/texts/dashboard'
import type { DashboardUseCases } from '../use-cases.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer } from '../shared/errors.ts'
import { lockedProof, type Proof } from '../shared/reauthentication.ts'
import type { Visit } from '../shared/visit.ts'
import { provenAssertion } from './passkey-form.ts'
import { passkeyRequest } from './passkey-request.ts'
import { relyingPartyOf } from './relying-party.ts'

export interface PasskeyProofOptions {
  readonly sotto: Pick<DashboardUseCases, 'beginPasskeyProof' | 'reauthenticateWithPasskey'>
  readonly baseUrl: string
}

/** A passkey as a proof, where the account has one. */
export function passkeyProof({ sotto, baseUrl }: PasskeyProofOptions): Proof {
  const relyingParty = relyingPartyOf(baseUrl)
  return {
    async ask({ accountId, session, localized, request }) {
      if (relyingParty === undefined) return undefined
      const { id: rpId } = relyingParty
      const begun = await sotto.beginPasskeyProof({ accountId, sessionId: session.id, rpId })
      // The password can be asked for all the same.
      if (begun.isErr()) logError(request.log, begun.error, 503)
      const beginning = begun.unwrapOr(undefined)
      if (beginning === undefined) return undefined
      const button = passkeyRequest(localized, { ...beginning, rpId }, { field: 'proof', prefix: 'passkey:' })
      return { kind: 'button', show: () => button }
    },
    async prove(visit, proof) {
      const { accountId, session, address, localized } = visit
      const assertion = provenAssertion(proof)
      if (relyingParty === undefined || assertion === undefined) return undefined
      const passkey = { assertion, relyingParty }
      const proven = await sotto.reauthenticateWithPasskey({ accountId, session, address, passkey })
      if (proven.isOk()) return 'proven'
      switch (proven.error.code) {
        case 'passkey_refused':
          auditPasskey(visit, { accountId, ...proven.error })
          return { problem: passkeyProblem(localized.texts, proven.error), status: 400 }
        case 'sign_in_locked':
          return lockedProof(visit, proven.error)
        default:
          return errorAnswer(visit, proven.error)
      }
    },
  }
}

/** Says in the log why a passkey was refused. */
export function auditPasskey(visit: Visit, { reason, accountId }: PasskeyRefused): void {
  audit(visit, 'passkey_refused', { account_id: accountId, reason })
}

/** What the person is told, who is at fault only for a page that was open too long. */
export function passkeyProblem({ passkeys: texts }: DashboardTexts, error: PasskeyRefused): string {
  return isPageTooOld(error) ? texts.expired : texts.refused
}

/** Whether nothing is wrong but the page, which was open too long or was sent before. */
export function isPageTooOld({ reason }: PasskeyRefused): boolean {
  return reason === 'challenge' || reason === 'challenge_used'
}

import { aString, account, foundOr } from '@sotto/core/building-blocks'
import { err } from 'neverthrow'
import { sessionNotFound } from '../sessions/errors.ts'
import { useCase } from '../use-case.ts'
import { ssoRefused, type IdentityRefused } from './errors.ts'
import {
  admitIdentity,
  admitIdentityNeeds,
  findIdentity,
  findIdentityNeeds,
  proveIdentity,
  proveIdentityNeeds,
  ssoCallback,
  withDetails,
} from './prove-identity.ts'
import { freshSignInMicros } from './single-sign-on.ts'

/**
 * Makes a session fresh when its owner comes back from the identity provider and signed in there just now (`auth_time`), as the password does in
 * `ensureReauthentication`.
 * @errors `sso_refused` when what came back proves nothing, with the reason `not_fresh` when the person did not sign in just now;
 * `identity_refused` when the identity is not of this account, or is not allowed any more, as in `signInWithIdentity`;
 * `identity_provider_unreachable`; `session_not_found`
 */
export const reauthenticateWithIdentity = useCase({
  needs: [
    ...proveIdentityNeeds,
    ...findIdentityNeeds,
    ...admitIdentityNeeds,
    'sessions.recordReauthentication',
  ],
  takes: {
    ...ssoCallback,
    ...account,
    /** The session that asks. */
    sessionId: aString,
  },
  async run(deps, { accountId, sessionId, ...callback }) {
    const proven = await proveIdentity(deps, callback)
    if (proven.isErr()) return proven
    const found = await findIdentity(deps, proven.value)
    if (found.isErr()) return found
    const known = found.value
    if (known?.accountId !== accountId)
      return err<never, IdentityRefused>({ code: 'identity_refused', reason: 'unknown', accountId })
    const whole = await withDetails(deps, { proven: proven.value, known })
    if (whole.isErr()) return whole
    const decision = await admitIdentity(deps, { proven: whole.value, known, isAddressTaken: false })
    if (decision.isErr()) return decision
    const atMicros = freshSignInMicros(proven.value, deps.clock.nowMicros())
    if (atMicros === undefined) return ssoRefused('not_fresh')
    const recorded = await deps.sessions.recordReauthentication(sessionId, atMicros)
    return recorded.andThen(foundOr(sessionNotFound))
  },
})

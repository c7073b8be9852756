import type { Uuid, StorageError } from '@sotto/core'
import { foundOr } from '@sotto/core/building-blocks'
import { err, ResultAsync, type Result } from 'neverthrow'
import type { IdentityProviderUnreachable, IdentityRefused, SsoRefused } from './errors.ts'
import type { SessionNotFound } from '../sessions/errors.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { freshSignInMicros } from './single-sign-on.ts'
import {
  admitIdentity,
  findIdentity,
  proveIdentity,
  withDetails,
  type AdmitIdentityDeps,
  type FindIdentityDeps,
  type SsoCallback,
} from './identities.ts'

export type ReauthenticateWithIdentityDeps = FindIdentityDeps &
  AdmitIdentityDeps & {
    readonly identityProvider?: Pick<IdentityProvider, 'finish'> | undefined
    readonly sessions: Pick<SessionStore, 'recordReauthentication'>
  }
export interface ReauthenticateWithIdentityInput extends SsoCallback {
  readonly accountId: Uuid
  /** The session that asks. */
  readonly sessionId: Uuid
}
export type ReauthenticateWithIdentityError =
  IdentityProviderUnreachable | SsoRefused | IdentityRefused | SessionNotFound | StorageError

/**
 * Makes a session fresh when its owner comes back from the identity provider and signed in there just now (`auth_time`), as the password does in
 * `ensureReauthentication`.
 * @errors `sso_refused` when what came back proves nothing, with the reason `not_fresh` when the person did not sign in just now;
 * `identity_refused` when the identity is not of this account, or is not allowed any more, as in `signInWithIdentity`;
 * `identity_provider_unreachable`; `session_not_found`
 */
export function reauthenticateWithIdentity(
  deps: ReauthenticateWithIdentityDeps,
  input: ReauthenticateWithIdentityInput,
): ResultAsync<void, ReauthenticateWithIdentityError> {
  return new ResultAsync(reauthenticate(deps, input))
}

async function reauthenticate(
  deps: ReauthenticateWithIdentityDeps,
  { accountId, sessionId, ...callback }: ReauthenticateWithIdentityInput,
): Promise<Result<void, ReauthenticateWithIdentityError>> {
  const proven = await proveIdentity(deps, callback)
  if (proven.isErr()) return err(proven.error)
  const found = await findIdentity(deps, proven.value)
  if (found.isErr()) return err(found.error)
  const known = found.value
  if (known?.accountId !== accountId) return err({ code: 'identity_refused', reason: 'unknown', accountId })
  const whole = await withDetails(deps, { proven: proven.value, known })
  if (whole.isErr()) return err(whole.error)
  const decision = await admitIdentity(deps, { proven: whole.value, known, isAddressTaken: false })
  if (decision.isErr()) return err(decision.error)
  const atMicros = freshSignInMicros(proven.value, deps.clock.nowMicros())
  if (atMicros === undefined) return err({ code: 'sso_refused', reason: 'not_fresh' })
  const recorded = await deps.sessions.recordReauthentication(sessionId, atMicros)
  return recorded.andThen(foundOr('session_not_found'))
}

import type { Uuid, SignInLocked, StorageError } from '@sotto/core'
import { foundOr } from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { countAttempt, type CountAttemptDeps } from '../passwords/attempt-sign-in.ts'
import type { SessionNotFound } from '../sessions/errors.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { isReauthenticationFresh, type Session } from '../sessions/session.ts'
import type { PasskeyRefused } from './errors.ts'
import { isWrongPasskey, verifyPasskey, type UsedPasskey, type VerifyPasskeyDeps } from './verify-passkey.ts'

export type ReauthenticateWithPasskeyDeps = CountAttemptDeps &
  VerifyPasskeyDeps & { readonly sessions: Pick<SessionStore, 'recordReauthentication'> }
export interface ReauthenticateWithPasskeyInput {
  readonly accountId: Uuid
  readonly session: Session
  /** A passkey of the account that was used for the challenge of `beginPasskeyProof`. */
  readonly passkey: UsedPasskey
  /** The client's address, as in `SignInInput`. */
  readonly address: string
}
export type ReauthenticateWithPasskeyError = PasskeyRefused | SessionNotFound | SignInLocked | StorageError

/**
 * Makes a session fresh with a passkey of its account, as the password does in `ensureReauthentication`, with which it shares the count of
 * failures. A session that is fresh stays as it is.
 * @errors `passkey_refused`; `sign_in_locked`, as in `ensureReauthentication`; `session_not_found`
 */
export function reauthenticateWithPasskey(
  deps: ReauthenticateWithPasskeyDeps,
  input: ReauthenticateWithPasskeyInput,
): ResultAsync<void, ReauthenticateWithPasskeyError> {
  return new ResultAsync(reauthenticate(deps, input))
}

async function reauthenticate(
  deps: ReauthenticateWithPasskeyDeps,
  { accountId, session, passkey, address }: ReauthenticateWithPasskeyInput,
): Promise<Result<void, ReauthenticateWithPasskeyError>> {
  if (isReauthenticationFresh(session, deps.clock.nowMicros())) return ok()
  const proven = await countAttempt(
    deps,
    { buckets: [`session/${session.id}`], address },
    () => verifyPasskey(deps, passkey, { purpose: `proof/${session.id}`, accountId }),
    isWrongPasskey,
  )
  if (proven.isErr()) return err(proven.error)
  const recorded = await deps.sessions.recordReauthentication(session.id, deps.clock.nowMicros())
  return recorded.andThen(foundOr('session_not_found'))
}

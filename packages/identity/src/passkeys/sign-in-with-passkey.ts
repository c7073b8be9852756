import type { Uuid, SignInLocked, StorageError, AccountStore } from '@sotto/core'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { PasskeyRefused } from './errors.ts'
import type { SignInHeld } from '../passwords/errors.ts'
import { countAttempt, type CountAttemptDeps } from '../passwords/attempt-sign-in.ts'
import { makeChallenge, type MakeChallengeDeps } from './passkey-challenges.ts'
import type { NewSession } from '../sessions/sessions.ts'
import { startSession, type StartSessionDeps } from '../passwords/sign-in.ts'
import { isWrongPasskey, verifyPasskey, type UsedPasskey, type VerifyPasskeyDeps } from './verify-passkey.ts'

export type BeginPasskeySignInDeps = MakeChallengeDeps
export type BeginPasskeySignInError = never

/** The challenge for a passkey to sign in with, in base64url: it can be used once, within 10 minutes, by whoever has it. */
export function beginPasskeySignIn(
  deps: BeginPasskeySignInDeps,
): ResultAsync<string, BeginPasskeySignInError> {
  return okAsync(makeChallenge(deps, 'sign-in'))
}

export type SignInWithPasskeyDeps = VerifyPasskeyDeps &
  CountAttemptDeps &
  StartSessionDeps & { readonly accounts: Pick<AccountStore, 'find'> }
export interface SignInWithPasskeyInput extends UsedPasskey {
  /** The client's address, as in `SignInInput`. */
  readonly address: string
}

/** The session of somebody who signed in with a passkey. */
export interface SignedInWithPasskey extends NewSession {
  readonly passkeyId: Uuid
}
export type SignInWithPasskeyError = PasskeyRefused | SignInHeld | SignInLocked | StorageError

/**
 * Signs in whoever used a passkey: its authenticator names the account. What follows is as in `signIn`.
 * @errors `passkey_refused` with what is wrong, for the operator; `sign_in_locked` after 20 failed attempts an hour from the address,
 * those with passwords included. A challenge that has expired, or is of another page, counts for nothing.
 */
export function signInWithPasskey(
  deps: SignInWithPasskeyDeps,
  input: SignInWithPasskeyInput,
): ResultAsync<SignedInWithPasskey, SignInWithPasskeyError> {
  return new ResultAsync(verifyAndSignIn(deps, input))
}

async function verifyAndSignIn(
  deps: SignInWithPasskeyDeps,
  { address, ...used }: SignInWithPasskeyInput,
): Promise<Result<SignedInWithPasskey, SignInWithPasskeyError>> {
  const verified = await countAttempt(
    deps,
    { buckets: [], address },
    () => verifyPasskey(deps, used, { purpose: 'sign-in' }),
    isWrongPasskey,
  )
  if (verified.isErr()) return err(verified.error)
  const { id: passkeyId, accountId } = verified.value
  const account = await deps.accounts.find(accountId)
  if (account.isErr()) return err(account.error)
  if (account.value?.isHeld === true) return err({ code: 'sign_in_held', accountId })
  const started = await startSession(deps, { authenticatorId: passkeyId, accountId }, address)
  // The passkey was deleted, or the account disabled, after it was read.
  return started.andThen((session): Result<SignedInWithPasskey, PasskeyRefused> =>
    session === undefined
      ? err({ code: 'passkey_refused', reason: 'unknown', accountId })
      : ok({ ...session, passkeyId }),
  )
}

import type { Uuid, PasswordWrong, AccountNotFound, AccountStore } from '@sotto/core'
import { isPasswordToVerify, foundOr } from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isReauthenticationFresh, type Session } from '../sessions/session.ts'
import type { ReauthenticationRequired } from './errors.ts'
import type { SessionNotFound } from '../sessions/errors.ts'
import type { PasswordStore } from './password-store.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { attemptSignIn, type AttemptSignInDeps, type AttemptSignInError } from './attempt-sign-in.ts'

export type EnsureReauthenticationDeps = AttemptSignInDeps & {
  readonly accounts: Pick<AccountStore, 'find'>
  readonly passwords: Pick<PasswordStore, 'find'>
  readonly sessions: Pick<SessionStore, 'recordReauthentication'>
}
export interface EnsureReauthenticationInput {
  readonly accountId: Uuid
  readonly session: Session
  /** The password as it was typed; `undefined` when nobody was asked for it. */
  readonly password?: string | undefined
  /** The client's address, as in `SignInInput`. */
  readonly address: string
}
export type EnsureReauthenticationError =
  ReauthenticationRequired | PasswordWrong | AccountNotFound | SessionNotFound | AttemptSignInError

/**
 * Makes sure, before something that a stolen session must not do, that the owner proved in the last 10 minutes who they are. If they did
 * not, the password of the account is needed, and a right one counts as re-authentication; `reauthenticateWithPasskey` and
 * `reauthenticateWithIdentity` take another authenticator. Failures count for the session, not for the account: failed attempts to sign in
 * from elsewhere do not keep the owner from entering the password here.
 * @errors `proof_required` when a proof is needed and none was given; `password_wrong`; `sign_in_locked` after 5 failures
 * in 10 minutes in this session, or 20 in an hour from the address, as in `signIn`
 */
export function ensureReauthentication(
  deps: EnsureReauthenticationDeps,
  input: EnsureReauthenticationInput,
): ResultAsync<void, EnsureReauthenticationError> {
  return new ResultAsync(ensure(deps, input))
}

async function ensure(
  deps: EnsureReauthenticationDeps,
  input: EnsureReauthenticationInput,
): Promise<Result<void, EnsureReauthenticationError>> {
  const { session } = input
  if (isReauthenticationFresh(session, deps.clock.nowMicros())) return ok()
  const proven = await byPassword(deps, input)
  if (proven.isErr()) return err(proven.error)
  const recorded = await deps.sessions.recordReauthentication(session.id, deps.clock.nowMicros())
  return recorded.andThen(foundOr('session_not_found'))
}

async function byPassword(
  deps: EnsureReauthenticationDeps,
  { accountId, session, password, address }: EnsureReauthenticationInput,
): Promise<Result<unknown, EnsureReauthenticationError>> {
  if (password === undefined || password === '') return err({ code: 'proof_required' })
  if (!isPasswordToVerify(password)) return err({ code: 'password_wrong' })
  const found = await deps.accounts.find(accountId)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'account_not_found' })
  const stored = await deps.passwords.find(accountId)
  if (stored.isErr()) return err(stored.error)
  const bucket = `session/${session.id}`
  const verified = await attemptSignIn(deps, { bucket, stored: stored.value, password, address })
  if (verified.isErr()) return err(verified.error)
  return verified.value ? ok() : err({ code: 'password_wrong' })
}

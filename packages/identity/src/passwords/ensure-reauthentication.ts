import type {
  Uuid,
  PasswordWrong,
  AccountNotFound,
  SignInLocked,
  StorageError,
  AccountStore,
} from '@sotto/core'
import { isPasswordToVerify, foundOr } from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isReauthenticationFresh, type Session } from '../sessions/session.ts'
import type { PasskeyRefused } from '../passkeys/errors.ts'
import type { ReauthenticationRequired } from './errors.ts'
import type { SessionNotFound } from '../sessions/errors.ts'
import type { PasswordStore } from './password-store.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import {
  attemptSignIn,
  countAttempt,
  type AttemptSignInDeps,
  type AttemptSignInError,
} from './attempt-sign-in.ts'
import {
  isWrongPasskey,
  verifyPasskey,
  type UsedPasskey,
  type VerifyPasskeyDeps,
} from '../passkeys/verify-passkey.ts'

export type EnsureReauthenticationDeps = AttemptSignInDeps &
  VerifyPasskeyDeps & {
    readonly accounts: Pick<AccountStore, 'find'>
    readonly passwords: Pick<PasswordStore, 'find'>
    readonly sessions: Pick<SessionStore, 'recordReauthentication'>
  }
export interface EnsureReauthenticationInput {
  readonly accountId: Uuid
  readonly session: Session
  /** The password as it was typed; `undefined` when nobody was asked for it. */
  readonly password?: string | undefined
  /** A passkey of the account instead of the password: one that was used for the challenge of `beginPasskeyProof`. */
  readonly passkey?: UsedPasskey | undefined
  /** The client's address, as in `SignInInput`. */
  readonly address: string
}
export type EnsureReauthenticationError =
  | ReauthenticationRequired
  | PasswordWrong
  | PasskeyRefused
  | AccountNotFound
  | SessionNotFound
  | AttemptSignInError

/**
 * Makes sure, before something that a stolen session must not do, that the owner proved in the last 10 minutes who they are. If they did
 * not, the password or a passkey of the account is needed, and a right one counts as re-authentication. Failures count for the session, not
 * for the account: failed attempts to sign in from elsewhere do not keep the owner from entering the password here.
 * @errors `proof_required` when a proof is needed and none was given; `password_wrong`; `passkey_refused`; `sign_in_locked` after 5 failures
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
  const { session, passkey } = input
  if (isReauthenticationFresh(session, deps.clock.nowMicros())) return ok()
  const proven = passkey === undefined ? await byPassword(deps, input) : await byPasskey(deps, input, passkey)
  if (proven.isErr()) return err(proven.error)
  const recorded = await deps.sessions.recordReauthentication(session.id, deps.clock.nowMicros())
  return recorded.andThen(foundOr('session_not_found'))
}

async function byPasskey(
  deps: EnsureReauthenticationDeps,
  { accountId, session, address }: EnsureReauthenticationInput,
  passkey: UsedPasskey,
): Promise<Result<unknown, PasskeyRefused | SignInLocked | StorageError>> {
  return countAttempt(
    deps,
    { buckets: [`session/${session.id}`], address },
    () => verifyPasskey(deps, passkey, { purpose: `proof/${session.id}`, accountId }),
    isWrongPasskey,
  )
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

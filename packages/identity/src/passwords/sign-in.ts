import {
  accountNameText,
  nilUuid,
  type Uuid,
  type StorageError,
  type AccountStore,
  type StoredAccount,
  type Digests,
  type Clock,
  type Random,
  normalizeEmail,
} from '@sotto/core'
import { type KeyRing, isPasswordToVerify } from '@sotto/core/building-blocks'
import { type IdentityPolicy, signInPolicyOf } from '../sessions/sign-in-policy.ts'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { PasswordSignInOff, SignInHeld, SignInWrong } from './errors.ts'
import type { PasswordStore, StoredPassword } from './password-store.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { attemptSignIn, type AttemptSignInDeps, type AttemptSignInError } from './attempt-sign-in.ts'
import { isKnownAddress, rememberAddress, type KnownAddressesDeps } from '../sessions/known-addresses.ts'
import {
  eraseSurplusSessions,
  makeSession,
  type NewSession,
  type SurplusSessionsDeps,
} from '../sessions/sessions.ts'

export type SignInDeps = AttemptSignInDeps &
  KnownAddressesDeps &
  SurplusSessionsDeps & {
    readonly accounts: Pick<AccountStore, 'findByName'>
    readonly passwords: Pick<PasswordStore, 'find'>
    readonly sessions: Pick<SessionStore, 'insert'>
    readonly keyRing: Pick<KeyRing, 'refresh'>
    readonly digests: Pick<Digests, 'accountIndexes' | 'opaqueTokenDigest'>
  } & { readonly policy: IdentityPolicy }
export interface SignInInput {
  /** The email address as it was typed. */
  readonly email: string
  /** The password as it was typed. */
  readonly password: string
  /** The client's network address, of IPv6 its /64 prefix: failed attempts from it are counted together. */
  readonly address: string
}
export type SignInError = PasswordSignInOff | SignInHeld | SignInWrong | AttemptSignInError

/**
 * Signs an owner in: makes a session, and ends the oldest ones so that the account has 50. An unknown email costs as much as a wrong
 * password and gives the same answer. Once the session is stored, an error of what follows is not reported: the address stays unknown,
 * or the next sign-in ends the oldest sessions.
 * @errors `sign_in_wrong`, the same for a wrong password, an unknown email, an account without a password and a disabled one;
 * `sign_in_locked` after 5 failed attempts in 10 minutes for the account, or 20 an hour from the address; `hasher_busy`. An address that
 * has signed in to the account before has 5 attempts of its own, and failures from elsewhere do not lock it. `password_sign_in_off` where
 * nobody signs in with a password; `sign_in_held` for the right password of a held account.
 */
export function signIn(deps: SignInDeps, input: SignInInput): ResultAsync<NewSession, SignInError> {
  return new ResultAsync(verifyAndSignIn(deps, input))
}

async function verifyAndSignIn(
  deps: SignInDeps,
  { email, password, address }: SignInInput,
): Promise<Result<NewSession, SignInError>> {
  if (!signInPolicyOf(deps.policy).passwords) return err({ code: 'password_sign_in_off' })
  // No account has such a password, so this answer reveals nothing.
  if (!isPasswordToVerify(password)) return err({ code: 'sign_in_wrong' })
  const name = accountNameText({ email: normalizeEmail(email), externalId: undefined })
  const found = await findPassword(deps, name)
  if (found.isErr()) return err(found.error)
  const { account, stored } = found.value
  const accountId = account?.id ?? nilUuid
  const bucket = await bucketOf(deps, { name, accountId, address })
  if (bucket.isErr()) return err(bucket.error)
  const verified = await attemptSignIn(deps, { bucket: bucket.value, stored, password, address })
  if (verified.isErr()) return err(verified.error)
  if (!verified.value || stored === undefined) return err({ code: 'sign_in_wrong' })
  if (account?.isHeld === true) return err({ code: 'sign_in_held', accountId: account.id })
  const started = await startSession(
    deps,
    { authenticatorId: stored.id, accountId: stored.accountId },
    address,
  )
  // The password was changed, or the account disabled, after the password was read.
  return started.andThen((session): Result<NewSession, SignInWrong> =>
    session === undefined ? err({ code: 'sign_in_wrong' }) : ok(session),
  )
}

interface Found {
  readonly account: StoredAccount | undefined
  /** `undefined` also when the account is disabled: nobody can sign in to it. */
  readonly stored: StoredPassword | undefined
}

/** Reads as much for an unknown account as for any other. */
async function findPassword(
  { accounts, passwords, keyRing, digests }: SignInDeps,
  name: string,
): Promise<Result<Found, SignInError>> {
  // An account under a key that this process has not read yet would not be found by its name.
  keyRing.refresh()
  const found = await accounts.findByName(digests.accountIndexes(name))
  if (found.isErr()) return err(found.error)
  const account = found.value
  const password = await passwords.find(account?.id ?? nilUuid)
  if (password.isErr()) return err(password.error)
  const isEnabled = account !== undefined && account.disabledAtMicros === undefined
  return ok({ account, stored: isEnabled ? password.value : undefined })
}

/**
 * The bucket of an attempt. Only failures from the same address count if the account knows the address: otherwise anybody could lock its
 * owner out. The limits are the same as for any other account, so they do not tell whether the account knows the address. An unknown
 * account knows none.
 */
async function bucketOf(
  deps: SignInDeps,
  { name, accountId, address }: { readonly name: string; readonly accountId: Uuid; readonly address: string },
): Promise<Result<string, StorageError>> {
  const known = await isKnownAddress(deps, { accountId, address })
  return known.map((isKnown) => (isKnown ? `account/${name}/from/${address}` : `account/${name}`))
}

export type StartSessionDeps = KnownAddressesDeps &
  SurplusSessionsDeps & {
    readonly sessions: Pick<SessionStore, 'insert'>
    readonly digests: Pick<Digests, 'opaqueTokenDigest'>
    readonly clock: Clock
    readonly random: Random
  }

/**
 * Stores a session that begins with a password or passkey, whose address is known from then on. `undefined` when the account does not have that
 * any more, or is disabled.
 */
export async function startSession(
  deps: StartSessionDeps,
  { authenticatorId, accountId }: { readonly authenticatorId: Uuid; readonly accountId: Uuid },
  address: string,
): Promise<Result<NewSession | undefined, StorageError>> {
  const { token, stored, digest } = makeSession(deps, accountId)
  const inserted = await deps.sessions.insert(stored, digest, authenticatorId)
  if (inserted.isErr()) return err(inserted.error)
  if (!inserted.value) return ok(undefined)
  // The owner is signed in: an error of the rest must not say that nothing happened.
  await rememberAddress(deps, { accountId, address }).unwrapOr(undefined)
  await eraseSurplusSessions(deps, stored)
  return ok({ ...stored, token })
}

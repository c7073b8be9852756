import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { accountNameText } from '../entities/account.ts'
import { nilUuid } from '../entities/uuid.ts'
import type { SignInWrong } from '../errors.ts'
import type { StoredAccount } from '../ports/account-store.ts'
import type { StoredPassword } from '../ports/password-store.ts'
import type { Ports } from '../ports/ports.ts'
import { isPasswordToVerify } from '../rules/account-passwords.ts'
import { normalizeEmail } from '../rules/fields.ts'
import { attemptSignIn, type AttemptSignInDeps, type AttemptSignInError } from './attempt-sign-in.ts'
import { rememberAddress } from './known-addresses.ts'
import { makeSession, type NewSession } from './sessions.ts'

export type SignInDeps = AttemptSignInDeps & Pick<Ports, 'accounts' | 'passwords' | 'sessions' | 'keyRing'>
export interface SignInInput {
  /** As it was typed. */
  readonly email: string
  /** As it was typed. */
  readonly password: string
  /** The client's network address, of IPv6 its /64 prefix: failed attempts from it are counted together. */
  readonly address: string
}
export type SignInError = SignInWrong | AttemptSignInError

/**
 * Signs an owner in: makes a session. An unknown email costs as much as a wrong password and gives the same answer.
 * @errors `sign_in_wrong`, the same for a wrong password, an unknown email, an account without a password and a disabled one;
 * `sign_in_locked` after 5 failed attempts in 10 minutes for the account, from addresses that have not signed in to it before, or 20 an
 * hour from the address; `hasher_busy`
 */
export function signIn(deps: SignInDeps, input: SignInInput): ResultAsync<NewSession, SignInError> {
  return new ResultAsync(verifyAndSignIn(deps, input))
}

async function verifyAndSignIn(
  deps: SignInDeps,
  { email, password, address }: SignInInput,
): Promise<Result<NewSession, SignInError>> {
  // No account has such a password, so this answer reveals nothing.
  if (!isPasswordToVerify(password)) return err({ code: 'sign_in_wrong' })
  const name = accountNameText({ email: normalizeEmail(email), externalId: undefined })
  const found = await findPassword(deps, name)
  if (found.isErr()) return err(found.error)
  const { account, stored } = found.value
  const accountId = account?.id ?? nilUuid
  const verified = await attemptSignIn(deps, { name, accountId, stored, password, address })
  if (verified.isErr()) return err(verified.error)
  if (!verified.value || stored === undefined) return err({ code: 'sign_in_wrong' })
  return startSession(deps, stored, address)
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

async function startSession(
  deps: SignInDeps,
  { id: passwordId, accountId }: StoredPassword,
  address: string,
): Promise<Result<NewSession, SignInError>> {
  const { token, stored, digest } = makeSession(deps, accountId)
  const inserted = await deps.sessions.insert(stored, digest, passwordId)
  if (inserted.isErr()) return err(inserted.error)
  // The password was changed, or the account disabled, after the password was read.
  if (!inserted.value) return err({ code: 'sign_in_wrong' })
  const remembered = await rememberAddress(deps, { accountId, address })
  if (remembered.isErr() && remembered.error.code !== 'account_not_found') return err(remembered.error)
  return ok({ ...stored, token })
}

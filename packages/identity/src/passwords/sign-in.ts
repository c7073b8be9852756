import {
  accountNameText,
  nilUuid,
  normalizeEmail,
  type StorageError,
  type StoredAccount,
  type Uuid,
} from '@sotto/core'
import { aString, isPasswordToVerify } from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import { isKnownAddress, knownAddressesNeeds } from '../sessions/known-addresses.ts'
import { startSession, startSessionNeeds, type NewSession } from '../sessions/new-session.ts'
import { signInPolicyOf } from '../sessions/sign-in-policy.ts'
import { useCase, type DepsOf } from '../use-case.ts'
import { attemptSignIn, attemptSignInNeeds } from './attempt-sign-in.ts'
import { passwordSignInOff, signInWrong, type SignInHeld, type SignInWrong } from './errors.ts'
import type { StoredPassword } from './password-store.ts'

const findPasswordNeeds = [
  'accounts.findByName',
  'passwords.find',
  'keyRing.refresh',
  'digests.accountIndexes',
] as const

/**
 * Signs an owner in: makes a session, and ends the oldest ones so that the account has 50. An unknown email costs as much as a wrong
 * password and gives the same answer. Once the session is stored, an error of what follows is not reported: the address stays unknown,
 * or the next sign-in ends the oldest sessions.
 * @errors `sign_in_wrong`, the same for a wrong password, an unknown email, an account without a password and a disabled one;
 * `sign_in_locked` after 5 failed attempts in 10 minutes for the account, or 20 an hour from the address; `hasher_busy`. An address that
 * has signed in to the account before has 5 attempts of its own, and failures from elsewhere do not lock it. `password_sign_in_off` where
 * nobody signs in with a password; `sign_in_held` for the right password of a held account.
 */
export const signIn = useCase({
  needs: [
    ...findPasswordNeeds,
    ...knownAddressesNeeds,
    ...attemptSignInNeeds,
    ...startSessionNeeds,
    'policy.signIn',
  ],
  takes: {
    /** The email address as it was typed. */
    email: aString,
    /** The password as it was typed. */
    password: aString,
    /** The client's network address, of IPv6 its /64 prefix: failed attempts from it are counted together. */
    address: aString,
  },
  async run(deps, { email, password, address }) {
    if (!signInPolicyOf(deps.policy).passwords) return err(passwordSignInOff)
    // No account has such a password, so this answer reveals nothing.
    if (!isPasswordToVerify(password)) return err(signInWrong)
    const name = accountNameText({ email: normalizeEmail(email), externalId: undefined })
    const found = await findPassword(deps, name)
    if (found.isErr()) return found
    const { account, stored } = found.value
    const accountId = account?.id ?? nilUuid
    const bucket = await bucketOf(deps, { name, accountId, address })
    if (bucket.isErr()) return bucket
    const verified = await attemptSignIn(deps, { bucket: bucket.value, stored, password, address })
    if (verified.isErr()) return verified
    if (!verified.value || stored === undefined) return err(signInWrong)
    if (account?.isHeld === true)
      return err<never, SignInHeld>({ code: 'sign_in_held', accountId: account.id })
    const started = await startSession(
      deps,
      { authenticatorId: stored.id, accountId: stored.accountId },
      address,
    )
    // The password was changed, or the account disabled, after the password was read.
    return started.andThen((session): Result<NewSession, SignInWrong> =>
      session === undefined ? err(signInWrong) : ok(session),
    )
  },
})

interface Found {
  readonly account: StoredAccount | undefined
  /** `undefined` also when the account is disabled: nobody can sign in to it. */
  readonly stored: StoredPassword | undefined
}

/** Reads as much for an unknown account as for any other. */
async function findPassword(
  { accounts, passwords, keyRing, digests }: DepsOf<(typeof findPasswordNeeds)[number]>,
  name: string,
): Promise<Result<Found, StorageError>> {
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
  deps: DepsOf<(typeof knownAddressesNeeds)[number]>,
  { name, accountId, address }: { readonly name: string; readonly accountId: Uuid; readonly address: string },
): Promise<Result<string, StorageError>> {
  const known = await isKnownAddress(deps, { accountId, address })
  return known.map((isKnown) => (isKnown ? `account/${name}/from/${address}` : `account/${name}`))
}

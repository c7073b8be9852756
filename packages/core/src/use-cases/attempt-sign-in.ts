import { err, ok, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, HasherBusy, SignInLocked, StorageError } from '../errors.ts'
import type { StoredPassword } from '../ports/password-store.ts'
import type { Ports } from '../ports/ports.ts'
import type { AttemptLimits } from '../rules/attempts.ts'
import {
  accountAttemptLimits,
  addressAttemptLimits,
  reserveSignIn,
  settleSignIn,
} from '../rules/sign-in-attempts.ts'
import { isPassword } from './account-passwords.ts'
import { isKnownAddress } from './known-addresses.ts'

// What signing in and entering the password once more have in common: reserve an attempt, verify the password, settle the attempt.

export type AttemptSignInDeps = Pick<
  Ports,
  'signIns' | 'textCipher' | 'passwordHasher' | 'digests' | 'clock' | 'random'
>
export type AttemptSignInError = SignInLocked | HasherBusy | DecryptError | StorageError

/** One attempt at an account's password. */
export interface SignInAttempt {
  /** The account's name as `accountNameText` spells it, whether there is such an account or not. */
  readonly name: string
  /** The id of the account; the nil UUID when there is none. */
  readonly accountId: Uuid
  /** `undefined` when the account is unknown, is disabled, or has no password: the attempt then fails, and costs the same. */
  readonly stored: StoredPassword | undefined
  /** As it was typed. */
  readonly password: string
  /** Of the client; for IPv6 its /64. */
  readonly address: string
}

/** Ok with whether the password is right. A wrong one is counted before this answers, any other outcome releases the attempt. */
export async function attemptSignIn(
  deps: AttemptSignInDeps,
  attempt: SignInAttempt,
): Promise<Result<boolean, AttemptSignInError>> {
  const buckets = await bucketsOf(deps, attempt)
  if (buckets.isErr()) return err(buckets.error)
  const { names, limits } = buckets.value
  const attemptId = hexOf(deps.random.bytes(12))
  const nowMicros = deps.clock.nowMicros()
  const reserved = await deps.signIns.update(names, (states) =>
    reserveSignIn(states, limits, { attemptId, nowMicros }),
  )
  if (reserved.isErr()) return err(reserved.error)
  if (reserved.value.refused !== undefined) return err(reserved.value.refused)
  const verified = await isPassword(deps, attempt.stored, attempt.password)
  const isWrong = verified.isOk() && !verified.value
  const settling = { attemptId, isWrong, nowMicros: deps.clock.nowMicros() }
  const settled = await deps.signIns.update(names, (states) => ok(settleSignIn(states, limits, settling)))
  // Nobody learns whether a password is right before the attempt is settled.
  return settled.isErr() ? err(settled.error) : verified
}

interface Buckets {
  readonly names: readonly Uint8Array[]
  readonly limits: readonly AttemptLimits[]
}

/**
 * From an address that the account knows only that address is limited: otherwise anybody could lock its owner out. An unknown account
 * knows no address.
 */
async function bucketsOf(
  deps: AttemptSignInDeps,
  { name, accountId, address }: SignInAttempt,
): Promise<Result<Buckets, StorageError>> {
  const known = await isKnownAddress(deps, { accountId, address })
  if (known.isErr()) return err(known.error)
  const bucket = (text: string): Uint8Array => deps.digests.keyedDigests('sign-in-attempts', text)[0]
  const ofAddress = bucket(`address/${address}`)
  return ok(
    known.value
      ? { names: [ofAddress], limits: [addressAttemptLimits] }
      : {
          names: [bucket(`account/${name}`), ofAddress],
          limits: [accountAttemptLimits, addressAttemptLimits],
        },
  )
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

import { err, ok, type Result } from 'neverthrow'
import type { DecryptError, HasherBusy, SignInLocked, StorageError } from '../errors.ts'
import { hexOf } from '../hex.ts'
import type { StoredPassword } from '../ports/password-store.ts'
import type { PortMethods } from '../ports/ports.ts'
import {
  accountAttemptLimits,
  addressAttemptLimits,
  reserveSignIn,
  settleSignIn,
} from '../rules/sign-in-attempts.ts'
import { isPassword } from './account-passwords.ts'

// What signing in and entering the password once more have in common: reserve an attempt, verify the password, settle the attempt.

export type AttemptSignInDeps = PortMethods<{
  signIns: 'update'
  digests: 'keyedDigests'
  textCipher: 'decryptText'
  passwordHasher: 'hash' | 'params'
  clock: 'nowMicros'
  random: 'bytes'
}>
export type AttemptSignInError = SignInLocked | HasherBusy | DecryptError | StorageError

/** One attempt at an account's password. */
export interface SignInAttempt {
  /** Names the attempts that are counted together under the limits of an account, besides those from the same address. */
  readonly bucket: string
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
  const names = [attempt.bucket, `address/${attempt.address}`].map(
    (text) => deps.digests.keyedDigests('sign-in-attempts', text)[0],
  )
  const limits = [accountAttemptLimits, addressAttemptLimits]
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

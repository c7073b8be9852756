import type { SignInLocked, DecryptError, HasherBusy, StorageError } from '@sotto/core'
import {
  hexOf,
  accountAttemptLimits,
  addressAttemptLimits,
  reserveSignIn,
  settleSignIn,
} from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import type { DepsOf } from '../use-case.ts'
import type { StoredPassword } from './password-store.ts'
import { isPassword, isPasswordNeeds } from './account-passwords.ts'

// What signing in and proving once more who one is have in common: reserve an attempt, verify, settle the attempt.

/** What {@link countAttempt} needs. */
export const countAttemptNeeds = [
  'signIns.update',
  'digests.keyedDigests',
  'clock.nowMicros',
  'random.bytes',
] as const

/** What an attempt counts against. */
export interface CountedAttempt {
  /** Name the attempts that are counted together under the limits of an account, besides those from the same address. */
  readonly buckets: readonly string[]
  /** The address of the client; for IPv6 its /64. */
  readonly address: string
}

/** An attempt that is wrong is counted before this answers, any other outcome releases it. */
export async function countAttempt<T, E>(
  deps: DepsOf<(typeof countAttemptNeeds)[number]>,
  { buckets, address }: CountedAttempt,
  verify: () => Promise<Result<T, E>>,
  isWrong: (verified: Result<T, E>) => boolean,
): Promise<Result<T, E | SignInLocked | StorageError>> {
  const names = [...buckets, `address/${address}`].map(
    (text) => deps.digests.keyedDigests('sign-in-attempts', text)[0],
  )
  const limits = [...buckets.map(() => accountAttemptLimits), addressAttemptLimits]
  const attemptId = hexOf(deps.random.bytes(12))
  const nowMicros = deps.clock.nowMicros()
  const reserved = await deps.signIns.update(names, (states) =>
    reserveSignIn(states, limits, { attemptId, nowMicros }),
  )
  if (reserved.isErr()) return err(reserved.error)
  if (reserved.value.refused !== undefined) return err(reserved.value.refused)
  const verified = await verify()
  const settling = { attemptId, isWrong: isWrong(verified), nowMicros: deps.clock.nowMicros() }
  const settled = await deps.signIns.update(names, (states) => ok(settleSignIn(states, limits, settling)))
  // Nobody learns whether a password is right before the attempt is settled.
  return settled.isErr() ? err(settled.error) : verified
}

/** What {@link attemptSignIn} needs. */
export const attemptSignInNeeds = [...countAttemptNeeds, ...isPasswordNeeds] as const

/** One attempt at an account's password. */
export interface SignInAttempt extends Pick<CountedAttempt, 'address'> {
  /** The bucket, as in {@link CountedAttempt}. */
  readonly bucket: string
  /** `undefined` when the account is unknown, is disabled, or has no password: the attempt then fails, and costs the same. */
  readonly stored: StoredPassword | undefined
  /** The password as it was typed. */
  readonly password: string
}

/** Ok with whether the password is right. */
export function attemptSignIn(
  deps: DepsOf<(typeof attemptSignInNeeds)[number]>,
  { bucket, stored, password, address }: SignInAttempt,
): Promise<Result<boolean, SignInLocked | HasherBusy | DecryptError | StorageError>> {
  return countAttempt(
    deps,
    { buckets: [bucket], address },
    () => isPassword(deps, stored, password),
    (verified) => verified.isOk() && !verified.value,
  )
}

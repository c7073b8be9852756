import type { Uuid, StorageError } from '@sotto/core'
import { base64From, urlAlphabet } from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import type { PasskeyRefused } from './errors.ts'
import type { DepsOf } from '../use-case.ts'
import type { SentAssertion } from './passkey-verifier.ts'
import type { PasskeyStatus } from './passkey-store.ts'
import { assertionFault, isCounterFollowing, type PasskeyFault, type RelyingParty } from './passkey-rules.ts'
import { isChallengeOf, useChallenge, useChallengeNeeds, type PasskeyPurpose } from './passkey-challenges.ts'

// What signing in with a passkey and proving with it who one is have in common.

/** What {@link verifyPasskey} needs. */
export const verifyPasskeyNeeds = [
  ...useChallengeNeeds,
  'passkeyVerifier.read',
  'passkeyVerifier.isSigned',
  'passkeys.findByCredential',
  'passkeys.recordUse',
] as const

/** A passkey that was used on a page of ours. */
export interface UsedPasskey {
  readonly assertion: SentAssertion
  readonly relyingParty: RelyingParty
}

/** The name under which authenticators keep the passkeys of an account: the account's id, in base64url. */
export function userHandleOf(accountId: Uuid): string {
  return base64From(
    Uint8Array.from(accountId, (character) => character.charCodeAt(0)),
    urlAlphabet,
  )
}

/**
 * The passkey that was used, once everything about it is right and its counter is recorded. The challenge is used up before anything is looked
 * up.
 * @param accountId of whom a passkey is expected; of anybody, who must then be named by the authenticator, without it
 */
export async function verifyPasskey(
  deps: DepsOf<(typeof verifyPasskeyNeeds)[number]>,
  { assertion, relyingParty }: UsedPasskey,
  { purpose, accountId }: { readonly purpose: PasskeyPurpose; readonly accountId?: Uuid },
): Promise<Result<PasskeyStatus, PasskeyRefused | StorageError>> {
  const read = deps.passkeyVerifier.read(assertion, relyingParty.id)
  if (read === undefined) return refused('malformed')
  if (!isChallengeOf(deps, read.challenge, purpose)) return refused('challenge')
  const fault = assertionFault(read, relyingParty)
  if (fault !== undefined) return refused(fault)
  const used = await useChallenge(deps, read.challenge)
  if (used.isErr()) return err(used.error)
  const digest = deps.digests.opaqueTokenDigest('passkey-credential', assertion.credentialId)
  const found = await deps.passkeys.findByCredential(digest)
  if (found.isErr()) return err(found.error)
  const passkey = found.value
  if (passkey === undefined) return refused('unknown')
  const owner = { accountId: passkey.accountId }
  if (passkey.accountDisabled) return refused('account_disabled', owner)
  if (!isOwnerNamed(assertion, passkey, accountId)) return refused('user_handle', owner)
  if (!deps.passkeyVerifier.isSigned(assertion, passkey.publicKey)) return refused('signature', owner)
  if (!isCounterFollowing(passkey.counter, read.signCount)) return refused('counter', owner)
  const recorded = await deps.passkeys.recordUse(passkey.id, read.signCount, deps.clock.nowMicros())
  if (recorded.isErr()) return err(recorded.error)
  return recorded.value ? ok(passkey) : refused('counter', owner)
}

/** An authenticator that was asked for the passkeys of one account need not name it. */
function isOwnerNamed(
  { userHandle }: SentAssertion,
  passkey: PasskeyStatus,
  expected: Uuid | undefined,
): boolean {
  const isNamed = userHandle === userHandleOf(passkey.accountId)
  if (expected === undefined) return isNamed
  return passkey.accountId === expected && (userHandle === '' || isNamed)
}

/** Whether an attempt counts as failed. A page that was left open too long is no attempt at anything. */
export function isWrongPasskey(verified: Result<unknown, PasskeyRefused | StorageError>): boolean {
  return (
    verified.isErr() && verified.error.code === 'passkey_refused' && verified.error.reason !== 'challenge'
  )
}

function refused(
  reason: PasskeyFault,
  owner: { readonly accountId?: Uuid } = {},
): Result<never, PasskeyRefused> {
  return err({ code: 'passkey_refused', reason, ...owner })
}

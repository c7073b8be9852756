import type { StorageError } from '@sotto/core'
import { base64From, urlAlphabet } from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import type { PasskeyRefused } from './errors.ts'
import { isSameHash } from '../passwords/password-rules.ts'
import type { DepsOf } from '../use-case.ts'

// A challenge is stored nowhere until it is used: it says itself when it was made, under a keyed digest. In base64url it is 8 digits to the
// base of 36 for the second in which it was made, 24 characters of randomness, and 32 of the digest.

/** How long a challenge can be used: 10 minutes, in microseconds. */
export const challengeMicros = 10 * 60 * 1_000_000

/** What a passkey is asked for. A challenge is for one purpose, and where a session asks, for this session. */
export type PasskeyPurpose = 'sign-in' | `add/${string}` | `proof/${string}`

const secondDigits = 8
const randomBytes = 18
const digestBytes = 24
const shape = /^([0-9a-z]{8})[\w-]{24}[\w-]{32}$/

/** What {@link makeChallenge} needs. */
export const makeChallengeNeeds = ['digests.keyedDigests', 'clock.nowMicros', 'random.bytes'] as const

/** A fresh challenge: 48 bytes in base64url. */
export function makeChallenge(
  { digests, clock, random }: DepsOf<(typeof makeChallengeNeeds)[number]>,
  purpose: PasskeyPurpose,
): string {
  const second = Math.floor(clock.nowMicros() / 1_000_000)
  const head =
    second.toString(36).padStart(secondDigits, '0') + base64From(random.bytes(randomBytes), urlAlphabet)
  const [digest] = digests.keyedDigests('passkey-challenge', `${purpose}/${head}`)
  return head + base64From(digest.slice(0, digestBytes), urlAlphabet)
}

/** Whether a challenge was made here for this purpose within the last 10 minutes. It may have been used. */
export function isChallengeOf(
  { digests, clock }: DepsOf<'digests.keyedDigests' | 'clock.nowMicros'>,
  challenge: string,
  purpose: PasskeyPurpose,
): boolean {
  const second = shape.exec(challenge)?.[1]
  if (second === undefined) return false
  const [head, digest] = [challenge.slice(0, -32), challenge.slice(-32)]
  const isOurs = digests
    .keyedDigests('passkey-challenge', `${purpose}/${head}`)
    .some((one) => isSameHash(bytesOf(base64From(one.slice(0, digestBytes), urlAlphabet)), bytesOf(digest)))
  const age = clock.nowMicros() - parseInt(second, 36) * 1_000_000
  return isOurs && age >= 0 && age < challengeMicros
}

/** What {@link isChallengeOf} and {@link useChallenge} need. */
export const useChallengeNeeds = [
  'digests.keyedDigests',
  'digests.opaqueTokenDigest',
  'usedTokens.use',
  'clock.nowMicros',
] as const

/** Uses a challenge up, so that nothing signed for it counts twice. */
export async function useChallenge(
  { digests, usedTokens, clock }: DepsOf<(typeof useChallengeNeeds)[number]>,
  challenge: string,
): Promise<Result<void, PasskeyRefused | StorageError>> {
  const used = await usedTokens.use({
    digest: digests.opaqueTokenDigest('passkey-challenge', challenge),
    eraseAtMicros: clock.nowMicros() + challengeMicros,
  })
  if (used.isErr()) return err(used.error)
  return used.value ? ok() : err({ code: 'passkey_refused', reason: 'challenge_used' })
}

function bytesOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0))
}

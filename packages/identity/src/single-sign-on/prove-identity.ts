import type { Digests, StorageError } from '@sotto/core'
import { aString, type InputOf } from '@sotto/core/building-blocks'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { signInPolicyOf } from '../sessions/sign-in-policy.ts'
import type { DepsOf } from '../use-case.ts'
import {
  identityPlace,
  identityText,
  type IdentityName,
  type StoredIdentity,
} from '../authenticators/identity.ts'
import {
  ssoRefused,
  type IdentityProviderUnreachable,
  type IdentityRefused,
  type SsoRefused,
} from './errors.ts'
import type { ProvenIdentity } from './identity-provider.ts'
import type { IdentityIndexes, IdentityStatus } from './identity-store.ts'
import { decideSignIn, isMoreNeeded, type SignInDecision, type SignInQuestion } from './single-sign-on.ts'

// What the use-cases of identities have in common.

/** What a use-case takes that is about somebody who comes back from the identity provider. */
export const ssoCallback = {
  /** Where the browser came back to, in full, with its query. */
  callbackUrl: aString,
  /** What `beginSso` answered to this browser. */
  pending: aString,
} as const

/** What {@link proveIdentity} needs. */
export const proveIdentityNeeds = ['identityProvider?.finish'] as const

/** Proves who has come back from the provider. */
export async function proveIdentity(
  { identityProvider }: DepsOf<(typeof proveIdentityNeeds)[number]>,
  callback: InputOf<typeof ssoCallback>,
): Promise<Result<ProvenIdentity, IdentityProviderUnreachable | SsoRefused>> {
  return identityProvider === undefined ? ssoRefused('not_set_up') : identityProvider.finish(callback)
}

/** What {@link findIdentity} needs. */
export const findIdentityNeeds = ['identities.find', 'keyRing.refresh', 'digests.keyedDigests'] as const

/** The stored identity of this name; Ok(undefined) when there is none. */
export function findIdentity(
  { identities, keyRing, digests }: DepsOf<(typeof findIdentityNeeds)[number]>,
  name: IdentityName,
): ResultAsync<IdentityStatus | undefined, StorageError> {
  // An identity under a key that this process has not read yet would not be found.
  keyRing.refresh()
  return identities.find(identityIndexes(digests, name))
}

/** What {@link withDetails} and {@link admitIdentity} need. */
export const admitIdentityNeeds = ['identities.refuse', 'clock.nowMicros', 'policy.signIn'] as const

/** The identity with the details that decide about it. The provider is asked for more only if that may change the decision. */
export async function withDetails(
  { policy }: DepsOf<'policy.signIn'>,
  { proven, known }: { readonly proven: ProvenIdentity; readonly known: IdentityStatus | undefined },
): Promise<Result<ProvenIdentity, IdentityProviderUnreachable | SsoRefused>> {
  const { more, ...first } = proven
  const { allowed } = signInPolicyOf(policy)
  if (more === undefined || !isMoreNeeded({ proven, known, allowed }, more)) return ok(first)
  return more.ask().map((details) => ({ ...first, ...details }))
}

/** What `decideSignIn` says. When a known identity is not allowed any more, that is recorded, and all sessions of its account end. */
export async function admitIdentity(
  { identities, clock, policy }: DepsOf<(typeof admitIdentityNeeds)[number]>,
  question: Pick<SignInQuestion, 'proven' | 'isAddressTaken'> & {
    readonly known: IdentityStatus | undefined
  },
): Promise<Result<SignInDecision, IdentityRefused | StorageError>> {
  const { known } = question
  const decision = decideSignIn({ ...question, allowed: signInPolicyOf(policy).allowed })
  if (known === undefined || decision.isOk() || decision.error.reason !== 'not_allowed') return decision
  const refused = await identities.refuse(known.id, clock.nowMicros())
  return refused.isErr() ? err(refused.error) : decision
}

/** The digests under which an identity is stored and found; that of the active key comes first. */
export function identityIndexes(digests: Pick<Digests, 'keyedDigests'>, name: IdentityName): IdentityIndexes {
  return digests.keyedDigests('identity', identityText(name))
}

/** An identity that is encrypted for its account, under the active key. */
export function encryptIdentity(
  { textCipher }: DepsOf<'textCipher.encryptText'>,
  { issuer, subject }: IdentityName,
  columns: Pick<StoredIdentity, 'id' | 'accountId' | 'origin' | 'createdAtMicros'>,
): StoredIdentity {
  const name = textCipher.encryptText(
    identityPlace(columns.accountId, columns.id),
    identityText({ issuer, subject }),
  )
  return { ...columns, lastUsedAtMicros: undefined, refusedAtMicros: undefined, name }
}

/** Digest of a session at the identity provider; `undefined` when the provider names none. */
export function providerSessionDigest(
  digests: Pick<Digests, 'opaqueTokenDigest'>,
  { issuer, sessionId }: { readonly issuer: string; readonly sessionId?: string | undefined },
): Uint8Array | undefined {
  return sessionId === undefined
    ? undefined
    : digests.opaqueTokenDigest('provider-session', `${issuer} ${sessionId}`)
}

import type { Uuid, StorageError, TextCipher, Digests, Clock, Page } from '@sotto/core'
import { type KeyUnknown, type KeyRing, showRows } from '@sotto/core/building-blocks'
import { type IdentityPolicy, signInPolicyOf } from '../sessions/sign-in-policy.ts'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import {
  identityPlace,
  identityText,
  showIdentity,
  type Identity,
  type IdentityName,
  type StoredIdentity,
} from '../authenticators/identity.ts'
import type { IdentityProviderUnreachable, IdentityRefused, SsoRefused } from './errors.ts'
import type { IdentityProvider, ProvenIdentity } from './identity-provider.ts'
import type { IdentityIndexes, IdentityStatus, IdentityStore } from './identity-store.ts'
import { decideSignIn, isMoreNeeded, type SignInDecision, type SignInQuestion } from './single-sign-on.ts'

// What the use-cases of identities have in common.

/** Somebody who comes back from the identity provider. */
export interface SsoCallback {
  /** Where the browser came back to, in full, with its query. */
  readonly callbackUrl: string
  /** What `beginSso` answered to this browser. */
  readonly pending: string
}

/** Proves who has come back from the provider. */
export async function proveIdentity(
  { identityProvider }: { readonly identityProvider?: Pick<IdentityProvider, 'finish'> | undefined },
  { callbackUrl, pending }: SsoCallback,
): Promise<Result<ProvenIdentity, IdentityProviderUnreachable | SsoRefused>> {
  return identityProvider === undefined
    ? err({ code: 'sso_refused', reason: 'not_set_up' })
    : identityProvider.finish({ callbackUrl, pending })
}

export interface FindIdentityDeps {
  readonly identities: Pick<IdentityStore, 'find'>
  readonly keyRing: Pick<KeyRing, 'refresh'>
  readonly digests: Pick<Digests, 'keyedDigests'>
}

/** The stored identity of this name; Ok(undefined) when there is none. */
export function findIdentity(
  { identities, keyRing, digests }: FindIdentityDeps,
  name: IdentityName,
): ResultAsync<IdentityStatus | undefined, StorageError> {
  // An identity under a key that this process has not read yet would not be found.
  keyRing.refresh()
  return identities.find(identityIndexes(digests, name))
}

export type AdmitIdentityDeps = {
  readonly identities: Pick<IdentityStore, 'refuse'>
  readonly clock: Clock
} & {
  readonly policy: IdentityPolicy
}

/** The identity with the details that decide about it. The provider is asked for more only if that may change the decision. */
export async function withDetails(
  { policy }: Pick<AdmitIdentityDeps, 'policy'>,
  { proven, known }: { readonly proven: ProvenIdentity; readonly known: IdentityStatus | undefined },
): Promise<Result<ProvenIdentity, IdentityProviderUnreachable | SsoRefused>> {
  const { more, ...first } = proven
  const { allowed } = signInPolicyOf(policy)
  if (more === undefined || !isMoreNeeded({ proven, known, allowed }, more)) return ok(first)
  return more.ask().map((details) => ({ ...first, ...details }))
}

/** What `decideSignIn` says. When a known identity is not allowed any more, that is recorded, and all sessions of its account end. */
export async function admitIdentity(
  { identities, clock, policy }: AdmitIdentityDeps,
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
export function identityIndexes(
  digests: { readonly digests: Pick<Digests, 'keyedDigests'> }['digests'],
  name: IdentityName,
): IdentityIndexes {
  return digests.keyedDigests('identity', identityText(name))
}

/** An identity that is encrypted for its account, under the active key. */
export function encryptIdentity(
  { textCipher }: { readonly textCipher: Pick<TextCipher, 'encryptText'> },
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
  digests: { readonly digests: Pick<Digests, 'opaqueTokenDigest'> }['digests'],
  { issuer, sessionId }: { readonly issuer: string; readonly sessionId?: string | undefined },
): Uint8Array | undefined {
  return sessionId === undefined
    ? undefined
    : digests.opaqueTokenDigest('provider-session', `${issuer} ${sessionId}`)
}

export interface ListIdentitiesDeps {
  readonly identities: Pick<IdentityStore, 'list'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
}
export interface ListIdentitiesInput {
  readonly accountId: Uuid
}
export type ListIdentitiesError = KeyUnknown | StorageError

/** All identities of an account, by creation and id, on one page. Never their subjects. */
export function listIdentities(
  { identities, textCipher }: ListIdentitiesDeps,
  { accountId }: ListIdentitiesInput,
): ResultAsync<Page<Identity>, ListIdentitiesError> {
  return identities
    .list(accountId)
    .andThen((all) => showRows(all, (stored) => showIdentity(textCipher, stored)))
}

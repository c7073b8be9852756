import {
  type Uuid,
  type AccountNotFound,
  type DecryptError,
  type FieldsInvalid,
  type KeyRetired,
  type StorageError,
  type TextCipher,
  type Digests,
  type Clock,
  type Random,
  labelError,
} from '@sotto/core'
import {
  base64From,
  urlAlphabet,
  type KeyRing,
  underActiveKey,
  getAccount,
  type GetAccountDeps,
  newId,
} from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { passkeysMax, type Passkey } from './passkey.ts'
import type { PasskeyLimitReached, PasskeyRefused, PasskeyTaken } from './errors.ts'
import type { AttestedPasskey, PasskeyVerifier, SentPasskey } from './passkey-verifier.ts'
import type { PasskeyStore } from './passkey-store.ts'
import { registrationFault, type PasskeyFault, type RelyingParty } from './passkey-rules.ts'
import {
  isChallengeOf,
  makeChallenge,
  useChallenge,
  type MakeChallengeDeps,
  type UseChallengeDeps,
} from './passkey-challenges.ts'
import { userHandleOf } from './verify-passkey.ts'

export type BeginPasskeyDeps = MakeChallengeDeps &
  GetAccountDeps & { readonly passkeys: Pick<PasskeyStore, 'list'> }
export interface BeginPasskeyInput {
  readonly accountId: Uuid
  /** The session that asks. */
  readonly sessionId: Uuid
}
export type BeginPasskeyError = AccountNotFound | DecryptError | StorageError

/** What a browser needs to make a passkey. */
export interface PasskeyBeginning {
  /** The challenge in base64url. This session can use it once, within 10 minutes. */
  readonly challenge: string
  /** What authenticators find the account by, in base64url. */
  readonly userHandle: string
  /** The name that authenticators show to people; empty for an account without an email address. */
  readonly userName: string
  /** The ids of the passkeys that there are, in base64url: their authenticators make no second one. */
  readonly known: readonly string[]
}

/** Begins to add a passkey to an account. */
export function beginPasskey(
  deps: BeginPasskeyDeps,
  { accountId, sessionId }: BeginPasskeyInput,
): ResultAsync<PasskeyBeginning, BeginPasskeyError> {
  return getAccount(deps, { accountId }).andThen(({ email }) =>
    deps.passkeys.list(accountId).map((known) => ({
      challenge: makeChallenge(deps, `add/${sessionId}`),
      userHandle: userHandleOf(accountId),
      userName: email ?? '',
      known: known.map(({ credentialId }) => base64From(credentialId, urlAlphabet)),
    })),
  )
}

export type AddPasskeyDeps = UseChallengeDeps & {
  readonly passkeyVerifier: Pick<PasskeyVerifier, 'read'>
  readonly passkeys: Pick<PasskeyStore, 'insert'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly digests: Pick<Digests, 'keyedDigests' | 'opaqueTokenDigest'>
  readonly clock: Clock
  readonly random: Random
}
export interface AddPasskeyInput {
  readonly accountId: Uuid
  /** The session that asks, and that `beginPasskey` was called for. */
  readonly sessionId: Uuid
  /** 1 to 255 code points, nothing that people do not see. */
  readonly name: string
  readonly made: SentPasskey
  readonly relyingParty: RelyingParty
}
export type AddPasskeyError =
  | FieldsInvalid
  | PasskeyRefused
  | PasskeyTaken
  | PasskeyLimitReached
  | AccountNotFound
  | KeyRetired
  | StorageError

/**
 * Adds a passkey to an account. The caller makes sure that its owner proved just now who they are; see `ensureReauthentication`. The passkey's
 * key is what the browser says it is: no attestation is asked for.
 * @errors `fields_invalid` for the field `name`; `passkey_refused`, `passkey_taken`; `passkey_limit_reached` when the account has `passkeysMax`
 */
export function addPasskey(
  deps: AddPasskeyDeps,
  input: AddPasskeyInput,
): ResultAsync<Passkey, AddPasskeyError> {
  return new ResultAsync(add(deps, input))
}

async function add(deps: AddPasskeyDeps, input: AddPasskeyInput): Promise<Result<Passkey, AddPasskeyError>> {
  const { accountId, name, made, relyingParty } = input
  const broken = labelError(name)
  if (broken !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'name', ...broken }] })
  const attested = await attestedOf(deps, input)
  if (attested.isErr()) return err(attested.error)
  const { credentialId, publicKey, algorithm } = attested.value
  const createdAtMicros = deps.clock.nowMicros()
  const id = newId(deps.random, createdAtMicros)
  const fresh = { id, rpId: relyingParty.id, createdAtMicros, lastUsedAtMicros: undefined }
  const digest = deps.digests.opaqueTokenDigest('passkey-credential', made.credentialId)
  const inserted = await underActiveKey(deps.keyRing, () => {
    const encrypted = deps.textCipher.encryptText({ column: 'passkey.name', accountId, rowId: id }, name)
    const { counter } = attested.value
    const stored = { ...fresh, accountId, name: encrypted, credentialId, publicKey, algorithm, counter }
    return deps.passkeys.insert(stored, digest, passkeysMax)
  })
  return inserted.isErr() ? err(inserted.error) : ok({ ...fresh, name })
}

/** The passkey that was made, once everything about it is right. Its challenge is used up. */
async function attestedOf(
  deps: AddPasskeyDeps,
  { sessionId, made, relyingParty }: AddPasskeyInput,
): Promise<Result<AttestedPasskey & { readonly counter: number }, PasskeyRefused | StorageError>> {
  const refused = (reason: PasskeyFault) => err({ code: 'passkey_refused', reason } as const)
  const read = deps.passkeyVerifier.read(made, relyingParty.id)
  if (read === undefined) return refused('malformed')
  if (!isChallengeOf(deps, read.challenge, `add/${sessionId}`)) return refused('challenge')
  const fault = registrationFault(read, relyingParty)
  if (fault !== undefined) return refused(fault)
  const used = await useChallenge(deps, read.challenge)
  if (used.isErr()) return err(used.error)
  const { attested, signCount } = read
  return attested === undefined ? refused('credential') : ok({ ...attested, counter: signCount })
}

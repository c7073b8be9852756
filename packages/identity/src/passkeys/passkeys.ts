import {
  uuidToFind,
  type Uuid,
  type DecryptError,
  type StorageError,
  type TextCipher,
  type Page,
} from '@sotto/core'
import { base64From, urlAlphabet, type KeyUnknown, showRows } from '@sotto/core/building-blocks'
import type { Result, ResultAsync } from 'neverthrow'
import type { Passkey } from './passkey.ts'
import type { PasskeyNotFound } from './errors.ts'
import type { LastAuthenticator } from '../authenticators/errors.ts'
import type { Authenticators } from '../authenticators/authenticators.ts'
import type { PasskeyStore, StoredPasskey } from './passkey-store.ts'
import { makeChallenge, type MakeChallengeDeps } from './passkey-challenges.ts'
import { isEnough, type IsEnoughDeps } from '../authenticators/account-authenticators.ts'

/** A stored passkey as its owner sees it. */
export function showPasskey(
  cipher: Pick<TextCipher, 'decryptText'>,
  { id, accountId, name, rpId, createdAtMicros, lastUsedAtMicros }: StoredPasskey,
): Result<Passkey, DecryptError> {
  return cipher
    .decryptText({ column: 'passkey.name', accountId, rowId: id }, name)
    .map((text) => ({ id, name: text, rpId, createdAtMicros, lastUsedAtMicros }))
}

export interface ListPasskeysDeps {
  readonly passkeys: Pick<PasskeyStore, 'list'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
}
export interface ListPasskeysInput {
  readonly accountId: Uuid
}
export type ListPasskeysError = KeyUnknown | StorageError

/** All passkeys of an account, by creation and id, on one page. */
export function listPasskeys(
  { passkeys, textCipher }: ListPasskeysDeps,
  { accountId }: ListPasskeysInput,
): ResultAsync<Page<Passkey>, ListPasskeysError> {
  return passkeys.list(accountId).andThen((all) => showRows(all, (stored) => showPasskey(textCipher, stored)))
}

export type BeginPasskeyProofDeps = MakeChallengeDeps & { readonly passkeys: Pick<PasskeyStore, 'list'> }
export interface BeginPasskeyProofInput {
  readonly accountId: Uuid
  /** The session that asks. */
  readonly sessionId: Uuid
  /** The relying party id of the page that asks. */
  readonly rpId: string
}
export type BeginPasskeyProofError = StorageError

/** What a browser needs to use one of an account's passkeys. */
export interface PasskeyProofBeginning {
  /** The challenge, as in `beginPasskey`. */
  readonly challenge: string
  /** The ids of the account's passkeys for this host, in base64url. */
  readonly known: readonly string[]
}

/** Begins to prove with a passkey whose session this is, for `ensureReauthentication`. `undefined` when the account has none for this host. */
export function beginPasskeyProof(
  deps: BeginPasskeyProofDeps,
  { accountId, sessionId, rpId }: BeginPasskeyProofInput,
): ResultAsync<PasskeyProofBeginning | undefined, BeginPasskeyProofError> {
  return deps.passkeys.list(accountId).map((all) => {
    const known = all
      .filter((passkey) => passkey.rpId === rpId)
      .map(({ credentialId }) => base64From(credentialId, urlAlphabet))
    return known.length === 0 ? undefined : { challenge: makeChallenge(deps, `proof/${sessionId}`), known }
  })
}

export type DeletePasskeyDeps = IsEnoughDeps & { readonly passkeys: Pick<PasskeyStore, 'erase'> }
export interface DeletePasskeyInput {
  readonly accountId: Uuid
  readonly id: string
  /** The session that asks. Every other session that was begun with the passkey ends. */
  readonly sessionId: Uuid
  /** The id of the relying party, as in `DisconnectIdentityInput`. */
  readonly rpId?: string | undefined
}
export type DeletePasskeyError = PasskeyNotFound | LastAuthenticator | StorageError

/**
 * Takes a passkey from its account. The caller makes sure that its owner proved just now who they are; see `ensureReauthentication`.
 * @errors `passkey_not_found`, the same for an unknown, malformed or another account's id; `last_way_in` when its owner could not sign in any
 * more
 */
export function deletePasskey(
  deps: DeletePasskeyDeps,
  { accountId, id, sessionId, rpId }: DeletePasskeyInput,
): ResultAsync<void, DeletePasskeyError> {
  const mayErase = (left: Authenticators): boolean => isEnough(deps, left, rpId)
  return deps.passkeys.erase(accountId, uuidToFind(id), { mayErase, keepSessionId: sessionId })
}

import type { Result, ResultAsync } from 'neverthrow'
import type { Passkey } from '../entities/passkey.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, KeyUnknown, StorageError } from '../errors.ts'
import type { TextCipher } from '../ports/cipher.ts'
import type { StoredPasskey } from '../ports/passkey-store.ts'
import type { PortMethods } from '../ports/ports.ts'
import { showRows, type Page } from './pages.ts'

/** A stored passkey as its owner sees it. */
export function showPasskey(
  cipher: Pick<TextCipher, 'decryptText'>,
  { id, accountId, name, rpId, createdAtMicros, lastUsedAtMicros }: StoredPasskey,
): Result<Passkey, DecryptError> {
  return cipher
    .decryptText({ column: 'passkey.name', accountId, rowId: id }, name)
    .map((text) => ({ id, name: text, rpId, createdAtMicros, lastUsedAtMicros }))
}

export type ListPasskeysDeps = PortMethods<{ passkeys: 'list'; textCipher: 'decryptText' }>
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

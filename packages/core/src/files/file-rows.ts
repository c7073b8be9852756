import { Result } from 'neverthrow'
import type { OwnedFile, SecretFile, Upload } from './secret-file.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { DecryptError } from '../shared/errors.ts'
import type { TextCipher } from '../shared/cipher.ts'
import type { StoredSecretFile } from './secret-file-store.ts'
import { fileAboutText, parseFileAbout } from './file-rules.ts'

// What use-cases that write or show the rows of files have in common.

/**
 * Contents that were uploaded for another account or secret could never be read.
 * @throws TypeError when an upload is not for this account, or not for this secret
 */
export function requireUploadFor(
  { accountId, secretId }: { readonly accountId: Uuid; readonly secretId?: Uuid },
  upload: Upload | undefined,
): void {
  if (upload === undefined) return
  if (upload.accountId !== accountId) throw new TypeError('the upload is for another account')
  if (secretId !== undefined && upload.secretId !== secretId)
    throw new TypeError('the upload is for another secret or draft')
}

/** The rows of a secret's files, in their order. */
export function fileRows(
  { textCipher }: { readonly textCipher: Pick<TextCipher, 'encryptText'> },
  { accountId, secretId, isShown }: Pick<StoredSecretFile, 'accountId' | 'secretId' | 'isShown'>,
  files: readonly OwnedFile[],
): readonly StoredSecretFile[] {
  return files.map((file, at) => ({
    id: file.id,
    accountId,
    secretId,
    number: at + 1,
    isShown,
    about: textCipher.encryptText(placeOf({ accountId, id: file.id }), fileAboutText(file)),
  }))
}

/** The files of a secret or draft, as its owner sees them. */
export function showFiles(
  { textCipher }: { readonly textCipher: Pick<TextCipher, 'decryptText'> },
  rows: readonly StoredSecretFile[] = [],
): Result<readonly OwnedFile[], DecryptError> {
  return Result.combine(
    rows.map((row) => showFile({ textCipher }, row).map((file) => ({ id: row.id, ...file }))),
  )
}

/** Name, size and type of a file. */
export function showFile(
  { textCipher }: { readonly textCipher: Pick<TextCipher, 'decryptText'> },
  row: Pick<StoredSecretFile, 'id' | 'accountId' | 'about'>,
): Result<SecretFile, DecryptError> {
  return textCipher.decryptText(placeOf(row), row.about).map(parseFileAbout)
}

function placeOf({ accountId, id }: { readonly accountId: Uuid; readonly id: Uuid }) {
  return { column: 'file.about', accountId, rowId: id } as const
}

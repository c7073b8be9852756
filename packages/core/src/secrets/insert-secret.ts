import { err, ok, type Result } from 'neverthrow'
import type { Draft } from './secret.ts'
import type { AddedFiles } from '../files/secret-file.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { FieldsInvalid, HasherBusy, KeyRetired, NewSecretRule, StorageError } from '../shared/errors.ts'
import type { PlainSecret, SecretCipher } from './secret-cipher.ts'
import type { KeyRing, TextCipher } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { InsertSecretRowError, SecretStore } from './secret-store.ts'
import { normalizePassword } from '../shared/fields.ts'
import { type NewSecret } from './new-secret.ts'
import { joinNote } from '../files/file-rules.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { withoutFolderNotFound } from './check-new-secret.ts'
import { fileRows, requireUploadFor } from '../files/file-rows.ts'
import { newId } from '../shared/ids.ts'
import type { NewLink } from './links.ts'
import { sealedMark, sealedOf, type SealedMark } from '../sealed/sealed-note.ts'

export interface InsertSecretDeps {
  readonly secretCipher: Pick<SecretCipher, 'encryptSecret'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly clock: Clock
  readonly random: Random
}
export type InsertSecretInput = NewSecret & AddedFiles & { readonly accountId: Uuid }

/** A secret that is added: when, with which link, and what adds its row. */
export interface Insertion<E> {
  readonly nowMicros: number
  readonly link: NewLink | undefined
  readonly insert: (
    ...row: Parameters<SecretStore['insert']>
  ) => PromiseLike<Result<void, E | InsertSecretRowError>>
}
export type InsertSecretError = FieldsInvalid<NewSecretRule> | HasherBusy | KeyRetired | StorageError

/**
 * Encrypts and stores a new secret whose fields are valid, with or without a link: what creating a secret and saving a draft have in
 * common. Ok with the secret as its owner sees it, without its link.
 */
export async function insertSecret<E extends { readonly code: string }>(
  deps: InsertSecretDeps,
  input: InsertSecretInput,
  { nowMicros, link, insert }: Insertion<E>,
): Promise<Result<Draft & SealedMark, E | InsertSecretError>> {
  const { accountId, label, note, openLimit, notify = false, password, upload, showsFiles } = input
  requireUploadFor({ accountId }, upload)
  const plainColumns = {
    id: upload?.secretId ?? newId(deps.random, nowMicros),
    folderId: input.folderId.toLowerCase(),
    createdAtMicros: nowMicros,
    openLimit,
    notify,
    hasPassword: password !== undefined,
  }
  const sealed = link === undefined ? {} : sealedOf(note)
  const plain: PlainSecret = {
    row: { ...plainColumns, accountId, link: link?.stored },
    head: { label, linkToken: link?.token, ...sealed },
    note: upload === undefined ? note : joinNote(note, upload.files),
    password: password === undefined ? undefined : normalizePassword(password),
  }
  const inserted = await underActiveKey(deps.keyRing, () =>
    encryptAndInsert(deps, { plain, upload, showsFiles }, insert),
  )
  return inserted.isErr() ? err(inserted.error) : ok({ ...plainColumns, label, ...sealedMark(sealed) })
}

async function encryptAndInsert<E extends { readonly code: string }>(
  deps: InsertSecretDeps,
  { plain, upload, showsFiles = false }: AddedFiles & { readonly plain: PlainSecret },
  insert: Insertion<E>['insert'],
): Promise<Result<void, E | InsertSecretError>> {
  const encrypted = await deps.secretCipher.encryptSecret(plain)
  if (encrypted.isErr()) return err(encrypted.error)
  const { kid, headCiphertext, wrappedKey, note } = encrypted.value
  const files = upload && fileRows(deps, { ...upload, isShown: showsFiles }, upload.files)
  const inserted = await insert({ ...plain.row, kid, headCiphertext }, { note, wrappedKey }, files)
  return inserted.mapErr(withoutFolderNotFound)
}

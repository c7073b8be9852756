import { err, ok, type Result } from 'neverthrow'
import type { Draft } from './secret.ts'
import type { AddedFiles } from '../files/shapes.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { FieldsInvalid, HasherBusy, KeyRetired, NewSecretRule, StorageError } from '../shared/errors.ts'
import type { PlainSecret } from './secret-cipher.ts'
import type { InsertSecretRowError, SecretStore } from './secret-store.ts'
import { normalizePassword } from '../shared/fields.ts'
import type { NewSecret } from './new-secret.ts'
import { joinNote } from '../files/file-rules.ts'
import { underActiveKey } from '../shared/active-key.ts'
import type { DepsOf } from '../shared/use-case.ts'
import { withoutFolderNotFound } from './check-fields.ts'
import { fileRows, requireUploadFor } from '../files/file-rows.ts'
import { newId } from '../shared/ids.ts'
import type { NewLink } from './links.ts'
import { sealedMark, sealedOf, type SealedMark } from '../sealed/sealed-note.ts'

/** What {@link insertSecret} needs. */
export const insertNeeds = [
  'secretCipher.encryptSecret',
  'textCipher.encryptText',
  'keyRing.follow',
  'clock.nowMicros',
  'random.bytes',
] as const

type Deps = DepsOf<(typeof insertNeeds)[number]>

/** A secret that is added: when, with which link, and the store of its row. */
export interface Insertion<E> {
  readonly nowMicros: number
  readonly link: NewLink | undefined
  readonly into: {
    insert(...row: Parameters<SecretStore['insert']>): PromiseLike<Result<void, E | InsertSecretRowError>>
  }
}

type InsertError = FieldsInvalid<NewSecretRule> | HasherBusy | KeyRetired | StorageError

/**
 * Encrypts and stores a new secret whose fields are valid, with or without a link: what creating a secret and saving a draft have in
 * common. Ok with the secret as its owner sees it, without its link.
 */
export async function insertSecret<E extends { readonly code: string }>(
  deps: Deps,
  input: NewSecret & AddedFiles & { readonly accountId: Uuid },
  { nowMicros, link, into }: Insertion<E>,
): Promise<Result<Draft & SealedMark, E | InsertError>> {
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
    encryptAndInsert(deps, { plain, upload, showsFiles }, into),
  )
  return inserted.isErr() ? err(inserted.error) : ok({ ...plainColumns, label, ...sealedMark(sealed) })
}

async function encryptAndInsert<E extends { readonly code: string }>(
  deps: Deps,
  { plain, upload, showsFiles = false }: AddedFiles & { readonly plain: PlainSecret },
  into: Insertion<E>['into'],
): Promise<Result<void, E | InsertError>> {
  const encrypted = await deps.secretCipher.encryptSecret(plain)
  if (encrypted.isErr()) return err(encrypted.error)
  const { kid, headCiphertext, wrappedKey, note } = encrypted.value
  const files = upload && fileRows(deps, { ...upload, isShown: showsFiles }, upload.files)
  const inserted = await into.insert({ ...plain.row, kid, headCiphertext }, { note, wrappedKey }, files)
  return inserted.mapErr(withoutFolderNotFound)
}

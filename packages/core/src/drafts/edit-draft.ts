import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { AddedFiles, KeyedFile } from '../files/secret-file.ts'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import type { FolderNotFound } from '../secrets/errors.ts'
import type { DraftChanged, DraftNotFound, DraftSealed } from './errors.ts'
import type {
  DecryptError,
  FieldsInvalid,
  HasherBusy,
  KeyRetired,
  NewSecretRule,
  StorageError,
} from '../shared/errors.ts'
import type { Encrypted, EncryptedSecret } from '../shared/ciphertext.ts'
import type { DraftStore, StoredDraft } from './draft-store.ts'
import type { SecretCipher, SecretHead } from '../secrets/secret-cipher.ts'
import type { KeyRing, TextCipher } from '../shared/cipher.ts'
import type { StoredSecretFile } from '../files/secret-file-store.ts'
import type { StoredNote, StoredSecret } from '../secrets/secret-store.ts'
import { normalizePassword } from '../shared/fields.ts'
import { type NewSecret, newSecretErrors } from '../secrets/new-secret.ts'
import { filesMax, joinNote } from '../files/file-rules.ts'
import { underActiveKey } from '../shared/active-key.ts'
import {
  checkNewSecret,
  withoutFolderNotFound,
  type CheckNewSecretDeps,
} from '../secrets/check-new-secret.ts'
import { fileRows, requireUploadFor } from '../files/file-rows.ts'
import { unsealFiles } from './get-draft.ts'
import { isSealed } from '../sealed/sealed-note.ts'
import { draftVersion } from '../secrets/show-secret.ts'

export type EditDraftDeps = CheckNewSecretDeps & {
  readonly drafts: Pick<DraftStore, 'find' | 'replace'>
  readonly secretCipher: Pick<SecretCipher, 'decryptHead' | 'rebind' | 'encryptSecret'>
  readonly textCipher: Pick<TextCipher, 'encryptText' | 'decryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
}

/** The draft as it is to be. Every field is given, as in the form that shows all of them. */
export interface EditDraftInput extends Omit<NewSecret, 'note' | 'password'> {
  readonly accountId: Uuid
  readonly id: string
  /** The `version` of the draft that was edited, as `getDraft` gave it; without it, the edit replaces whatever the draft is by now. */
  readonly version?: string | undefined
  /** The new note, password and files; `undefined` keeps all of them as they are, for which no password is needed. */
  readonly content: DraftContent | undefined
}

/** What replaces the note of a draft, its password and its files. */
export interface DraftContent extends AddedFiles {
  /** The note, which may be empty where the draft keeps or gets a file. */
  readonly note: string
  readonly password?: string | undefined
  /** `sealedFiles` of the draft that was edited. They are needed for each file that it keeps. */
  readonly sealedFiles?: Encrypted | undefined
  /** The ids of the files that are removed. */
  readonly removedFiles?: readonly string[] | undefined
}
export type EditDraftError =
  | FieldsInvalid<NewSecretRule>
  | DraftNotFound
  | DraftChanged
  | DraftSealed
  | HasherBusy
  | DecryptError
  | KeyRetired
  | StorageError

/** A key rotation can run between reading a draft and replacing it, but not again and again. */
const maxTries = 5

/**
 * Replaces a draft's fields.
 * @errors `fields_invalid` with every invalid field; `draft_not_found`, the same for an unknown, malformed, shared or another account's id;
 * `draft_changed` when it has another version by now, or its files are not those of `sealedFiles`; `draft_sealed` for a new content or title
 * of an answer that only its owner can decrypt, which can be moved to another folder all the same; `hasher_busy`
 */
export function editDraft(deps: EditDraftDeps, input: EditDraftInput): ResultAsync<void, EditDraftError> {
  return new ResultAsync(edit(deps, input))
}

async function edit(deps: EditDraftDeps, input: EditDraftInput): Promise<Result<void, EditDraftError>> {
  const { id, version: _, content, ...fields } = input
  const texts = content === undefined ? {} : { note: content.note, password: content.password }
  // The files that are kept are known only once the draft was read.
  const hasFiles = content?.sealedFiles !== undefined || (content?.upload?.files.length ?? 0) > 0
  const checked = await checkNewSecret(deps, { ...fields, ...texts, hasFiles, isDraft: true })
  if (checked.isErr()) return err(checked.error)
  for (let tried = 0; tried < maxTries; tried += 1) {
    const replaced = await underActiveKey(deps.keyRing, () => replaceOnce(deps, uuidToFind(id), input))
    if (replaced.isOk() && !replaced.value) continue
    return replaced.isErr() ? err(withoutFolderNotFound(replaced.error)) : ok()
  }
  return err({ code: 'storage_unavailable', reason: 'busy' })
}

/** Ok(false) when the draft was changed after it was read. */
async function replaceOnce(
  deps: EditDraftDeps,
  id: Uuid,
  input: EditDraftInput,
): Promise<Result<boolean, EditDraftError | FolderNotFound>> {
  const { drafts } = deps
  const found = await drafts.find(input.accountId, id)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'draft_not_found' })
  const { secret } = found.value
  if (input.version !== undefined && input.version !== draftVersion(secret)) {
    return err({ code: 'draft_changed' })
  }
  const before = deps.secretCipher.decryptHead(secret)
  if (before.isErr()) return err(before.error)
  if (isSealed(before.value) && (input.content !== undefined || input.label !== before.value.label))
    return err({ code: 'draft_sealed' })
  const files = editFiles(deps, found.value, input.content)
  if (files.isErr()) return err(files.error)
  const edited = await encrypt(deps, { ...found.value, head: before.value }, input, files.value?.kept)
  if (edited.isErr()) return err(edited.error)
  const { row, note } = edited.value
  // The attempts were at a password of the note before. It is gone with that note, but not with other changes.
  const options = { forgetsAttempts: input.content !== undefined, files: files.value?.rows }
  return drafts.replace(secret.headCiphertext, { ...row, link: undefined }, note, options)
}

/** All files that a draft has from now on; `undefined` when they stay as they are. */
interface EditedFiles {
  readonly kept: readonly KeyedFile[]
  readonly rows: readonly StoredSecretFile[]
}

function editFiles(
  deps: EditDraftDeps,
  { secret, files: rows = [] }: StoredDraft,
  content: DraftContent | undefined,
): Result<EditedFiles | undefined, FieldsInvalid<NewSecretRule> | DraftChanged> {
  if (content === undefined) return ok(undefined)
  const { note, sealedFiles, removedFiles = [], upload, showsFiles = false } = content
  requireUploadFor({ accountId: secret.accountId, secretId: secret.id }, upload)
  const sealed = sealedFiles === undefined ? [] : unsealFiles(deps, secret, sealedFiles)
  const before = sealed.filter(({ id }) => rows.some((row) => row.id === id))
  const unread = rows.filter(({ id }) => !before.some((file) => file.id === id))
  // A file without its key can only be removed.
  if (!unread.every(({ id }) => removedFiles.includes(id))) return err({ code: 'draft_changed' })
  const added = upload?.files ?? []
  const kept = [...before.filter(({ id }) => !removedFiles.includes(id)), ...added]
  if (kept.length > filesMax)
    return err({ code: 'fields_invalid', errors: [{ field: 'files', rule: 'too_many', limit: filesMax }] })
  const errors = newSecretErrors({ note, hasFiles: kept.length > 0 }, deps.policy.noteMaxBytes)
  if (errors.length > 0) return err({ code: 'fields_invalid', errors })
  if (rows.length + added.length === 0) return ok(undefined)
  const { accountId, id: secretId } = secret
  return ok({ kept, rows: fileRows(deps, { accountId, secretId, isShown: showsFiles }, kept) })
}

interface Edited {
  readonly row: StoredSecret
  readonly note: StoredNote
}

async function encrypt(
  { secretCipher }: EditDraftDeps,
  { secret, note, head: before }: Pick<StoredDraft, 'secret' | 'note'> & { readonly head: SecretHead },
  { folderId, label, openLimit, notify = false, content }: EditDraftInput,
  files: readonly KeyedFile[] = [],
): Promise<Result<Edited, HasherBusy | DecryptError>> {
  const columns = { folderId: folderId.toLowerCase(), openLimit }
  const row = { ...secret, ...columns, notify }
  const head = { ...before, label }
  if (content === undefined) {
    const rebound = secretCipher.rebind({
      from: secret,
      wrappedKey: note.wrappedKey,
      link: undefined,
      columns,
      head,
    })
    return rebound.andThen((keys) => withWrappedKey(row, keys, note))
  }
  const { password } = content
  const plain = { ...row, hasPassword: password !== undefined }
  const encrypted = await secretCipher.encryptSecret({
    row: plain,
    head,
    note: joinNote(content.note, files),
    password: password === undefined ? undefined : normalizePassword(password),
  })
  return encrypted.map(({ kid, headCiphertext, wrappedKey, note: ciphertext }) => ({
    row: { ...plain, kid, headCiphertext },
    note: { note: ciphertext, wrappedKey },
  }))
}

function withWrappedKey(
  row: StoredSecret,
  { kid, headCiphertext, wrappedKey }: EncryptedSecret,
  { note }: StoredNote,
): Result<Edited, DecryptError> {
  if (wrappedKey === undefined) return err({ code: 'data_damaged', what: 'secret.wrap', id: row.id })
  return ok({ row: { ...row, kid, headCiphertext }, note: { note, wrappedKey } })
}

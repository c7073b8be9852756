import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type {
  DecryptError,
  DraftChanged,
  DraftNotFound,
  FieldsInvalid,
  FolderNotFound,
  HasherBusy,
  KeyRetired,
  NewSecretRule,
  StorageError,
} from '../errors.ts'
import type { EncryptedSecret } from '../ports/ciphertext.ts'
import type { PortMethods } from '../ports/ports.ts'
import type { StoredNote, StoredSecret } from '../ports/secret-store.ts'
import { normalizePassword, type NewSecret } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'
import { checkNewSecret, type CheckNewSecretDeps } from './check-new-secret.ts'
import { draftVersion } from './show-secret.ts'

export type EditDraftDeps = CheckNewSecretDeps &
  PortMethods<{ drafts: 'find' | 'replace'; secretCipher: 'rebind' | 'encryptSecret'; keyRing: 'follow' }>

/** The draft as it is to be. Every field is given, as in the form that shows all of them. */
export interface EditDraftInput extends Omit<NewSecret, 'note' | 'password'> {
  readonly accountId: Uuid
  readonly id: string
  /** The `version` of the draft that was edited, as `getDraft` gave it; without it, the edit replaces whatever the draft is by now. */
  readonly version?: string | undefined
  /** The new note and password; `undefined` keeps both as they are, for which no password is needed. */
  readonly content: { readonly note: string; readonly password?: string | undefined } | undefined
}
export type EditDraftError =
  | FieldsInvalid<NewSecretRule>
  | DraftNotFound
  | DraftChanged
  | HasherBusy
  | DecryptError
  | KeyRetired
  | StorageError

/** A key rotation can run between reading a draft and replacing it, but not again and again. */
const maxTries = 5

/**
 * Replaces a draft's fields.
 * @errors `fields_invalid` with every invalid field; `draft_not_found`, the same for an unknown, malformed, shared or another account's id;
 * `draft_changed` when it has another version by now; `hasher_busy`
 */
export function editDraft(deps: EditDraftDeps, input: EditDraftInput): ResultAsync<void, EditDraftError> {
  return new ResultAsync(edit(deps, input))
}

async function edit(deps: EditDraftDeps, input: EditDraftInput): Promise<Result<void, EditDraftError>> {
  const { id, version: _, content, ...fields } = input
  const checked = await checkNewSecret(deps, { ...fields, ...content })
  if (checked.isErr()) return err(checked.error)
  for (let tried = 0; tried < maxTries; tried += 1) {
    const replaced = await underActiveKey(deps.keyRing, () => replaceOnce(deps, uuidToFind(id), input))
    if (replaced.isOk() && !replaced.value) continue
    return replaced.isErr() ? err(asFieldError(replaced.error)) : ok()
  }
  return err({ code: 'storage_unavailable', reason: 'busy' })
}

/** Ok(false) when the draft was changed after it was read. */
async function replaceOnce(
  deps: EditDraftDeps,
  id: Uuid,
  input: EditDraftInput,
): Promise<Result<boolean, Exclude<EditDraftError, FieldsInvalid<NewSecretRule>> | FolderNotFound>> {
  const { drafts } = deps
  const found = await drafts.find(input.accountId, id)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'draft_not_found' })
  const { secret } = found.value
  if (input.version !== undefined && input.version !== draftVersion(secret)) {
    return err({ code: 'draft_changed' })
  }
  const edited = await encrypt(deps, found.value, input)
  if (edited.isErr()) return err(edited.error)
  const { row, note } = edited.value
  // The attempts were at a password of the note before. It is gone with that note, but not with other changes.
  const options = { forgetsAttempts: input.content !== undefined }
  return drafts.replace(secret.head, { ...row, link: undefined }, note, options)
}

interface Edited {
  readonly row: StoredSecret
  readonly note: StoredNote
}

async function encrypt(
  { secretCipher }: EditDraftDeps,
  { secret, note }: { readonly secret: StoredSecret; readonly note: StoredNote },
  { folderId, label, openLimit, notify = false, content }: EditDraftInput,
): Promise<Result<Edited, HasherBusy | DecryptError>> {
  const columns = { folderId: folderId.toLowerCase(), openLimit }
  const row = { ...secret, ...columns, notify }
  const head = { label, linkToken: undefined }
  if (content === undefined) {
    const rebound = secretCipher.rebind({ from: secret, wrap: note.wrap, link: undefined, columns, head })
    return rebound.andThen((keys) => withWrap(row, keys, note))
  }
  const { password } = content
  const plain = { ...row, hasPassword: password !== undefined }
  const encrypted = await secretCipher.encryptSecret({
    row: plain,
    head,
    note: content.note,
    password: password === undefined ? undefined : normalizePassword(password),
  })
  return encrypted.map(({ kid, head: newHead, wrap, note: ciphertext }) => ({
    row: { ...plain, kid, head: newHead },
    note: { note: ciphertext, wrap },
  }))
}

function withWrap(
  row: StoredSecret,
  { kid, head, wrap }: EncryptedSecret,
  { note }: StoredNote,
): Result<Edited, DecryptError> {
  if (wrap === undefined) return err({ code: 'data_damaged', what: 'secret.wrap', id: row.id })
  return ok({ row: { ...row, kid, head }, note: { note, wrap } })
}

/** The folder was deleted after it was checked. */
function asFieldError<E>(
  error: E | FolderNotFound,
): Exclude<E, FolderNotFound> | FieldsInvalid<NewSecretRule> {
  return isFolderNotFound(error)
    ? { code: 'fields_invalid', errors: [{ field: 'folderId', rule: 'unknown_folder' }] }
    : (error as Exclude<E, FolderNotFound>)
}

function isFolderNotFound(error: unknown): error is FolderNotFound {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'folder_not_found'
}

import { err, ok, type Result } from 'neverthrow'
import { filesMax, joinNote } from '../files/file-rules.ts'
import { fileRows, requireUploadFor } from '../files/file-rows.ts'
import type { StoredSecretFile } from '../files/secret-file-store.ts'
import type { KeyedFile } from '../files/secret-file.ts'
import { addedFiles } from '../files/shapes.ts'
import { isSealed } from '../sealed/sealed-note.ts'
import { checkFields, checkNeeds, withoutFolderNotFound } from '../secrets/check-fields.ts'
import { newSecret, newSecretErrors } from '../secrets/new-secret.ts'
import type { SecretHead } from '../secrets/secret-cipher.ts'
import type { StoredNote, StoredSecret } from '../secrets/secret-store.ts'
import { draftVersion } from '../secrets/show-secret.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { isEncrypted, type EncryptedSecret } from '../shared/ciphertext.ts'
import {
  corrupted,
  type DecryptError,
  type FieldsInvalid,
  type HasherBusy,
  type NewSecretRule,
  type StorageUnavailable,
} from '../shared/errors.ts'
import { invalid, normalizePassword } from '../shared/fields.ts'
import { aListOfStrings, anObjectOf, aString, type Guard, type InputOf } from '../shared/inputs.ts'
import { accountAndId } from '../shared/shapes.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import type { StoredDraft } from './draft-store.ts'
import { draftChanged, draftNotFound, draftSealed, type DraftChanged } from './errors.ts'
import { unsealFiles } from './show-draft.ts'

const needs = [
  ...checkNeeds,
  'drafts.find',
  'drafts.replace',
  'secretCipher.decryptHead',
  'secretCipher.rebind',
  'secretCipher.encryptSecret',
  'textCipher.encryptText',
  'textCipher.decryptText',
  'keyRing.follow',
] as const

const aContent = anObjectOf(
  {
    /** The note, which may be empty where the draft keeps or gets a file. */
    note: aString,
  },
  {
    password: aString,
    /** `sealedFiles` of the draft that was edited. They are needed for each file that it keeps. */
    sealedFiles: isEncrypted,
    /** The ids of the files that are removed. */
    removedFiles: aListOfStrings,
    ...addedFiles,
  },
)

/** What replaces the note of a draft, its password and its files. */
export type DraftContent = typeof aContent extends Guard<infer Content> ? Content : never

const { note: _note, ...fields } = newSecret.takes
const { password: _password, ...choices } = newSecret.mayTake

const takes = { ...accountAndId, ...fields }

const mayTake = {
  ...choices,
  /** The `version` of the draft that was edited, as `getDraft` gave it; without it, the edit replaces whatever the draft is by now. */
  version: aString,
  /** The new note, password and files; `undefined` keeps all of them as they are, for which no password is needed. */
  content: aContent,
}

type Deps = DepsOf<(typeof needs)[number]>
type Input = InputOf<typeof takes, typeof mayTake>

/** A key rotation can run between reading a draft and replacing it, but not again and again. */
const maxTries = 5

/**
 * Replaces a draft's fields.
 * @errors `fields_invalid` with every invalid field; `draft_not_found`, the same for an unknown, malformed, shared or another account's id;
 * `draft_changed` when it has another version by now, or its files are not those of `sealedFiles`; `draft_sealed` for a new content or title
 * of an answer that only its owner can decrypt, which can be moved to another folder all the same; `hasher_busy`
 */
export const editDraft = useCase({
  needs,
  takes,
  mayTake,
  async run(deps, input) {
    const { id, version: _, content, ...fields } = input
    const texts = content === undefined ? {} : { note: content.note, password: content.password }
    // The files that are kept are known only once the draft was read.
    const hasFiles = content?.sealedFiles !== undefined || (content?.upload?.files.length ?? 0) > 0
    const checked = await checkFields(deps, { ...fields, ...texts, hasFiles, isDraft: true })
    if (checked.isErr()) return checked
    for (let tried = 0; tried < maxTries; tried += 1) {
      const replaced = await underActiveKey(deps.keyRing, () => replaceOnce(deps, uuidToFind(id), input))
      if (replaced.isOk() && !replaced.value) continue
      return replaced.isErr() ? err(withoutFolderNotFound(replaced.error)) : ok()
    }
    return err<never, StorageUnavailable>({ code: 'storage_unavailable', reason: 'busy' })
  },
})

/** Ok(false) when the draft was changed after it was read. */
async function replaceOnce(deps: Deps, id: Uuid, input: Input) {
  const { drafts } = deps
  const found = await drafts.find(input.accountId, id)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err(draftNotFound)
  const { secret } = found.value
  if (input.version !== undefined && input.version !== draftVersion(secret)) return err(draftChanged)
  const before = deps.secretCipher.decryptHead(secret)
  if (before.isErr()) return err(before.error)
  if (isSealed(before.value) && (input.content !== undefined || input.label !== before.value.label))
    return err(draftSealed)
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
  deps: Deps,
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
  if (!unread.every(({ id }) => removedFiles.includes(id))) return err(draftChanged)
  const added = upload?.files ?? []
  const kept = [...before.filter(({ id }) => !removedFiles.includes(id)), ...added]
  if (kept.length > filesMax) return invalid('files', { rule: 'too_many', limit: filesMax })
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
  { secretCipher }: Deps,
  { secret, note, head: before }: Pick<StoredDraft, 'secret' | 'note'> & { readonly head: SecretHead },
  { folderId, label, openLimit, notify = false, content }: Input,
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
  if (wrappedKey === undefined) return corrupted('secret.wrap', row.id)
  return ok({ row: { ...row, kid, headCiphertext }, note: { note, wrappedKey } })
}

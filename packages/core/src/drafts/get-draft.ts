import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Draft } from '../secrets/secret.ts'
import type { KeyedFile, OwnedFile } from '../files/secret-file.ts'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import type { PasswordWrong } from '../secrets/errors.ts'
import type { DraftDisabled, DraftLocked, DraftNotFound } from './errors.ts'
import type { DecryptError, HasherBusy, StorageError } from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import type { Encrypted } from '../shared/ciphertext.ts'
import type { AnsweredRequest, DraftStore, StoredDraft } from './draft-store.ts'
import type { SecretCipher } from '../secrets/secret-cipher.ts'
import type { TextCipher } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { isPasswordToVerify } from '../secrets/new-secret.ts'
import { isDraftDisabled, reserveDraftAttempt, settleDraftAttempt } from './draft-attempts.ts'
import { normalizePassword } from '../shared/fields.ts'
import { joinNote, splitNote } from '../files/file-rules.ts'
import { showFiles } from '../files/file-rows.ts'
import { draftVersion, showDraft } from '../secrets/show-secret.ts'

export interface GetDraftDeps {
  readonly drafts: Pick<DraftStore, 'find' | 'updateAttempts'>
  readonly secretCipher: Pick<SecretCipher, 'decryptHead' | 'decryptNote'>
  readonly textCipher: Pick<TextCipher, 'decryptText' | 'encryptText'>
  readonly clock: Clock
  readonly random: Random
}
export interface GetDraftInput {
  readonly accountId: Uuid
  readonly id: string
  /** The password of the link to be, as the owner typed it. Ignored when the draft has none. */
  readonly password?: string | undefined
}
export type GetDraftError =
  DraftNotFound | PasswordWrong | DraftLocked | DraftDisabled | HasherBusy | DecryptError | StorageError

/** A draft with its note, as its owner sees it. */
export interface DraftWithNote extends Draft {
  /** `undefined` when the draft has a password and none was given. */
  readonly note: string | undefined
  /** The files by their numbers, also when the note cannot be read. */
  readonly files: readonly OwnedFile[]
  /** Whether recipients see the files before they open the link. */
  readonly showsFiles: boolean
  /** The files with their keys, encrypted: `editDraft` asks for them with the note. `undefined` when there is no file, or no note is shown. */
  readonly sealedFiles: Encrypted | undefined
  /** Whether so many wrong passwords were given that the note can be neither shown nor shared any more. A new note makes the draft usable. */
  readonly isDisabled: boolean
  /** The request that it answers; `undefined` for a draft that its owner has written. */
  readonly answers: AnsweredRequest | undefined
  /** The version, another one after each change, also by a key rotation: it shows `editDraft` that somebody else changed the draft. */
  readonly version: string
}

/**
 * One draft of the account, with its note. The note of a draft with a password can only be read with that password. Wrong ones count as those
 * for a link do, and go on counting once the draft is shared: whoever stole a session must not guess without limit.
 * @errors `draft_not_found`, the same for an unknown, malformed, shared or another account's id; `password_wrong`; `draft_locked` after 5
 * wrong passwords in 10 minutes; `draft_disabled` after 100 in all; `hasher_busy`
 */
export function getDraft(
  deps: GetDraftDeps,
  input: GetDraftInput,
): ResultAsync<DraftWithNote, GetDraftError> {
  return new ResultAsync(get(deps, input))
}

async function get(
  deps: GetDraftDeps,
  { accountId, id, password }: GetDraftInput,
): Promise<Result<DraftWithNote, GetDraftError>> {
  const found = await deps.drafts.find(accountId, uuidToFind(id))
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'draft_not_found' })
  const { secret, attempts } = found.value
  const draft = showDraft(deps.secretCipher, secret)
  if (draft.isErr()) return err(draft.error)
  const isGuarded = secret.hasPassword && password !== undefined
  // No draft has such a password; without this, hashing it would cost as much as its length.
  if (isGuarded && !isPasswordToVerify(password)) return err({ code: 'password_wrong' })
  const note = isGuarded
    ? await attempt(deps, found.value, password)
    : await noteOf(deps, found.value, undefined)
  if (note.isErr()) return err(note.error)
  const rows = found.value.files ?? []
  const owned = showFiles(deps, rows)
  if (owned.isErr()) return err(owned.error)
  const isDisabled = isDraftDisabled(attempts, deps.clock.nowMicros())
  const split = splitNote(note.value ?? '')
  if (split === undefined) return err({ code: 'data_damaged', what: 'secret.note', id: secret.id })
  const { text, files } = split
  return ok({
    ...draft.value,
    note: note.value === undefined ? undefined : text,
    files: owned.value,
    showsFiles: rows.some(({ isShown }) => isShown),
    sealedFiles:
      files.length === 0 ? undefined : deps.textCipher.encryptText(sealPlace(secret), joinNote('', files)),
    isDisabled,
    answers: found.value.answers,
    version: draftVersion(secret),
  })
}

/** How often a draft can be opened once it is shared, unless its owner says otherwise: an answer once, any other as it says itself. */
export function proposedOpenLimit({
  openLimit,
  answers,
}: Pick<DraftWithNote, 'openLimit' | 'answers'>): number | undefined {
  return openLimit ?? (answers === undefined ? undefined : 1)
}

/** The files of a draft that `getDraft` has encrypted for its form; none when they were for another one, or cannot be read any more. */
export function unsealFiles(
  { textCipher }: { readonly textCipher: Pick<TextCipher, 'decryptText'> },
  draft: Pick<StoredDraft['secret'], 'id' | 'accountId'>,
  sealed: Encrypted,
): readonly KeyedFile[] {
  const note = textCipher.decryptText(sealPlace(draft), sealed).unwrapOr('')
  return splitNote(note)?.files ?? []
}

function sealPlace({ accountId, id }: Pick<StoredDraft['secret'], 'id' | 'accountId'>) {
  return { column: 'draft.files', accountId, rowId: id } as const
}

/** `undefined` when the draft has a password and none is given. */
async function noteOf(
  { secretCipher }: GetDraftDeps,
  { secret, note }: StoredDraft,
  password: string | undefined,
): Promise<Result<string | undefined, PasswordWrong | HasherBusy | DecryptError>> {
  const typed = password === undefined ? undefined : normalizePassword(password)
  const decrypted = await secretCipher.decryptNote(secret, note, typed)
  if (decrypted.isOk()) return ok(decrypted.value)
  return decrypted.error.code === 'password_required' ? ok(undefined) : err(decrypted.error)
}

/** Reserves an attempt before the password is verified, and settles it whatever the outcome. */
async function attempt(
  deps: GetDraftDeps,
  draft: StoredDraft,
  password: string,
): Promise<Result<string | undefined, GetDraftError>> {
  const { drafts, clock, random } = deps
  const { accountId, id } = draft.secret
  const attemptId = hexOf(random.bytes(12))
  const reservedAtMicros = clock.nowMicros()
  const reserved = await drafts.updateAttempts(accountId, id, (attempts) =>
    reserveDraftAttempt(attempts, attemptId, reservedAtMicros),
  )
  if (reserved.isErr()) return err(reserved.error)
  if (reserved.value.refused !== undefined) return err(reserved.value.refused)
  const note = await noteOf(deps, draft, password)
  const isPasswordWrong = note.isErr() && note.error.code === 'password_wrong'
  const settling = { attemptId, isPasswordWrong, nowMicros: clock.nowMicros() }
  const settled = await drafts.updateAttempts(accountId, id, (attempts) => ({
    attempts: settleDraftAttempt(attempts, settling),
  }))
  // The owner learns that the password is wrong only once that is counted.
  return settled.isErr() && isPasswordWrong ? err(settled.error) : note
}

import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Draft } from '../entities/secret.ts'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { DecryptError, DraftNotFound, HasherBusy, PasswordWrong, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { isPasswordToVerify } from '../rules/account-passwords.ts'
import { normalizePassword } from '../rules/fields.ts'
import { draftVersion, showDraft } from './show-secret.ts'

export type GetDraftDeps = Pick<Ports, 'drafts' | 'secretCipher'>
export interface GetDraftInput {
  readonly accountId: Uuid
  readonly id: string
  /** The password of the link to be, as the owner typed it. Ignored when the draft has none. */
  readonly password?: string | undefined
}
export type GetDraftError = DraftNotFound | PasswordWrong | HasherBusy | DecryptError | StorageError

/** A draft with its note, as its owner sees it. */
export interface DraftWithNote extends Draft {
  /** `undefined` when the draft has a password and none was given. */
  readonly note: string | undefined
  /** Another one after each change, also by a key rotation: `editDraft` notices with it that somebody else changed the draft. */
  readonly version: string
}

/**
 * One draft of the account, with its note. The note of a draft with a password can only be read with that password: nothing counts wrong
 * ones here, because only the owner can ask.
 * @errors `draft_not_found`, the same for an unknown, malformed, shared or another account's id; `password_wrong`; `hasher_busy`
 */
export function getDraft(
  deps: GetDraftDeps,
  input: GetDraftInput,
): ResultAsync<DraftWithNote, GetDraftError> {
  return new ResultAsync(get(deps, input))
}

async function get(
  { drafts, secretCipher }: GetDraftDeps,
  { accountId, id, password }: GetDraftInput,
): Promise<Result<DraftWithNote, GetDraftError>> {
  const found = await drafts.find(accountId, uuidToFind(id))
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'draft_not_found' })
  const { secret, note: stored } = found.value
  const draft = showDraft(secretCipher, secret)
  if (draft.isErr()) return err(draft.error)
  // No draft has such a password; without this, hashing it would cost as much as its length.
  if (secret.hasPassword && password !== undefined && !isPasswordToVerify(password)) {
    return err({ code: 'password_wrong' })
  }
  const typed = password === undefined ? undefined : normalizePassword(password)
  const note = await secretCipher.decryptNote(secret, stored, typed)
  if (note.isOk()) return ok({ ...draft.value, note: note.value, version: draftVersion(secret) })
  const { error } = note
  return error.code === 'password_required'
    ? ok({ ...draft.value, note: undefined, version: draftVersion(secret) })
    : err(error)
}

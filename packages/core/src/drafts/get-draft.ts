import { err, ok, type Result } from 'neverthrow'
import { fileNotFound } from '../files/errors.ts'
import { joinNote, splitNote } from '../files/file-rules.ts'
import { showFiles } from '../files/file-rows.ts'
import type { OwnedFile } from '../files/secret-file.ts'
import { readableFile } from '../files/tickets.ts'
import { passwordWrong, type PasswordWrong } from '../secrets/errors.ts'
import { isPasswordToVerify } from '../secrets/new-secret.ts'
import type { Draft } from '../secrets/secret.ts'
import { draftVersion, showDraft } from '../secrets/show-secret.ts'
import type { Encrypted } from '../shared/ciphertext.ts'
import { corrupted, type DecryptError, type HasherBusy } from '../shared/errors.ts'
import { normalizePassword } from '../shared/fields.ts'
import { hexOf } from '../shared/hex.ts'
import { aNumber, aString } from '../shared/inputs.ts'
import { accountAndId } from '../shared/shapes.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import { uuidToFind } from '../shared/uuid.ts'
import { isDraftDisabled, reserveDraftAttempt, settleDraftAttempt } from './draft-attempts.ts'
import type { AnsweredRequest, StoredDraft } from './draft-store.ts'
import { draftNotFound } from './errors.ts'
import { sealPlace } from './show-draft.ts'

const needs = [
  'drafts.find',
  'drafts.updateAttempts',
  'secretCipher.decryptHead',
  'secretCipher.decryptNote',
  'textCipher.decryptText',
  'textCipher.encryptText',
  'clock.nowMicros',
  'random.bytes',
] as const

type Deps = DepsOf<(typeof needs)[number]>

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
export const getDraft = useCase({
  needs,
  takes: accountAndId,
  mayTake: {
    /** The password of the link to be, as the owner typed it. Ignored when the draft has none. */
    password: aString,
  },
  async run(deps, { accountId, id, password }) {
    const found = await deps.drafts.find(accountId, uuidToFind(id))
    if (found.isErr()) return found
    if (found.value === undefined) return err(draftNotFound)
    const { secret, attempts } = found.value
    const draft = showDraft(deps.secretCipher, secret)
    if (draft.isErr()) return draft
    const isGuarded = secret.hasPassword && password !== undefined
    // No draft has such a password; without this, hashing it would cost as much as its length.
    if (isGuarded && !isPasswordToVerify(password)) return err(passwordWrong)
    const note = isGuarded
      ? await attempt(deps, found.value, password)
      : await noteOf(deps, found.value, undefined)
    if (note.isErr()) return err(note.error)
    const rows = found.value.files ?? []
    const owned = showFiles(deps, rows)
    if (owned.isErr()) return owned
    const isDisabled = isDraftDisabled(attempts, deps.clock.nowMicros())
    const split = splitNote(note.value ?? '')
    if (split === undefined) return corrupted('secret.note', secret.id)
    const { text, files } = split
    return ok<DraftWithNote>({
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
  },
})

/** `undefined` when the draft has a password and none is given. */
async function noteOf(
  { secretCipher }: Pick<Deps, 'secretCipher'>,
  { secret, note }: StoredDraft,
  password: string | undefined,
): Promise<Result<string | undefined, PasswordWrong | HasherBusy | DecryptError>> {
  const typed = password === undefined ? undefined : normalizePassword(password)
  const decrypted = await secretCipher.decryptNote(secret, note, typed)
  if (decrypted.isOk()) return ok(decrypted.value)
  return decrypted.error.code === 'password_required' ? ok(undefined) : err(decrypted.error)
}

/** Reserves an attempt before the password is verified, and settles it whatever the outcome. */
async function attempt(deps: Deps, draft: StoredDraft, password: string) {
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

/**
 * A file of a draft, to be saved by its owner. As with its note, nobody reads that of a draft with a password by the session alone.
 * @errors `file_not_found`, the same for an unknown, malformed, shared or another account's id, for a draft with a password, and for a number
 * that no file has; `hasher_busy`
 */
export const readDraftFile = useCase({
  needs: [
    'fileContents.read',
    'fileCipher.decryptFile',
    'digests.opaqueTokenDigest',
    'drafts.find',
    'secretCipher.decryptNote',
  ],
  takes: {
    ...accountAndId,
    /** The place of the file among those of the draft, from 1. */
    number: aNumber,
  },
  async run(deps, { accountId, id, number }) {
    const found = await deps.drafts.find(accountId, uuidToFind(id))
    if (found.isErr()) return found
    if (found.value === undefined || found.value.secret.hasPassword) return err(fileNotFound)
    const { secret, note } = found.value
    const decrypted = await deps.secretCipher.decryptNote(secret, note, undefined)
    if (decrypted.isErr()) {
      const { error } = decrypted
      const isGuarded = error.code === 'password_required' || error.code === 'password_wrong'
      return isGuarded ? err(fileNotFound) : err(error)
    }
    const split = splitNote(decrypted.value)
    if (split === undefined) return corrupted('secret.note', secret.id)
    const file = split.files[number - 1]
    if (file === undefined) return err(fileNotFound)
    return ok(readableFile(deps, { accountId, secretId: secret.id }, file))
  },
})

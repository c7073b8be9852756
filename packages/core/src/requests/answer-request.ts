import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { AnswerNotSealed, AnswerWithoutFiles, RequestNotFound, TooManyAnswers } from './errors.ts'
import type { Upload } from '../files/secret-file.ts'
import type {
  DecryptError,
  FieldsInvalid,
  HasherBusy,
  KeyRetired,
  NewSecretRule,
  StorageError,
} from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import type { PlainSecret, SecretCipher } from '../secrets/secret-cipher.ts'
import type { FoundRequest, RequestStore } from './request-store.ts'
import type { KeyRing, TextCipher } from '../shared/cipher.ts'
import type { Random } from '../shared/random.ts'
import { decideAnswer, type AnswerDecision } from './answering.ts'
import {
  checkNote,
  findToAnswer,
  mayHaveFiles,
  type AdmitAnswerDeps,
  type Answerable,
  type Answering,
} from './admit-answer.ts'
import { fileRows, requireUploadFor } from '../files/file-rows.ts'
import { joinNote } from '../files/file-rules.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { newId } from '../shared/ids.ts'
import type { SecretRequest } from './request.ts'

export type AnswerRequestDeps = AdmitAnswerDeps & {
  readonly requests: Pick<RequestStore, 'answer'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly secretCipher: Pick<SecretCipher, 'encryptSecret'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly random: Random
}
export interface AnswerRequestInput extends Answering {
  /**
   * What is handed in: 1 byte to the installation's `noteMaxBytes` of UTF-8; no NUL, no lone surrogates. It may be empty where there is a file.
   * For a request with a key it is a sealed answer, also where there is a file.
   */
  readonly note: string
  /**
   * The files, uploaded for the account of `admitAnswer`; for another account they are a TypeError. After an Err, and for an answer that was
   * handed in before, they have to be dropped: `dropUpload`.
   */
  readonly upload?: Upload | undefined
}
export type AnswerRequestError =
  | RequestNotFound
  | TooManyAnswers
  | AnswerWithoutFiles
  | AnswerNotSealed
  | FieldsInvalid<NewSecretRule>
  | HasherBusy
  | KeyRetired
  | DecryptError
  | StorageError

/** What the sender of an answer gets. */
export interface AnswerReceipt {
  readonly receivedAtMicros: number
  /** Whether the form had handed in its answer before: nothing was added. */
  readonly isRepeated: boolean
}

/**
 * Hands in an answer: it becomes a draft in the request's folder, with the request's title. Ok only once it is durable. There are never more
 * answers than the request allows, whatever the concurrency, and never more than 20 from one address within an hour.
 * Its files become those of the draft in the same transaction.
 * @errors `request_not_found`, as `previewRequest`; `too_many_answers`; `answer_without_files` for files that the request does not take;
 * `answer_not_sealed` and `fields_invalid` for the note. They are checked in this order, and none of them counts
 */
export function answerRequest(
  deps: AnswerRequestDeps,
  input: AnswerRequestInput,
): ResultAsync<AnswerReceipt, AnswerRequestError> {
  return new ResultAsync(answer(deps, input))
}

async function answer(
  deps: AnswerRequestDeps,
  { note, upload, ...input }: AnswerRequestInput,
): Promise<Result<AnswerReceipt, AnswerRequestError>> {
  const nowMicros = deps.clock.nowMicros()
  const looked = await findToAnswer(deps, input, nowMicros)
  if (looked.isErr()) return err(looked.error)
  const { found, digest, answerer } = looked.value
  if (found.receivedAtMicros !== undefined)
    return ok({ receivedAtMicros: found.receivedAtMicros, isRepeated: true })
  requireUploadFor(found.request, upload)
  if (upload !== undefined && !mayHaveFiles(deps.policy, found)) return err({ code: 'answer_without_files' })
  const hasFiles = (upload?.files.length ?? 0) > 0
  const request = checkNote(deps, found, { note, hasFiles })
  if (request.isErr()) return err(request.error)
  const draft = draftOf(deps, request.value, found, { note, upload, nowMicros })
  const answered = await addAnswer(deps, { digest, answerer, nowMicros, upload }, found, draft)
  if (answered.isErr()) return err(answered.error)
  const decision = answered.value
  if (decision.refused !== undefined) return err(decision.refused)
  const { receivedAtMicros, isRepeated } = decision
  return ok({ receivedAtMicros, isRepeated })
}

interface Handed extends Pick<Answerable, 'digest' | 'answerer'> {
  readonly nowMicros: number
  readonly upload: Upload | undefined
}

type AddError = RequestNotFound | TooManyAnswers | HasherBusy | KeyRetired | StorageError

function addAnswer(
  { requests, secretCipher, textCipher, keyRing, random }: AnswerRequestDeps,
  { digest, answerer, nowMicros, upload }: Handed,
  { request }: FoundRequest,
  draft: PlainSecret,
): Promise<Result<AnswerDecision, AddError>> {
  const attemptId = hexOf(random.bytes(12))
  const eventId = request.notify ? newId(random, nowMicros) : undefined
  const encryptAndAdd = async (): Promise<Result<AnswerDecision, AddError>> => {
    const encrypted = await secretCipher.encryptSecret(draft)
    if (encrypted.isErr()) return err(encrypted.error)
    const { kid, headCiphertext, wrappedKey, note } = encrypted.value
    const files = upload && fileRows({ textCipher }, { ...upload, isShown: false }, upload.files)
    const row = { secret: { ...draft.row, kid, headCiphertext }, note: { wrappedKey, note }, files }
    return requests.answer(digest, answerer, row, (current) =>
      decideAnswer(current, { nowMicros, attemptId, eventId }),
    )
  }
  return underActiveKey(keyRing, encryptAndAdd)
}

function draftOf(
  { random }: AnswerRequestDeps,
  { title: label, key }: SecretRequest,
  { request: { accountId, folderId } }: FoundRequest,
  { note, upload, nowMicros }: Pick<Handed, 'upload' | 'nowMicros'> & { readonly note: string },
): PlainSecret {
  const id = upload?.secretId ?? newId(random, nowMicros)
  const plain = { openLimit: undefined, notify: false, hasPassword: false, link: undefined }
  return {
    row: { id, accountId, folderId, createdAtMicros: nowMicros, ...plain },
    head: { label, linkToken: undefined, ...(key !== undefined && { requestKey: key }) },
    note: joinNote(note, upload?.files ?? []),
    password: undefined,
  }
}

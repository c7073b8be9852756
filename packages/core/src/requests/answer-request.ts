import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isOpaqueToken } from '../shared/opaque-token.ts'
import { noLinkToken } from '../shared/link-token.ts'
import type { AnswerWithoutFiles, RequestNotFound, TooManyAnswers } from './errors.ts'
import type { Upload } from '../files/secret-file.ts'
import type { Uuid } from '../shared/uuid.ts'
import type {
  DecryptError,
  FieldsInvalid,
  HasherBusy,
  KeyRetired,
  NewSecretRule,
  StorageError,
} from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import { takesFiles, type Policy } from '../policy.ts'
import type { PlainSecret, SecretCipher } from '../secrets/secret-cipher.ts'
import type { Digests } from '../shared/digests.ts'
import type { Answerer, FoundRequest, RequestStore } from './request-store.ts'
import type { KeyRing, TextCipher } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { answerRefused, answersLeft, decideAnswer, type AnswerDecision } from './answering.ts'
import { fileRows, requireUploadFor } from '../files/file-rows.ts'
import { joinNote } from '../files/file-rules.ts'
import { newSecretErrors } from '../secrets/new-secret.ts'
import { showDisplayName } from '../accounts/accounts.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { newId } from '../shared/ids.ts'
import { showRequest } from './requests.ts'

// What somebody without an account does with the link of a request.

export type PreviewRequestDeps = {
  readonly requests: Pick<RequestStore, 'findByDigest'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly clock: Clock
} & { readonly policy: Pick<Policy, 'files'> }
export interface PreviewRequestInput {
  readonly token: string
}
export type PreviewRequestError = RequestNotFound | DecryptError | StorageError

/** What anybody with the link of a request may know. */
export interface RequestPreview {
  /** The display name of the request's owner; `undefined` when there is none. */
  readonly from: string | undefined
  readonly title: string
  readonly text: string
  readonly closesAtMicros: number
  /** How long it takes until the request closes, in whole seconds. */
  readonly remainingSeconds: number
  /** The largest file that an answer may have, in bytes; `undefined` when it may have none. */
  readonly fileMaxBytes: number | undefined
}

/**
 * Finds out what is asked for. Changes nothing, so previews, scanners and reloads are harmless.
 * @errors `request_not_found`, the same for an unknown, malformed, expired, full or closed link
 */
export function previewRequest(
  deps: PreviewRequestDeps,
  input: PreviewRequestInput,
): ResultAsync<RequestPreview, PreviewRequestError> {
  return new ResultAsync(preview(deps, input))
}

async function preview(
  { requests, textCipher, digests, clock, policy }: PreviewRequestDeps,
  { token }: PreviewRequestInput,
): Promise<Result<RequestPreview, PreviewRequestError>> {
  const nowMicros = clock.nowMicros()
  const found = await requests.findByDigest(digestOf(digests, token), nowMicros)
  if (found.isErr()) return err(found.error)
  const record = found.value
  if (record === undefined || answersLeft(record, nowMicros) === 0) return err({ code: 'request_not_found' })
  const from = showDisplayName(textCipher, record.request.accountId, record.from)
  return showRequest(textCipher, record).map(({ title, text, closesAtMicros }) => {
    const remainingSeconds = Math.floor((closesAtMicros - nowMicros) / 1_000_000)
    const fileMaxBytes = mayHaveFiles(policy, record) ? policy.files?.maxBytes : undefined
    return { from, title, text, closesAtMicros, remainingSeconds, fileMaxBytes }
  })
}

export type AdmitAnswerDeps = {
  readonly requests: Pick<RequestStore, 'findByDigest'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest' | 'keyedDigests'>
  readonly clock: Clock
} & { readonly policy: Pick<Policy, 'files'> }
export interface AdmitAnswerInput {
  readonly token: string
  /** The client's network address, of IPv6 its /64 prefix: answers from it are counted together. */
  readonly address: string
  /** The id of the form that was sent, 32 lower-case hexadecimal digits: sent again, it gets the same receipt, and adds nothing. */
  readonly formId?: string | undefined
}
export type AdmitAnswerError = RequestNotFound | TooManyAnswers | StorageError

/** An answer that could be handed in now, or was by the same form. */
export interface Admission {
  /** The request's id, and the account that files are uploaded for. Nobody without an account is told either. */
  readonly requestId: Uuid
  readonly accountId: Uuid
  /** How many answers the request still takes. */
  readonly answersLeft: number
  /** Whether the answer may have files. */
  readonly takesFiles: boolean
  /** When the form handed in its answer; `undefined` when it has not. */
  readonly receivedAtMicros: number | undefined
}

/**
 * Whether an answer could be handed in now, before it is read, and while its files arrive. Counts nothing.
 * @errors `request_not_found`, as `previewRequest`; `too_many_answers` after 20 in an hour from the address; neither for a form that has handed in
 * its answer
 */
export function admitAnswer(
  deps: AdmitAnswerDeps,
  input: AdmitAnswerInput,
): ResultAsync<Admission, AdmitAnswerError> {
  const nowMicros = deps.clock.nowMicros()
  return findToAnswer(deps, input, nowMicros).map(({ found }) => ({
    requestId: found.request.id,
    accountId: found.request.accountId,
    answersLeft: answersLeft(found, nowMicros),
    takesFiles: mayHaveFiles(deps.policy, found),
    receivedAtMicros: found.receivedAtMicros,
  }))
}

export type AnswerRequestDeps = AdmitAnswerDeps & {
  readonly requests: Pick<RequestStore, 'answer'>
  readonly textCipher: Pick<TextCipher, 'encryptText' | 'decryptText'>
  readonly secretCipher: Pick<SecretCipher, 'encryptSecret'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly random: Random
} & { readonly policy: Pick<Policy, 'noteMaxBytes'> }
export interface AnswerRequestInput extends AdmitAnswerInput {
  /** What is handed in: 1 byte to the installation's `noteMaxBytes` of UTF-8; no NUL, no lone surrogates. It may be empty where there is a file. */
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
 * `fields_invalid` for the note. They are checked in this order, and none of them counts
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
  const errors = newSecretErrors({ note, hasFiles }, deps.policy.noteMaxBytes)
  if (errors.length > 0) return err({ code: 'fields_invalid', errors })
  const request = showRequest(deps.textCipher, found)
  if (request.isErr()) return err(request.error)
  const draft = draftOf(deps, found, { label: request.value.title, note, upload, nowMicros })
  const answered = await addAnswer(deps, { digest, answerer, nowMicros, upload }, found, draft)
  if (answered.isErr()) return err(answered.error)
  const decision = answered.value
  if (decision.refused !== undefined) return err(decision.refused)
  const { receivedAtMicros, isRepeated } = decision
  return ok({ receivedAtMicros, isRepeated })
}

interface Handed {
  readonly digest: Uint8Array
  readonly answerer: Answerer
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
  { request: { accountId, folderId } }: FoundRequest,
  {
    label,
    note,
    upload,
    nowMicros,
  }: {
    readonly label: string
    readonly note: string
    readonly upload: Upload | undefined
    readonly nowMicros: number
  },
): PlainSecret {
  const id = upload?.secretId ?? newId(random, nowMicros)
  const plain = { openLimit: undefined, notify: false, hasPassword: false, link: undefined }
  return {
    row: { id, accountId, folderId, createdAtMicros: nowMicros, ...plain },
    head: { label, linkToken: undefined },
    note: joinNote(note, upload?.files ?? []),
    password: undefined,
  }
}

/** The request that an answer names, with what is needed to store the answer; also one that this form has answered. */
function findToAnswer(
  deps: AdmitAnswerDeps,
  { token, address, formId }: AdmitAnswerInput,
  nowMicros: number,
): ResultAsync<Pick<Handed, 'digest' | 'answerer'> & { readonly found: FoundRequest }, AdmitAnswerError> {
  const digest = digestOf(deps.digests, token)
  const answerer = { formId, bucket: bucketOf(deps.digests, address) }
  return deps.requests
    .findByDigest(digest, nowMicros, answerer)
    .andThen((looked): Result<FoundRequest, RequestNotFound | TooManyAnswers> =>
      looked?.receivedAtMicros === undefined ? answerable(looked, nowMicros) : ok(looked),
    )
    .map((found) => ({ found, digest, answerer }))
}

/** Whether the installation takes files, and the request too. */
function mayHaveFiles({ files }: Pick<Policy, 'files'>, { request }: Pick<FoundRequest, 'request'>): boolean {
  return request.takesFiles && takesFiles(files)
}

/** The request, unless it cannot be answered now from the address of its bucket. */
function answerable(
  found: FoundRequest | undefined,
  nowMicros: number,
): Result<FoundRequest, RequestNotFound | TooManyAnswers> {
  if (found === undefined || answersLeft(found, nowMicros) === 0) return err({ code: 'request_not_found' })
  const refused = answerRefused(found.attempts, nowMicros)
  return refused === undefined ? ok(found) : err(refused)
}

/** The digest of a token as somebody sent it; that of a malformed token finds nothing. */
function digestOf(digests: Pick<Digests, 'opaqueTokenDigest'>, token: string): Uint8Array {
  return digests.opaqueTokenDigest('request', isOpaqueToken(token) ? token : noLinkToken)
}

function bucketOf(digests: Pick<Digests, 'keyedDigests'>, address: string): Uint8Array {
  return digests.keyedDigests('sign-in-attempts', `answers-from/${address}`)[0]
}

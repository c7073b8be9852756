import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isOpaqueToken } from '../shared/opaque-token.ts'
import { noLinkToken } from '../shared/link-token.ts'
import type { RequestNotFound, TooManyAnswers } from './errors.ts'
import type {
  DecryptError,
  FieldsInvalid,
  HasherBusy,
  KeyRetired,
  NewSecretRule,
  StorageError,
} from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import type { Policy } from '../policy.ts'
import type { PlainSecret, SecretCipher } from '../secrets/secret-cipher.ts'
import type { Digests } from '../shared/digests.ts'
import type { Answerer, FoundRequest, RequestStore } from './request-store.ts'
import type { KeyRing, TextCipher } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { answerRefused, answersLeft, decideAnswer, type AnswerDecision } from './answering.ts'
import { newSecretErrors } from '../secrets/new-secret.ts'
import { showDisplayName } from '../accounts/accounts.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { newId } from '../shared/ids.ts'
import { showRequest } from './requests.ts'

// What somebody without an account does with the link of a request.

export interface PreviewRequestDeps {
  readonly requests: Pick<RequestStore, 'findByDigest'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly clock: Clock
}
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
  { requests, textCipher, digests, clock }: PreviewRequestDeps,
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
    return { from, title, text, closesAtMicros, remainingSeconds }
  })
}

export interface AdmitAnswerDeps {
  readonly requests: Pick<RequestStore, 'findByDigest'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest' | 'keyedDigests'>
  readonly clock: Clock
}
export interface AdmitAnswerInput {
  readonly token: string
  /** The client's network address, of IPv6 its /64 prefix: answers from it are counted together. */
  readonly address: string
}
export type AdmitAnswerError = RequestNotFound | TooManyAnswers | StorageError

/**
 * Whether an answer could be handed in now, before it is read. Counts nothing. A form that was sent before is not known here: only
 * `answerRequest` knows that it gets its receipt again.
 * @errors `request_not_found`, as `previewRequest`; `too_many_answers` after 20 in an hour from the address
 */
export function admitAnswer(
  deps: AdmitAnswerDeps,
  { token, address }: AdmitAnswerInput,
): ResultAsync<void, AdmitAnswerError> {
  const nowMicros = deps.clock.nowMicros()
  const bucket = bucketOf(deps.digests, address)
  return deps.requests
    .findByDigest(digestOf(deps.digests, token), nowMicros, { bucket })
    .andThen((found) => answerable(found, nowMicros))
    .map(() => undefined)
}

export type AnswerRequestDeps = AdmitAnswerDeps & {
  readonly requests: Pick<RequestStore, 'answer'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly secretCipher: Pick<SecretCipher, 'encryptSecret'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly random: Random
} & { readonly policy: Pick<Policy, 'noteMaxBytes'> }
export interface AnswerRequestInput extends AdmitAnswerInput {
  /** What is handed in: 1 byte to the installation's `noteMaxBytes` of UTF-8; no NUL, no lone surrogates. */
  readonly note: string
  /** The id of the form that was sent, 32 lower-case hexadecimal digits: sent again, it gets the same receipt, and adds nothing. */
  readonly formId?: string | undefined
}
export type AnswerRequestError =
  | RequestNotFound
  | TooManyAnswers
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
 * @errors `request_not_found`, as `previewRequest`; `too_many_answers`; `fields_invalid` for the note. They are checked in this
 * order, and none of them counts
 */
export function answerRequest(
  deps: AnswerRequestDeps,
  input: AnswerRequestInput,
): ResultAsync<AnswerReceipt, AnswerRequestError> {
  return new ResultAsync(answer(deps, input))
}

async function answer(
  deps: AnswerRequestDeps,
  { token, address, note, formId }: AnswerRequestInput,
): Promise<Result<AnswerReceipt, AnswerRequestError>> {
  const digest = digestOf(deps.digests, token)
  const answerer = { formId, bucket: bucketOf(deps.digests, address) }
  const nowMicros = deps.clock.nowMicros()
  const looked = await deps.requests.findByDigest(digest, nowMicros, answerer)
  if (looked.isErr()) return err(looked.error)
  if (looked.value?.receivedAtMicros !== undefined)
    return ok({ receivedAtMicros: looked.value.receivedAtMicros, isRepeated: true })
  const found = answerable(looked.value, nowMicros)
  if (found.isErr()) return err(found.error)
  const errors = newSecretErrors({ note }, deps.policy.noteMaxBytes)
  if (errors.length > 0) return err({ code: 'fields_invalid', errors })
  const request = showRequest(deps.textCipher, found.value)
  if (request.isErr()) return err(request.error)
  const draft = draftOf(deps, found.value, { label: request.value.title, note, nowMicros })
  const answered = await addAnswer(deps, { digest, answerer, nowMicros }, found.value, draft)
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
}

type AddError = RequestNotFound | TooManyAnswers | HasherBusy | KeyRetired | StorageError

function addAnswer(
  { requests, secretCipher, keyRing, random }: AnswerRequestDeps,
  { digest, answerer, nowMicros }: Handed,
  { request }: FoundRequest,
  draft: PlainSecret,
): Promise<Result<AnswerDecision, AddError>> {
  const attemptId = hexOf(random.bytes(12))
  const eventId = request.notify ? newId(random, nowMicros) : undefined
  const encryptAndAdd = async (): Promise<Result<AnswerDecision, AddError>> => {
    const encrypted = await secretCipher.encryptSecret(draft)
    if (encrypted.isErr()) return err(encrypted.error)
    const { kid, headCiphertext, wrappedKey, note } = encrypted.value
    const row = { secret: { ...draft.row, kid, headCiphertext }, note: { wrappedKey, note } }
    return requests.answer(digest, answerer, row, (current) =>
      decideAnswer(current, { nowMicros, attemptId, eventId }),
    )
  }
  return underActiveKey(keyRing, encryptAndAdd)
}

function draftOf(
  { random }: AnswerRequestDeps,
  { request: { accountId, folderId } }: FoundRequest,
  { label, note, nowMicros }: { readonly label: string; readonly note: string; readonly nowMicros: number },
): PlainSecret {
  const id = newId(random, nowMicros)
  const plain = { openLimit: undefined, notify: false, hasPassword: false, link: undefined }
  return {
    row: { id, accountId, folderId, createdAtMicros: nowMicros, ...plain },
    head: { label, linkToken: undefined },
    note,
    password: undefined,
  }
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

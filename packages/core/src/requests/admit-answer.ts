import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isOpaqueToken } from '../shared/opaque-token.ts'
import { noLinkToken } from '../shared/link-token.ts'
import type { AnswerNotSealed, RequestNotFound, TooManyAnswers } from './errors.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { DecryptError, FieldsInvalid, NewSecretRule, StorageError } from '../shared/errors.ts'
import { takesFiles, type Policy } from '../policy.ts'
import type { Digests } from '../shared/digests.ts'
import type { Answerer, FoundRequest, RequestStore } from './request-store.ts'
import type { TextCipher } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import { answerRefused, answersLeft } from './answering.ts'
import { showDisplayName } from '../accounts/accounts.ts'
import { isSealedAnswer } from '../sealed/sealed-note.ts'
import { newSecretErrors } from '../secrets/new-secret.ts'
import type { SecretRequest } from './request.ts'
import { showRequest } from './requests.ts'

// What somebody without an account learns from the link of a request, before an answer is handed in.

export type PreviewRequestDeps = {
  readonly requests: Pick<RequestStore, 'findByDigest'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly clock: Clock
} & { readonly policy: Pick<Policy, 'files' | 'noteMaxBytes'> }
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
  /** Only where an answer has to be encrypted for the owner of the request: what it is encrypted with, see `requestKeyShape`. */
  readonly key?: string
  /** Only with a key: how many bytes the text and the list of its files may have before they are encrypted. */
  readonly noteMaxBytes?: number
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
  return showRequest(textCipher, record).map(({ title, text, closesAtMicros, key }) => {
    const remainingSeconds = Math.floor((closesAtMicros - nowMicros) / 1_000_000)
    const fileMaxBytes = mayHaveFiles(policy, record) ? policy.files?.maxBytes : undefined
    return {
      ...{ from, title, text, closesAtMicros, remainingSeconds, fileMaxBytes },
      ...(key !== undefined && { key, noteMaxBytes: policy.noteMaxBytes }),
    }
  })
}

export type AdmitAnswerDeps = {
  readonly requests: Pick<RequestStore, 'findByDigest'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest' | 'keyedDigests'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
} & { readonly policy: Pick<Policy, 'files' | 'noteMaxBytes'> }
export interface AdmitAnswerInput extends Answering {
  /** What is to be handed in, which is checked too, once it is known. */
  readonly note?: string | undefined
  /** Whether there is at least one file beside the note. False by default. */
  readonly hasFiles?: boolean | undefined
}

/** An answer to a request, and who gives it. */
export interface Answering {
  readonly token: string
  /** The client's network address, of IPv6 its /64 prefix: answers from it are counted together. */
  readonly address: string
  /** The id of the form that was sent, 32 lower-case hexadecimal digits: sent again, it gets the same receipt, and adds nothing. */
  readonly formId?: string | undefined
}
export type AdmitAnswerError =
  | RequestNotFound
  | TooManyAnswers
  | AnswerNotSealed
  | FieldsInvalid<NewSecretRule>
  | DecryptError
  | StorageError

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
 * @errors `request_not_found`, as `previewRequest`; `too_many_answers` after 20 in an hour from the address; `answer_not_sealed` and
 * `fields_invalid` for a note; none of them for a form that has handed in its answer
 */
export function admitAnswer(
  deps: AdmitAnswerDeps,
  input: AdmitAnswerInput,
): ResultAsync<Admission, AdmitAnswerError> {
  const nowMicros = deps.clock.nowMicros()
  const { note, hasFiles = false } = input
  return findToAnswer(deps, input, nowMicros).andThen(({ found }) => {
    const admission = {
      requestId: found.request.id,
      accountId: found.request.accountId,
      answersLeft: answersLeft(found, nowMicros),
      takesFiles: mayHaveFiles(deps.policy, found),
      receivedAtMicros: found.receivedAtMicros,
    }
    return note === undefined || found.receivedAtMicros !== undefined
      ? ok(admission)
      : checkNote(deps, found, { note, hasFiles }).map(() => admission)
  })
}

/** The request that a note answers, if it can be its answer. @errors as {@link admitAnswer} */
export function checkNote(
  { textCipher, policy }: Pick<AdmitAnswerDeps, 'textCipher' | 'policy'>,
  found: FoundRequest,
  { note, hasFiles }: { readonly note: string; readonly hasFiles: boolean },
): Result<SecretRequest, AnswerNotSealed | FieldsInvalid<NewSecretRule> | DecryptError> {
  const { noteMaxBytes } = policy
  return showRequest(textCipher, found).andThen((request) => {
    if (request.key !== undefined)
      return isSealedAnswer(note, noteMaxBytes) ? ok(request) : err({ code: 'answer_not_sealed' } as const)
    const errors = newSecretErrors({ note, hasFiles }, noteMaxBytes)
    return errors.length === 0 ? ok(request) : err({ code: 'fields_invalid', errors } as const)
  })
}

/** A request that can be answered, or that this form has answered, and what its answer is stored under. */
export interface Answerable {
  readonly found: FoundRequest
  readonly digest: Uint8Array
  readonly answerer: Answerer
}

/** The request that an answer names. @errors `request_not_found`, `too_many_answers` */
export function findToAnswer(
  deps: Pick<AdmitAnswerDeps, 'requests' | 'digests'>,
  { token, address, formId }: Answering,
  nowMicros: number,
): ResultAsync<Answerable, RequestNotFound | TooManyAnswers | StorageError> {
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
export function mayHaveFiles(
  { files }: Pick<Policy, 'files'>,
  { request }: Pick<FoundRequest, 'request'>,
): boolean {
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

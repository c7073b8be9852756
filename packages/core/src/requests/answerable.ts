import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { takesFiles, type Policy } from '../policy.ts'
import { isSealedAnswer } from '../sealed/sealed-note.ts'
import { newSecretErrors } from '../secrets/new-secret.ts'
import type { Digests } from '../shared/digests.ts'
import type { DecryptError, FieldsInvalid, NewSecretRule, StorageError } from '../shared/errors.ts'
import { aString, type InputOf } from '../shared/inputs.ts'
import { noLinkToken } from '../shared/link-token.ts'
import { isOpaqueToken } from '../shared/opaque-token.ts'
import { token } from '../shared/shapes.ts'
import type { DepsOf } from '../shared/use-case.ts'
import { answerRefused, answersLeft } from './answering.ts'
import {
  answerNotSealed,
  requestNotFound,
  type AnswerNotSealed,
  type RequestNotFound,
  type TooManyAnswers,
} from './errors.ts'
import type { Answerer, NamedRequest } from './request-store.ts'
import type { SecretRequest } from './request.ts'
import { showRequest } from './show-request.ts'

// What admitting an answer and taking it have in common.

/** An answer to a request, and who gives it. */
export const answering = {
  takes: {
    ...token,
    /** The client's network address, of IPv6 its /64 prefix: answers from it are counted together. */
    address: aString,
  },
  mayTake: {
    /** The id of the form that was sent, 32 lower-case hexadecimal digits: sent again, it gets the same receipt, and adds nothing. */
    formId: aString,
  },
}

/** A request that can be answered, or that this form has answered, and what its answer is stored under. */
export interface Answerable {
  readonly found: NamedRequest
  readonly digest: Uint8Array
  readonly answerer: Answerer
}

/** What {@link findToAnswer} needs. */
export const findToAnswerNeeds = [
  'requests.findByDigest',
  'digests.opaqueTokenDigest',
  'digests.keyedDigests',
] as const

/** The request that an answer names. @errors `request_not_found`, `too_many_answers` */
export function findToAnswer(
  { requests, digests }: DepsOf<(typeof findToAnswerNeeds)[number]>,
  { token, address, formId }: InputOf<typeof answering.takes, typeof answering.mayTake>,
  nowMicros: number,
): ResultAsync<Answerable, RequestNotFound | TooManyAnswers | StorageError> {
  const digest = requestDigest(digests, token)
  const answerer = { formId, bucket: bucketOf(digests, address) }
  return requests
    .findByDigest(digest, nowMicros, answerer)
    .andThen((looked): Result<NamedRequest, RequestNotFound | TooManyAnswers> =>
      looked?.receivedAtMicros === undefined ? answerable(looked, nowMicros) : ok(looked),
    )
    .map((found) => ({ found, digest, answerer }))
}

/** The request, unless it cannot be answered now from the address of its bucket. */
function answerable(
  found: NamedRequest | undefined,
  nowMicros: number,
): Result<NamedRequest, RequestNotFound | TooManyAnswers> {
  if (found === undefined || answersLeft(found, nowMicros) === 0) return err(requestNotFound)
  const refused = answerRefused(found.attempts, nowMicros)
  return refused === undefined ? ok(found) : err(refused)
}

/** What {@link checkAnswer} needs. */
export const checkAnswerNeeds = ['textCipher.decryptText', 'policy.noteMaxBytes'] as const

/** The request that a note answers, if it can be its answer. @errors `answer_not_sealed`, `fields_invalid` */
export function checkAnswer(
  { textCipher, policy: { noteMaxBytes } }: DepsOf<(typeof checkAnswerNeeds)[number]>,
  found: NamedRequest,
  { note, hasFiles }: { readonly note: string; readonly hasFiles: boolean },
): Result<SecretRequest, AnswerNotSealed | FieldsInvalid<NewSecretRule> | DecryptError> {
  return showRequest(textCipher, found).andThen((request) => {
    if (request.key !== undefined)
      return isSealedAnswer(note, noteMaxBytes) ? ok(request) : err(answerNotSealed)
    const errors = newSecretErrors({ note, hasFiles }, noteMaxBytes)
    return errors.length === 0 ? ok(request) : err({ code: 'fields_invalid', errors } as const)
  })
}

/** Whether the installation takes files, and the request too. */
export function mayHaveFiles(
  { files }: Pick<Policy, 'files'>,
  { request }: Pick<NamedRequest, 'request'>,
): boolean {
  return request.takesFiles && takesFiles(files)
}

/** The digest of a token as somebody sent it; that of a malformed token finds nothing. */
export function requestDigest(digests: Pick<Digests, 'opaqueTokenDigest'>, token: string): Uint8Array {
  return digests.opaqueTokenDigest('request', isOpaqueToken(token) ? token : noLinkToken)
}

function bucketOf(digests: Pick<Digests, 'keyedDigests'>, address: string): Uint8Array {
  return digests.keyedDigests('sign-in-attempts', `answers-from/${address}`)[0]
}

import { err, ok, type Result } from 'neverthrow'
import { fileRows, requireUploadFor } from '../files/file-rows.ts'
import { joinNote } from '../files/file-rules.ts'
import type { Upload } from '../files/secret-file.ts'
import { anUpload } from '../files/shapes.ts'
import type { PlainSecret } from '../secrets/secret-cipher.ts'
import { underActiveKey } from '../shared/active-key.ts'
import type { HasherBusy, KeyRetired, StorageError } from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import { newId } from '../shared/ids.ts'
import { aString } from '../shared/inputs.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import type { Uuid } from '../shared/uuid.ts'
import {
  answering,
  checkAnswer,
  checkAnswerNeeds,
  findToAnswer,
  findToAnswerNeeds,
  mayHaveFiles,
  type Answerable,
} from './answerable.ts'
import { decideAnswer, type AnswerDecision } from './answering.ts'
import { answerWithoutFiles, type RequestNotFound, type TooManyAnswers } from './errors.ts'
import type { FoundRequest } from './request-store.ts'
import type { SecretRequest } from './request.ts'

/** What the sender of an answer gets. */
export interface AnswerReceipt {
  readonly receivedAtMicros: number
  /** Whether the form had handed in its answer before: nothing was added. */
  readonly isRepeated: boolean
}

const addAnswerNeeds = [
  'requests.answer',
  'secretCipher.encryptSecret',
  'textCipher.encryptText',
  'keyRing.follow',
  'random.bytes',
] as const

/**
 * Hands in an answer: it becomes a draft in the request's folder, with the request's title. Ok only once it is durable. There are never more
 * answers than the request allows, whatever the concurrency, and never more than 20 from one address within an hour.
 * Its files become those of the draft in the same transaction.
 * @errors `request_not_found`, as `previewRequest`; `too_many_answers`; `answer_without_files` for files that the request does not take;
 * `answer_not_sealed` and `fields_invalid` for the note. They are checked in this order, and none of them counts;
 * `hasher_busy`
 */
export const answerRequest = useCase({
  needs: [...findToAnswerNeeds, ...checkAnswerNeeds, ...addAnswerNeeds, 'clock.nowMicros', 'policy.files'],
  takes: {
    ...answering.takes,
    /**
     * What is handed in: 1 byte to the installation's `noteMaxBytes` of UTF-8; no NUL, no lone surrogates. It may be empty where there is a file.
     * For a request with a key it is a sealed answer, also where there is a file.
     */
    note: aString,
  },
  mayTake: {
    ...answering.mayTake,
    /**
     * The files, uploaded for the account of `admitAnswer`; for another account they are a TypeError. After an Err, and for an answer that was
     * handed in before, they have to be dropped: `dropUpload`.
     */
    upload: anUpload,
  },
  async run(deps, { note, upload, ...input }) {
    const nowMicros = deps.clock.nowMicros()
    const looked = await findToAnswer(deps, input, nowMicros)
    if (looked.isErr()) return looked
    const { found, digest, answerer } = looked.value
    if (found.receivedAtMicros !== undefined)
      return ok<AnswerReceipt>({ receivedAtMicros: found.receivedAtMicros, isRepeated: true })
    requireUploadFor(found.request, upload)
    if (upload !== undefined && !mayHaveFiles(deps.policy, found)) return err(answerWithoutFiles)
    const hasFiles = (upload?.files.length ?? 0) > 0
    const request = checkAnswer(deps, found, { note, hasFiles })
    if (request.isErr()) return request
    const id = upload?.secretId ?? newId(deps.random, nowMicros)
    const draft = draftOf(request.value, found, { id, note, upload, nowMicros })
    const answered = await addAnswer(deps, { digest, answerer, nowMicros, upload }, found, draft)
    if (answered.isErr()) return answered
    const decision = answered.value
    if (decision.refused !== undefined) return err(decision.refused)
    const { receivedAtMicros, isRepeated } = decision
    return ok<AnswerReceipt>({ receivedAtMicros, isRepeated })
  },
})

interface Handed extends Pick<Answerable, 'digest' | 'answerer'> {
  readonly nowMicros: number
  readonly upload: Upload | undefined
}

type AddError = RequestNotFound | TooManyAnswers | HasherBusy | KeyRetired | StorageError

function addAnswer(
  { requests, secretCipher, textCipher, keyRing, random }: DepsOf<(typeof addAnswerNeeds)[number]>,
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
  { title: label, key }: SecretRequest,
  { request: { accountId, folderId } }: FoundRequest,
  given: Pick<Handed, 'upload' | 'nowMicros'> & { readonly id: Uuid; readonly note: string },
): PlainSecret {
  const { id, note, upload, nowMicros } = given
  const plain = { openLimit: undefined, notify: false, hasPassword: false, link: undefined }
  return {
    row: { id, accountId, folderId, createdAtMicros: nowMicros, ...plain },
    head: { label, linkToken: undefined, ...(key !== undefined && { requestKey: key }) },
    note: joinNote(note, upload?.files ?? []),
    password: undefined,
  }
}

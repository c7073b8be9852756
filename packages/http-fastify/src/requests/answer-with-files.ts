import type { Admission } from '@sotto/core'
import { answerPartName, readAnswer, type AnswerFields } from '@sotto/wire'
import type { FastifyReply } from 'fastify'
import { err, ok, okAsync, type Result } from 'neverthrow'
import { fieldsProblem, isOutcomeUnknown } from '../http/answers/problems-of-errors.ts'
import { problems, type Problem } from '../http/answers/problems.ts'
import { bufferFor } from '../http/bodies/bodies.ts'
import {
  announcedProblem,
  isFormFile,
  readRefusedForm,
  readSentForm,
  type SentForm,
} from '../http/bodies/form-with-files.ts'
import { withoutCarriageReturns, type FormFields } from '../http/bodies/form.ts'
import { allowedWhile, readIncomingForm, type IncomingForm } from '../http/bodies/incoming-form.ts'
import type { BodySender } from '../http/bodies/incoming.ts'
import { limitsOf } from '../http/bodies/server-limits.ts'
import { isJsonType } from '../http/request/headers.ts'
import type { LinkAnswer } from '../link/link-answers.ts'
import { fieldsOf } from '../link/link-body.ts'
import type { AnswerError, AnswerUseCases } from '../use-cases.ts'
import { receivedAnswer, tooLargeAnswer, unreadableRequestAnswer } from './answers.ts'
import { requestProblems } from './problems.ts'

/** An answer that arrives. */
export interface ArrivingAnswer {
  readonly sotto: AnswerUseCases
  readonly token: string
  /** The client's network address, of IPv6 its /64 prefix. */
  readonly address: string
  /** The most bytes of all that is no file. */
  readonly textMaxBytes: number
  /** The answer to one that was not taken, with what was typed. @param problem that of the error without it */
  refuse(error: AnswerError, typed: Typed, problem?: Problem): Promise<LinkAnswer>
}

/** What was typed, and whether files came with it. */
export interface Typed {
  readonly note?: string | undefined
  readonly formId?: string | undefined
  readonly hasFiles: boolean
}

/** The fields of a form: its id, the note, and the files where none was chosen; or the part `answer` alone. */
const fieldsMax = 3

/**
 * Takes an answer with files. It arrives as `multipart/form-data`: as the form of the page, or from programs with the part `answer`, which is
 * JSON and comes first. All that is no file is checked before the first file is read; while they arrive, and once they are here, whether the
 * request can still be answered. What did not become part of an answer is dropped.
 */
export async function takeAnswerWithFiles(
  arriving: ArrivingAnswer,
  reply: FastifyReply,
  boundary: string | undefined,
  admitted: Result<Admission, AnswerError>,
): Promise<LinkAnswer> {
  const { sotto, address, textMaxBytes } = arriving
  const refuseUnread = (error: AnswerError) => answerUnread(arriving, reply, boundary, error)
  if (admitted.isErr()) return refuseUnread(admitted.error)
  const { requestId, answersLeft, takesFiles } = admitted.value
  if (!takesFiles) return refuseUnread({ code: 'answer_without_files' })
  const tooLarge = announcedProblem(reply.request, textMaxBytes, sotto.policy.files)
  // A browser sends all of it before it reads the answer, which then has what was typed.
  if (tooLarge !== undefined && reply.request.headers.expect !== undefined) return refuseUnread(tooLarge)
  if (boundary === undefined) return unreadableRequestAnswer(problems.badMultipart)
  const form = openForm(reply, boundary, { requestId, address, answersLeft })
  if (form === undefined) return refuseUnread({ code: 'storage_unavailable', reason: 'busy' })
  return takeForm(arriving, form, reply, { ...admitted.value, tooLarge })
}

/** The form while it arrives; `undefined` when there are too many uploads. */
function openForm(reply: FastifyReply, boundary: string, sender: BodySender): IncomingForm | undefined {
  try {
    return readIncomingForm(reply, boundary, sender)
  } catch (error) {
    if ((error as { readonly statusCode?: number }).statusCode === 503) return undefined
    throw error
  }
}

/** The answer to what is refused before it is read. A form that was sent before gets its receipt again all the same. */
async function answerUnread(
  { sotto, token, address, textMaxBytes, refuse }: ArrivingAnswer,
  reply: FastifyReply,
  boundary: string | undefined,
  error: AnswerError,
): Promise<LinkAnswer> {
  const bounds = { maxBytes: textMaxBytes, maxFields: fieldsMax }
  const { fields, hasFiles } = await readRefusedForm(reply, boundary, bounds)
  const { note, formId }: Partial<AnswerFields> = readAnswer('form', fields).unwrapOr(undefined) ?? {}
  const again = formId === undefined ? undefined : await sotto.admitAnswer({ token, address, formId })
  const receipt = again?.isOk() === true ? receiptOf(again.value) : undefined
  return receipt ?? refuse(error, { note: note && withoutCarriageReturns(note), formId, hasFiles })
}

function receiptOf({ receivedAtMicros }: Admission): LinkAnswer | undefined {
  return receivedAtMicros === undefined ? undefined : receivedAnswer({ receivedAtMicros, isRepeated: true })
}

async function takeForm(
  arriving: ArrivingAnswer,
  form: IncomingForm,
  reply: FastifyReply,
  { accountId, tooLarge }: Pick<Admission, 'accountId'> & { readonly tooLarge: AnswerError | undefined },
): Promise<LinkAnswer> {
  const { sotto, token, address, refuse } = arriving
  const sent = await readAnswerForm(arriving, form, reply)
  if (sent.isErr()) return sent.error
  const { files, fields, isNoFile } = sent.value
  const { note, formId } = fields
  const asked = { token, address, formId }
  const typed = { ...fields, hasFiles: files !== undefined }
  const askAgain = async (): Promise<LinkAnswer | undefined> => {
    const again = await sotto.admitAnswer(asked)
    if (again.isOk()) return receiptOf(again.value)
    return again.error.code === 'storage_unavailable' ? undefined : refuse(again.error, typed)
  }
  const early = await askAgain()
  if (early !== undefined) return early
  if (tooLarge !== undefined) return refuse(tooLarge, typed)
  const checked = await sotto.admitAnswer({ ...asked, note, hasFiles: typed.hasFiles })
  if (checked.isErr()) return refuse(checked.error, typed)

  let late: LinkAnswer | undefined
  const isAllowed = async (): Promise<boolean> => (late = await askAgain()) === undefined
  const uploading = files && sotto.uploadFiles({ accountId, files: allowedWhile(files, isAllowed) })
  const uploaded = await (uploading ?? okAsync(undefined))
  if (uploaded.isErr()) {
    const { error } = uploaded
    if (error.code !== 'upload_broken') return refuse(error, typed)
    return late ?? refuse(error, typed, isNoFile() ? requestProblems.notFile : form.problem())
  }
  const upload = uploaded.value
  const answered = await sotto.answerRequest({ ...asked, note, upload })
  const isUnused = answered.isOk() ? answered.value.isRepeated : !isOutcomeUnknown(answered.error)
  // What cannot be dropped now is dropped by the sweep.
  if (upload !== undefined && isUnused) await sotto.dropUpload(upload).unwrapOr(undefined)
  return answered.isOk() ? receivedAnswer(answered.value) : refuse(answered.error, typed)
}

/** What stands before the files of a form. */
interface AnswerForm extends Pick<SentForm, 'files'> {
  readonly fields: AnswerFields
  /** Whether a part was no file where files are. */
  isNoFile(): boolean
}

async function readAnswerForm(
  { textMaxBytes }: ArrivingAnswer,
  form: IncomingForm,
  reply: FastifyReply,
): Promise<Result<AnswerForm, LinkAnswer>> {
  let isNoFile = false
  const buffer = bufferFor(reply, textMaxBytes, limitsOf(reply.server.server).answerTexts)
  const read = readSentForm(form, buffer, {
    maxFields: fieldsMax,
    isField: ({ name, type }) => name !== answerPartName || type === undefined || isJsonType(type),
    isFile(part, fields) {
      const isFile = isOfProgram(fields) ? part.name === 'file' && part.fileName !== '' : isFormFile(part)
      isNoFile ||= isOfProgram(fields) && !(isFile && part.fileName !== undefined)
      return isFile
    },
  })
  const sent = await orTooLarge(read)
  if (sent === undefined) return err(tooLargeAnswer)
  return sent
    .andThen(({ fields, files }) =>
      readFields(fields, files !== undefined).map((answer) => ({
        fields: answer,
        files,
        isNoFile: () => isNoFile,
      })),
    )
    .mapErr(unreadableRequestAnswer)
}

/** `undefined` for a text that is longer than any. */
async function orTooLarge<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if ((error as { readonly statusCode?: number }).statusCode === 413) return undefined
    throw error
  }
}

function isOfProgram(fields: FormFields): boolean {
  return fields.length === 1 && fields[0]?.[0] === answerPartName
}

/** The fields of an answer, from the form of the page or the JSON of a program. */
function readFields(fields: FormFields, hasFiles: boolean): Result<AnswerFields, Problem> {
  const [[, json] = ['', '']] = fields
  const sent = isOfProgram(fields) ? fieldsOf('json', Buffer.from(json)) : ok(fields)
  return sent.andThen((all) =>
    readAnswer(isOfProgram(fields) ? 'json' : 'form', all, { mayLackNote: hasFiles })
      .map(({ note, ...rest }) => ({
        note: isOfProgram(fields) ? note : withoutCarriageReturns(note),
        ...rest,
      }))
      .mapErr(fieldsProblem),
  )
}

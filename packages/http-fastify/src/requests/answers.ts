import { filesMax, type AnswerReceipt, type RequestPreview } from '@sotto/core'
import { envelopeText, toWireAnswerReceipt, toWireRequestPreview } from '@sotto/wire'
import { filledText } from '@sotto/html'
import { problemOf, troubleOf } from '../http/answers/problems-of-errors.ts'
import { problems, type Problem } from '../http/answers/problems.ts'
import type { AnswerError } from '../use-cases.ts'
import { problemAnswer, type LinkAnswer } from '../link/link-answers.ts'
import { noticePage } from '../link/link-page.ts'
import { requestProblems } from './problems.ts'
import { closedRequestPage, receivedPage, requestPage, type RequestPageInput } from './pages.ts'
import type { LocalizedLink } from '../link/localized-link.ts'

/** A request that can be answered. */
export function requestAnswer(preview: RequestPreview, formId: string): LinkAnswer {
  return {
    status: 200,
    json: () => envelopeText(toWireRequestPreview(preview)),
    page: (localized) => requestPage(localized, { preview, formId }),
  }
}

/** What was handed in is durable. */
export function receivedAnswer(receipt: AnswerReceipt): LinkAnswer {
  return {
    status: 201,
    json: () => envelopeText(toWireAnswerReceipt(receipt)),
    page: (localized) => receivedPage(localized, receipt.receivedAtMicros),
  }
}

/** An answer that was not taken, and the form that it came from. */
export type RefusedForm = Pick<RequestPageInput, 'preview' | 'formId' | 'note' | 'hasFiles'>

/**
 * The answer to an error of the core: the page has the form again, with what was typed, unless nobody can answer the request any more.
 * @param problem that of the error by default. Nobody is told how much room the owner of a request has
 */
export function refusedAnswer(
  error: AnswerError,
  form: RefusedForm,
  problem = ownProblems[error.code] ?? problemOf(error),
): LinkAnswer {
  if (error.code === 'request_not_found') return problemAnswer(problem, closedRequestPage)
  return problemAnswer(problem, (localized) =>
    requestPage(localized, { ...form, ...reasonOf(localized, error, form) }),
  )
}

/** The errors whose usual words are for an owner. */
const ownProblems: Readonly<Partial<Record<AnswerError['code'], Problem>>> = {
  files_full: requestProblems.noRoom,
  disk_full: requestProblems.diskFull,
}

function reasonOf(
  { texts: { request }, fromNow, size, number }: LocalizedLink,
  error: Exclude<AnswerError, { readonly code: 'request_not_found' }>,
  { preview }: RefusedForm,
): Pick<RequestPageInput, 'fault' | 'filesFault' | 'alert'> {
  switch (error.code) {
    case 'fields_invalid': {
      const [{ field, rule } = { field: 'note', rule: undefined }] = error.errors
      if (field === 'files') {
        if (rule === 'too_many')
          return { filesFault: filledText(request.files.tooMany, { count: number(filesMax) }) }
        return { filesFault: request.files.wrongName }
      }
      if (rule === 'empty')
        return { fault: preview?.fileMaxBytes === undefined ? request.missing : request.files.missing }
      return { fault: rule === 'too_long' ? request.tooLong : request.notText }
    }
    case 'answer_not_sealed':
      return { fault: request.notSealed }
    case 'file_too_large':
      return { filesFault: filledText(request.files.tooLarge, { limit: size(error.maxBytes) }) }
    case 'files_full':
    case 'disk_full':
      return { filesFault: request.files.noRoom }
    case 'upload_broken':
      return { filesFault: request.files.broken }
    case 'files_off':
    case 'answer_without_files':
      return { alert: request.files.notTaken }
    case 'too_many_answers':
      return { alert: filledText(request.tooMany, { when: fromNow(error.retryAfterSeconds) }) }
    default:
      return { alert: request[troubleOf(error)] }
  }
}

/** A POST from another site. */
export const crossSiteRequestAnswer: LinkAnswer = problemAnswer(requestProblems.crossSite, (localized) =>
  noticePage(localized, localized.texts.request.refused, 'restart'),
)

/** A body that is larger than any answer. */
export const tooLargeAnswer: LinkAnswer = problemAnswer(problems.bodyTooLarge, (localized) =>
  noticePage(localized, localized.texts.request.tooLarge, 'restart'),
)

/** An answer with an invalid media type or content. */
export function unreadableRequestAnswer(problem: Problem): LinkAnswer {
  return problemAnswer(problem, (localized) =>
    noticePage(localized, localized.texts.request.unreadable, 'restart'),
  )
}

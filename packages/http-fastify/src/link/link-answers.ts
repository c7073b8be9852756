import type { LinkPreview, OpenedSecret, OpenSecretError, StorageError } from '@sotto/core'
import { envelopeEnd, envelopeStart, errorText } from '../answers.ts'
import { refusalOf } from '../error-answers.ts'
import type { Refusal } from '../refusals.ts'
import { isoMicros } from '../wire.ts'
import {
  formPage,
  gonePage,
  lockedPage,
  noticePage,
  openedPage,
  type FormNotice,
  type Page,
} from './pages/pages.ts'
import type { Voice } from './texts/voice.ts'

/** One answer in both of its forms. Which of them is sent is the client's choice. */
export interface LinkAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  json(): string
  page(voice: Voice): Page
}

/** A link that can be opened, before it is. */
export function previewAnswer(
  { passwordRequired, expiresAtMicros }: LinkPreview,
  formId: string,
): LinkAnswer {
  return {
    status: 200,
    json: () => dataText({ password_required: passwordRequired, expires_at: isoMicros(expiresAtMicros) }),
    page: (voice) => formPage(voice, { passwordRequired, expiresAtMicros, formId }),
  }
}

/** The message. */
export function openedAnswer(secret: OpenedSecret): LinkAnswer {
  const { label, note, opensLeft = null, expiresAtMicros } = secret
  return {
    status: 200,
    json: () => dataText({ label, note, opens_left: opensLeft, expires_at: isoMicros(expiresAtMicros) }),
    page: (voice) => openedPage(voice, secret),
  }
}

/** What went wrong for the core. A code that is missing here does not compile. */
export function failureAnswer(error: OpenSecretError | StorageError, form: FormAgain): LinkAnswer {
  const refusal = refusalOf(error)
  switch (error.code) {
    case 'link_not_found':
      return refusalAnswer(refusal, gonePage)
    case 'password_required':
      return refusalAnswer(refusal, formAgain(form, 'password_missing'))
    case 'password_wrong':
      return refusalAnswer(refusal, formAgain(form, 'password_wrong'))
    case 'form_already_used':
      return refusalAnswer(refusal, formAgain(form, 'opened_already'))
    case 'link_locked':
      return refusalAnswer(refusal, (voice) =>
        error.reason === 'wrong_passwords'
          ? lockedPage(voice, error.retryAfterSeconds)
          : noticePage(voice, voice.texts.crowded, 'retry'),
      )
    case 'cipher_busy':
    case 'storage_unavailable':
      return busyAnswer(refusal)
    case 'storage_failed':
    case 'data_damaged':
    case 'key_unknown':
      return failedAnswer(refusal)
  }
}

/** What a form needs that is shown again. */
export interface FormAgain {
  readonly formId: string
  /** Whether one came with the request. Where it is asked for, a form is only repeated that brought it. */
  readonly passwordGiven: boolean
}

/** Nothing to be done about it now, and nothing happened. */
export function busyAnswer(refusal: Refusal): LinkAnswer {
  return refusalAnswer(refusal, (voice) => noticePage(voice, voice.texts.busy, 'retry'))
}

/** The server's own fault. */
export function failedAnswer(refusal: Refusal): LinkAnswer {
  return refusalAnswer(refusal, (voice) => noticePage(voice, voice.texts.failed, 'retry'))
}

/** A POST that another site has sent. */
export const foreignAnswer: LinkAnswer = refusalAnswer(
  { status: 403, message: 'Only the page of the link itself may open it.' },
  (voice) => noticePage(voice, voice.texts.refused, 'restart'),
)

/** A request that cannot be read: its method, media type, size or content. */
export function unreadableAnswer(refusal: Refusal): LinkAnswer {
  return refusalAnswer(refusal, (voice) => noticePage(voice, voice.texts.unreadable, 'restart'))
}

function refusalAnswer(refusal: Refusal, page: (voice: Voice) => Page): LinkAnswer {
  return { status: refusal.status, headers: refusal.headers, json: () => errorText(refusal), page }
}

function formAgain({ formId, passwordGiven }: FormAgain, notice: FormNotice): (voice: Voice) => Page {
  const passwordRequired = notice !== 'opened_already' || passwordGiven
  return (voice) => formPage(voice, { passwordRequired, formId, notice })
}

function dataText(data: unknown): string {
  return envelopeStart + JSON.stringify(data) + envelopeEnd
}

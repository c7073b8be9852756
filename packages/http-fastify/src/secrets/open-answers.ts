import type { LinkPreview, OpenedSecret } from '@sotto/core'
import { envelopeText, toWireLinkPreview, toWireOpenedSecret } from '@sotto/wire'
import type { Page } from '@sotto/html'
import { problemOf, troubleOf } from '../http/answers/problems-of-errors.ts'
import type { LinkError } from '../use-cases.ts'
import { problemAnswer, troubleAnswer, type LinkAnswer } from '../link/link-answers.ts'
import { openProblems } from './open-problems.ts'
import { gonePage, noticePage } from '../link/link-page.ts'
import { formPage, lockedPage, type FormNotice, type FormPageInput } from './open-pages.ts'
import { openedPage } from './opened-page.ts'
import type { LocalizedLink } from '../link/localized-link.ts'

/** A link that can be opened, before it is. */
export function previewAnswer(preview: LinkPreview, formId: string): LinkAnswer {
  return {
    status: 200,
    json: () => envelopeText(toWireLinkPreview(preview)),
    page: (localized) => formPage(localized, { ...preview, ...expiryOf(preview), formId }),
  }
}

function expiryOf({ expiresAtMicros, remainingSeconds }: LinkPreview): Pick<FormPageInput, 'expiry'> {
  return { expiry: { atMicros: expiresAtMicros, inSeconds: remainingSeconds } }
}

/** @param linkBaseUrl the bare origin on which links are opened */
export function openedAnswer(secret: OpenedSecret, linkBaseUrl: string): LinkAnswer {
  return {
    status: 200,
    json: () => envelopeText(toWireOpenedSecret(secret, linkBaseUrl)),
    page: (localized) => openedPage(localized, secret),
  }
}

/** The answer to an error of the core. It does not compile when a code is missing. */
export function errorAnswer(error: LinkError, form: FormAgain): LinkAnswer {
  const problem = problemOf(error)
  switch (error.code) {
    case 'link_not_found':
      return problemAnswer(problem, gonePage)
    case 'key_wrong':
      return problemAnswer(problem, (localized) => noticePage(localized, localized.texts.keyWrong, 'restart'))
    case 'password_required':
      return problemAnswer(problem, formAgain(form, 'password_missing'))
    case 'password_wrong':
      return problemAnswer(problem, formAgain(form, 'password_wrong'))
    case 'form_already_used':
      return problemAnswer(problem, formAgain(form, 'opened_already'))
    case 'link_locked':
      return problemAnswer(problem, (localized) =>
        error.lockedUntilMicros === undefined
          ? noticePage(localized, localized.texts.crowded, 'retry')
          : lockedPage(
              localized,
              { atMicros: error.lockedUntilMicros, inSeconds: error.retryAfterSeconds },
              form.proofGiven,
            ),
      )
    case 'fields_invalid': // what the form sends has the right types
      return troubleAnswer(problem, 'failed')
    default:
      return troubleAnswer(problem, troubleOf(error))
  }
}

/** What a form needs that is shown again. */
export interface FormAgain {
  readonly formId: string
  /** Whether the request had a password. The form of a link with a password is used up only by a request that had it. */
  readonly passwordGiven: boolean
  /** Whether the request proved a key, as the pages of sealed links do. */
  readonly proofGiven: boolean
  /** What the page says about the link as on its first visit; nothing when that is not known. */
  readonly preview?: LinkPreview | undefined
}

/** Whether the page of an error is the form of the link once more. */
export function showsFormAgain({ code }: LinkError): boolean {
  return code === 'password_required' || code === 'password_wrong' || code === 'form_already_used'
}

/** A POST from another site. */
export const crossSiteOpenAnswer: LinkAnswer = problemAnswer(openProblems.crossSite, (localized) =>
  noticePage(localized, localized.texts.refused, 'restart'),
)

function formAgain(
  { formId, passwordGiven, preview }: FormAgain,
  notice: FormNotice,
): (localized: LocalizedLink) => Page {
  const passwordRequired = notice !== 'opened_already' || passwordGiven
  const known = preview && { ...preview, ...expiryOf(preview) }
  return (localized) => formPage(localized, { ...known, passwordRequired, formId, notice })
}

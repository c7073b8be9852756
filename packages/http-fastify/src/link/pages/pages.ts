import type { OpenedSecret } from '@sotto/core'
import { openNames } from '@sotto/wire'
import { filled, markup, type Html } from '../../http/html.ts'
import type { Localized } from '../texts/localized.ts'
import type { Notice } from '../texts/texts.ts'
import { documentOf } from './document.ts'
import { copyIcon } from './mark.ts'
import { noteElement } from './note.ts'

/** A page, ready to be sent, and what its headers must allow. */
export interface Page {
  readonly body: string
  /** It posts to its own URL. */
  readonly hasForm: boolean
  readonly hasScript: boolean
}

/** Why a form is shown again. */
export type FormNotice = 'password_missing' | 'password_wrong' | 'opened_already'

export interface FormPageInput {
  readonly passwordRequired: boolean
  /** 32 hexadecimal digits, new for every page. */
  readonly formId: string
  /** Given when the page is shown for the first time. */
  readonly expiresAtMicros?: number
  readonly notice?: FormNotice
}

/** The page on which a person chooses to open. When it is shown again, it gives the reason instead of the introduction. */
export function formPage(localized: Localized, input: FormPageInput): Page {
  const { ready, again } = localized.texts
  const { notice, passwordRequired, formId } = input
  const { heading, open } = notice === 'opened_already' ? again : ready
  const problem = notice === 'opened_already' ? undefined : notice
  const main = markup`<h1>${heading}</h1>
    ${opening(localized, input)}
    <form id="form" method="post" data-busy="${ready.opening}">
      <input type="hidden" name="${openNames.formId}" value="${formId}">
      ${passwordRequired && passwordField(localized, problem)}
      <button type="submit">${open}</button>
      <p class="status" id="status" role="status"></p>
    </form>`
  const title = problem === undefined ? heading : passwordMessage(localized, problem).what
  const body = documentOf({ texts: localized.texts, title, description: ready.lead, main, scripted: true })
  return { body, hasForm: true, hasScript: true }
}

/** The page of an opened message. */
export function openedPage(localized: Localized, secret: OpenedSecret): Page {
  const { title, copy, copied, copyFailed } = localized.texts.opened
  const main = markup`<p class="title">${title}</p>
    <h1 dir="auto" translate="no">${secret.label}</h1>
    <div class="note">
      <div class="bar" hidden>
        <p class="status" id="status" role="status"></p>
        <button type="button" class="quiet" id="copy" data-done="${copied}" data-failed="${copyFailed}">${copyIcon}${copy}</button>
      </div>
      ${noteElement(secret.note)}
    </div>
    ${remaining(localized, secret)}`
  return {
    body: documentOf({ texts: localized.texts, title, main, scripted: true }),
    hasForm: false,
    hasScript: true,
  }
}

/** The same page for all links that cannot be opened. */
export function gonePage(localized: Localized): Page {
  const { heading, lead, advice } = localized.texts.gone
  return plainPage(
    localized,
    heading,
    markup`<p class="lead">${lead}</p>
      <p>${advice}</p>`,
  )
}

/** A page that informs and leads back to the page of the link. */
export function noticePage(localized: Localized, { heading, lead }: Notice, back: 'retry' | 'restart'): Page {
  return plainPage(
    localized,
    heading,
    markup`<p class="lead">${lead}</p>
      <p><a class="button" href="">${localized.texts[back]}</a></p>`,
  )
}

/** The page of a link that is locked for a while. */
export function lockedPage(localized: Localized, retryAfterSeconds: number): Page {
  const { heading, lead, advice } = localized.texts.locked
  const when = localized.fromNow(retryAfterSeconds)
  return plainPage(
    localized,
    heading,
    markup`<p class="lead">${filled(lead, { when })}</p>
      <p>${advice}</p>`,
  )
}

function plainPage(localized: Localized, heading: string, content: Html): Page {
  const main = markup`<h1>${heading}</h1>
    ${content}`
  const body = documentOf({ texts: localized.texts, title: heading, main, scripted: false })
  return { body, hasForm: false, hasScript: false }
}

/** What will happen, who can read the message, that opens may be limited, and until when it is available. */
function introduction(localized: Localized, { passwordRequired, expiresAtMicros }: FormPageInput): Html {
  const { lead, readers, readersWithPassword, limited, until } = localized.texts.ready
  const time = expiresAtMicros !== undefined && timeElement(localized, expiresAtMicros)
  return markup`<p class="lead">${lead}</p>
    <ul>
      <li>${passwordRequired ? readersWithPassword : readers}</li>
      <li>${limited}</li>
      ${time && markup`<li>${filled(until, { time })}</li>`}
    </ul>`
}

type PasswordProblem = Exclude<FormNotice, 'opened_already'>

function opening(localized: Localized, input: FormPageInput): Html {
  if (input.notice === undefined) return introduction(localized, input)
  if (input.notice === 'opened_already') return markup`<p class="lead">${localized.texts.again.lead}</p>`
  const { what, advice } = passwordMessage(localized, input.notice)
  return markup`<p class="alert" id="problem" role="alert"><strong>${what}</strong> ${advice}</p>`
}

function passwordMessage({ texts }: Localized, problem: PasswordProblem): { what: string; advice?: string } {
  const { missing, wrong, wrongAdvice } = texts.password
  return problem === 'password_missing' ? { what: missing } : { what: wrong, advice: wrongAdvice }
}

/** The field gets the focus only when something is wrong with it: a first visit begins with reading. */
function passwordField(localized: Localized, problem: PasswordProblem | undefined): Html {
  const { label, hint, show } = localized.texts.password
  const attributes =
    problem === undefined
      ? markup` aria-describedby="hint"`
      : markup` aria-describedby="problem hint" aria-invalid="true" autofocus`
  return markup`<label for="password">${label}</label>
    <input type="password" id="password" name="${openNames.password}" required autocomplete="off" autocapitalize="none"
      autocorrect="off" spellcheck="false"${attributes}>
    <label class="peek" hidden><input type="checkbox" id="peek">${show}</label>
    <p class="hint" id="hint">${hint}</p>`
}

function remaining(localized: Localized, { opensLeft, expiresAtMicros }: OpenedSecret): Html {
  const { last, left, unlimited } = localized.texts.opened
  if (opensLeft === 0) return markup`<p class="last">${last}</p>`
  const time = timeElement(localized, expiresAtMicros)
  if (opensLeft === undefined) return markup`<p>${filled(unlimited, { time })}</p>`
  const { wording, number } = localized.counted(left, opensLeft)
  return markup`<p>${filled(wording, { time, count: number })}</p>`
}

function timeElement(localized: Localized, micros: number): Html {
  const machine = new Date(Math.floor(micros / 1000)).toISOString()
  return markup`<time datetime="${machine}">${localized.dateTime(micros)}</time>`
}

import type { OpenedSecret } from '@sotto/core'
import { openNames } from '@sotto/wire'
import { pageOf, type Page, type PageParts } from '../../design/document.ts'
import { copyBar, timeElement } from '../../design/elements.ts'
import { filled, markup, type Html } from '../../design/html.ts'
import { noteElement } from '../../design/note.ts'
import type { LinkTexts } from '../texts/en.ts'
import type { LocalizedLink } from '../texts/link-texts.ts'
import { linkScript } from './script.ts'
import { linkStyle } from './style.ts'

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

/**
 * The page on which a person chooses to open. The form comes before the facts about it, so that it is seen on a phone without scrolling.
 * When the page is shown again, it gives the reason instead of the introduction.
 */
export function formPage(localized: LocalizedLink, input: FormPageInput): Page {
  const { ready, again } = localized.texts
  const { notice, passwordRequired, formId } = input
  const { heading, open } = notice === 'opened_already' ? again : ready
  const problem = notice === 'opened_already' ? undefined : notice
  const main = markup`<h1>${heading}</h1>
    ${opening(localized, input)}
    <form method="post" data-busy="${ready.opening}">
      <input type="hidden" name="${openNames.formId}" value="${formId}">
      ${passwordRequired && passwordField(localized, problem)}
      <button type="submit">${open}</button>
      <p class="status" role="status"></p>
    </form>
    ${passwordRequired && markup`<p class="hint" id="hint">${localized.texts.password.hint}</p>`}
    ${notice === undefined && facts(localized, input)}`
  const title = problem === undefined ? heading : passwordMessage(localized, problem).what
  return linkPage(localized, { title, description: ready.lead, main, hasForm: true, script: linkScript })
}

/** The page of an opened message. */
export function openedPage(localized: LocalizedLink, secret: OpenedSecret): Page {
  const { opened } = localized.texts
  const main = markup`<p class="title">${opened.title}</p>
    <h1 dir="auto" translate="no">${secret.label}</h1>
    <div class="note">
      ${copyBar('note', opened)}
      ${noteElement(secret.note)}
    </div>
    ${remaining(localized, secret)}`
  return linkPage(localized, { title: opened.title, main, script: linkScript })
}

/** The same page for all links that cannot be opened. */
export function gonePage(localized: LocalizedLink): Page {
  const { heading, lead, advice, help } = localized.texts.gone
  const { contact } = localized.brand
  return plainPage(
    localized,
    heading,
    markup`<p class="lead">${lead}</p>
      <p>${advice}</p>
      ${contact && markup`<p>${filled(help, { contact })}</p>`}`,
  )
}

/** A page that informs and leads back to the page of the link. */
export function noticePage(
  localized: LocalizedLink,
  { heading, lead }: LinkTexts['busy'],
  back: 'retry' | 'restart',
): Page {
  return plainPage(
    localized,
    heading,
    markup`<p class="lead">${lead}</p>
      <p><a class="button" href="">${localized.texts[back]}</a></p>`,
  )
}

/** The page of a link that is locked for a while. */
export function lockedPage(localized: LocalizedLink, retryAfterSeconds: number): Page {
  const { heading, lead, advice } = localized.texts.locked
  const when = localized.fromNow(retryAfterSeconds)
  return plainPage(
    localized,
    heading,
    markup`<p class="lead">${filled(lead, { when })}</p>
      <p>${advice}</p>`,
  )
}

function plainPage(localized: LocalizedLink, heading: string, content: Html): Page {
  const main = markup`<h1>${heading}</h1>
    ${content}`
  return linkPage(localized, { title: heading, main })
}

type OwnParts = Pick<PageParts, 'title' | 'description' | 'main' | 'hasForm' | 'script'>

function linkPage(localized: LocalizedLink, parts: OwnParts): Page {
  const { texts, brand } = localized
  const footer = markup`<p>${filled(texts.about, { name: brand.name })}</p>`
  return pageOf({ localized, layout: 'card', footer, sheets: [linkStyle], ...parts })
}

/** Who can read the message, that opens may be limited, and until when it is available. */
function facts(localized: LocalizedLink, { passwordRequired, expiresAtMicros }: FormPageInput): Html {
  const { readers, readersWithPassword, limited, until } = localized.texts.ready
  const time = expiresAtMicros !== undefined && timeElement(localized, expiresAtMicros)
  return markup`<ul class="points">
      <li>${passwordRequired ? readersWithPassword : readers}</li>
      <li>${limited}</li>
      ${time && markup`<li>${filled(until, { time })}</li>`}
    </ul>`
}

type PasswordProblem = Exclude<FormNotice, 'opened_already'>

function opening(localized: LocalizedLink, input: FormPageInput): Html {
  if (input.notice === undefined) return markup`<p class="lead">${localized.texts.ready.lead}</p>`
  if (input.notice === 'opened_already') return markup`<p class="lead">${localized.texts.again.lead}</p>`
  const { what, advice } = passwordMessage(localized, input.notice)
  return markup`<p class="alert" id="problem" role="alert"><strong>${what}</strong> ${advice}</p>`
}

function passwordMessage(
  { texts }: LocalizedLink,
  problem: PasswordProblem,
): { what: string; advice?: string } {
  const { missing, wrong, wrongAdvice } = texts.password
  return problem === 'password_missing' ? { what: missing } : { what: wrong, advice: wrongAdvice }
}

/** The field gets the focus only when something is wrong with it: a first visit begins with reading. */
function passwordField(localized: LocalizedLink, problem: PasswordProblem | undefined): Html {
  const { label, show } = localized.texts.password
  const attributes =
    problem === undefined
      ? markup` aria-describedby="hint"`
      : markup` aria-describedby="problem hint" aria-invalid="true" autofocus`
  return markup`<label for="password">${label}</label>
    <input type="password" id="password" name="${openNames.password}" required autocomplete="off" autocapitalize="none"
      autocorrect="off" spellcheck="false"${attributes}>
    <label class="peek" hidden><input type="checkbox" id="peek" data-peek="password">${show}</label>`
}

function remaining(localized: LocalizedLink, { opensLeft, expiresAtMicros }: OpenedSecret): Html {
  const { last, left, unlimited } = localized.texts.opened
  if (opensLeft === 0) return markup`<p class="last">${last}</p>`
  const time = timeElement(localized, expiresAtMicros)
  if (opensLeft === undefined) return markup`<p>${filled(unlimited, { time })}</p>`
  const { wording, number } = localized.counted(left, opensLeft)
  return markup`<p>${filled(wording, { time, count: number })}</p>`
}

import type { OpenedSecret } from '@sotto/core'
import type { Voice } from '../texts/voice.ts'
import type { Notice } from '../texts/texts.ts'
import { documentOf } from './document.ts'
import { filled, markup, type Html } from './html.ts'
import { copyIcon } from './mark.ts'
import { noteElement } from './note.ts'

/** A page, ready to be sent, and what its headers have to allow. */
export interface Page {
  readonly body: string
  /** It posts to its own address. */
  readonly hasForm: boolean
  readonly hasScript: boolean
}

/** Why a form is shown that was sent before. */
export type FormNotice = 'password_missing' | 'password_wrong' | 'opened_already'

export interface FormPageInput {
  readonly passwordRequired: boolean
  /** 32 hexadecimal digits; fresh for every page. */
  readonly formId: string
  /** Said when the page comes for the first time. */
  readonly expiresAtMicros?: number
  readonly notice?: FormNotice
}

/** The page on which a person chooses to open. When it comes again, it says why and leaves out what was read already. */
export function formPage(voice: Voice, input: FormPageInput): Page {
  const { ready, again } = voice.texts
  const { notice, passwordRequired, formId } = input
  const { heading, open } = notice === 'opened_already' ? again : ready
  const problem = notice === 'opened_already' ? undefined : notice
  const main = markup`<h1>${heading}</h1>
    ${openingWords(voice, input)}
    <form id="form" method="post" data-busy="${ready.opening}">
      <input type="hidden" name="form_id" value="${formId}">
      ${passwordRequired && passwordField(voice, problem)}
      <button type="submit">${open}</button>
      <p class="status" id="status" role="status"></p>
    </form>`
  const title = problem === undefined ? heading : passwordWords(voice, problem).what
  const body = documentOf({ texts: voice.texts, title, description: ready.lead, main, scripted: true })
  return { body, hasForm: true, hasScript: true }
}

/** The message itself. */
export function openedPage(voice: Voice, secret: OpenedSecret): Page {
  const { title, copy, copied, copyFailed } = voice.texts.opened
  const main = markup`<p class="title">${title}</p>
    <h1 dir="auto" translate="no">${secret.label}</h1>
    <div class="note">
      <div class="bar" hidden>
        <p class="status" id="status" role="status"></p>
        <button type="button" class="quiet" id="copy" data-done="${copied}" data-failed="${copyFailed}">${copyIcon}${copy}</button>
      </div>
      ${noteElement(secret.note)}
    </div>
    ${remaining(voice, secret)}`
  return {
    body: documentOf({ texts: voice.texts, title, main, scripted: true }),
    hasForm: false,
    hasScript: true,
  }
}

/** The one page of all links that cannot be opened. */
export function gonePage(voice: Voice): Page {
  const { heading, lead, advice } = voice.texts.gone
  return plainPage(
    voice,
    heading,
    markup`<p class="lead">${lead}</p>
      <p>${advice}</p>`,
  )
}

/** A page that tells something and leads back to the page of the link. */
export function noticePage(voice: Voice, { heading, lead }: Notice, back: 'retry' | 'restart'): Page {
  return plainPage(
    voice,
    heading,
    markup`<p class="lead">${lead}</p>
      <p><a class="button" href="">${voice.texts[back]}</a></p>`,
  )
}

/** The page of a link that is locked for a while. */
export function lockedPage(voice: Voice, retryAfterSeconds: number): Page {
  const { heading, lead, advice } = voice.texts.locked
  const when = voice.from(retryAfterSeconds)
  return plainPage(
    voice,
    heading,
    markup`<p class="lead">${filled(lead, { when })}</p>
      <p>${advice}</p>`,
  )
}

function plainPage(voice: Voice, heading: string, content: Html): Page {
  const main = markup`<h1>${heading}</h1>
    ${content}`
  const body = documentOf({ texts: voice.texts, title: heading, main, scripted: false })
  return { body, hasForm: false, hasScript: false }
}

/** What will happen, who can read the message, that opens may count, and until when. */
function introduction(voice: Voice, { passwordRequired, expiresAtMicros }: FormPageInput): Html {
  const { lead, readers, readersWithPassword, limited, until } = voice.texts.ready
  const time = expiresAtMicros !== undefined && moment(voice, expiresAtMicros)
  return markup`<p class="lead">${lead}</p>
    <ul>
      <li>${passwordRequired ? readersWithPassword : readers}</li>
      <li>${limited}</li>
      ${time && markup`<li>${filled(until, { time })}</li>`}
    </ul>`
}

type PasswordProblem = Exclude<FormNotice, 'opened_already'>

function openingWords(voice: Voice, input: FormPageInput): Html {
  if (input.notice === undefined) return introduction(voice, input)
  if (input.notice === 'opened_already') return markup`<p class="lead">${voice.texts.again.lead}</p>`
  const { what, advice } = passwordWords(voice, input.notice)
  return markup`<p class="alert" id="problem" role="alert"><strong>${what}</strong> ${advice}</p>`
}

function passwordWords({ texts }: Voice, problem: PasswordProblem): { what: string; advice?: string } {
  const { missing, wrong, wrongAdvice } = texts.password
  return problem === 'password_missing' ? { what: missing } : { what: wrong, advice: wrongAdvice }
}

/** Focus goes to the field only when something is wrong with it: who comes for the first time reads first. */
function passwordField(voice: Voice, problem: PasswordProblem | undefined): Html {
  const { label, hint, show } = voice.texts.password
  const attributes =
    problem === undefined
      ? markup` aria-describedby="hint"`
      : markup` aria-describedby="problem hint" aria-invalid="true" autofocus`
  return markup`<label for="password">${label}</label>
    <input type="password" id="password" name="password" required autocomplete="off" autocapitalize="none"
      autocorrect="off" spellcheck="false"${attributes}>
    <label class="peek" hidden><input type="checkbox" id="peek">${show}</label>
    <p class="hint" id="hint">${hint}</p>`
}

function remaining(voice: Voice, { opensLeft, expiresAtMicros }: OpenedSecret): Html {
  const { last, left, unlimited } = voice.texts.opened
  if (opensLeft === 0) return markup`<p class="last">${last}</p>`
  const time = moment(voice, expiresAtMicros)
  if (opensLeft === undefined) return markup`<p>${filled(unlimited, { time })}</p>`
  const { wording, number } = voice.counted(left, opensLeft)
  return markup`<p>${filled(wording, { time, count: number })}</p>`
}

function moment(voice: Voice, micros: number): Html {
  const machine = new Date(Math.floor(micros / 1000)).toISOString()
  return markup`<time datetime="${machine}">${voice.moment(micros)}</time>`
}

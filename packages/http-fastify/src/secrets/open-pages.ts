import { openNames } from '@sotto/wire'
import {
  type Page,
  fileList,
  fileListStyle,
  filled,
  hourElement,
  type Html,
  localTimes,
  markup,
  pageScript,
  sealedEnvelope,
  shownLater,
  timeElement,
  untranslated,
} from '@sotto/html'
import type { SecretFile } from '@sotto/core'
import type { LocalizedLink } from '../link/localized-link.ts'
import { linkPage, plainPage } from '../link/link-page.ts'
import { formScript, sealedLinkScript } from '../link/scripts.ts'
import { insteadOfForm, ofWholeLink, whenReady } from '../sealed/pages.ts'

/** The script of a locked link. */
const lockedScript = pageScript(localTimes, shownLater)

/** Why a form is shown again. */
export type FormNotice = 'password_missing' | 'password_wrong' | 'opened_already'

/** A time that is still to come. */
export interface Moment {
  readonly atMicros: number
  readonly inSeconds: number
}

export interface FormPageInput {
  readonly passwordRequired: boolean
  /** The display name of the owner, where there is one. */
  readonly from?: string | undefined
  /** How often the message can still be opened; `undefined` without a limit. */
  readonly opensLeft?: number | undefined
  /** 32 hexadecimal digits, new for every page. */
  readonly formId: string
  /** When the link expires. The page says nothing about the link without it. */
  readonly expiry?: Moment | undefined
  /** The secret's files, where recipients see them before they open it. None by default. */
  readonly files?: readonly SecretFile[] | undefined
  /** Whether the sender's browser encrypted it: the page's script shows the form to who has the key. */
  readonly sealed?: true | undefined
  readonly notice?: FormNotice
}

/**
 * The page on which a person chooses to open. The form comes before the facts about it, so that it is seen on a phone without scrolling.
 * When the page is shown again, it gives the reason, too.
 */
export function formPage(localized: LocalizedLink, input: FormPageInput): Page {
  const { ready, again } = localized.texts
  const { notice, passwordRequired, formId, files = [], sealed = false } = input
  const { heading, open } = notice === 'opened_already' ? again : ready
  const problem = notice === 'opened_already' ? undefined : notice
  const main = markup`${notice === undefined && sealedEnvelope}<h1>${heading}</h1>
    ${opening(localized, input)}
    ${sealed && insteadOfForm(localized, notice === undefined)}<form method="post" data-busy="${ready.opening}"${sealed && whenReady}>
      <input type="hidden" name="${openNames.formId}" value="${formId}">
      ${passwordRequired && passwordField(localized, problem)}
      <button type="submit">${open}</button>
      <p class="status" role="status"></p>
    </form>
    ${passwordRequired && markup`<p class="hint" id="hint"${sealed && whenReady}>${localized.texts.password.hint}</p>`}
    ${input.expiry && facts(localized, input, input.expiry)}`
  const title = problem === undefined ? heading : passwordMessage(localized, problem).what
  return linkPage(localized, {
    title,
    description: sealed ? undefined : ready.lead,
    main,
    // A sealed link has one script, whatever was refused.
    hasFault: problem !== undefined && !sealed,
    hasForm: true,
    script: sealed ? sealedLinkScript : formScript,
    sheets: files.length === 0 ? [] : [fileListStyle],
  })
}

/** The page of a link that is locked for a while. To try again is offered once that time is over. */
export function lockedPage(
  localized: LocalizedLink,
  { atMicros, inSeconds }: Moment,
  isSealed: boolean,
): Page {
  const { heading, lead, advice } = localized.texts.locked
  const time = hourElement(localized, atMicros)
  return plainPage(
    localized,
    heading,
    markup`<p class="lead">${filled(lead, { time, when: localized.fromNow(inSeconds) })}</p>
      <p>${advice}</p>
      <p data-after="${inSeconds}" hidden><a class="button" href="">${localized.texts.retry}</a></p>`,
    { sign: sealedEnvelope, script: isSealed ? sealedLinkScript : lockedScript },
  )
}

/** How often it can be opened, when it is deleted, and who can read it. */
function facts(localized: LocalizedLink, input: FormPageInput, { atMicros, inSeconds }: Moment): Html {
  const { ready, sealed } = localized.texts
  const who = input.passwordRequired ? ready.readersWithPassword : ready.readers
  const operator = input.passwordRequired && markup` ${ready.operator}`
  const expiry = { time: timeElement(localized, atMicros), when: localized.fromNow(inSeconds) }
  return markup`${attachedFiles(localized, input)}${opens(localized, input)}
    <p>${filled(ready.until, expiry)}</p>
    <p>${input.sealed ? markup`${ofWholeLink(who)} ${sealed.readers}` : markup`${who}${operator}`}</p>`
}

function attachedFiles(localized: LocalizedLink, { files = [] }: FormPageInput): Html | undefined {
  if (files.length === 0) return undefined
  const { wording, number } = localized.counted(localized.texts.files.attached, files.length)
  return markup`<p>${filled(wording, { count: number })}</p>
    ${fileList(localized, files)}
    `
}

function opens(localized: LocalizedLink, { opensLeft }: FormPageInput): Html | undefined {
  if (opensLeft === undefined) return undefined
  const { once, onceWord, more } = localized.texts.ready
  if (opensLeft === 1) return markup`<p>${filled(once, { once: markup`<strong>${onceWord}</strong>` })}</p>`
  const { wording, number } = localized.counted(more, opensLeft)
  return markup`<p>${filled(wording, { count: number })}</p>`
}

type PasswordProblem = Exclude<FormNotice, 'opened_already'>

function opening(localized: LocalizedLink, { notice, from }: FormPageInput): Html {
  const { ready, again, opened } = localized.texts
  const name = from === undefined ? undefined : { name: untranslated(from) }
  if (notice === 'opened_already')
    return markup`<p class="lead">${again.lead}</p>${name && markup`<p>${filled(opened.from, name)}</p>`}`
  const lead = markup`<p class="lead">${name === undefined ? ready.lead : filled(ready.from, name)}</p>`
  if (notice === undefined) return lead
  const { what, advice } = passwordMessage(localized, notice)
  return markup`${name && lead}<p class="alert" id="problem" role="alert"><a href="#password">${what}</a> ${advice}</p>`
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
    <button type="button" class="quiet" data-peek="password" aria-pressed="false" hidden>${show}</button>`
}

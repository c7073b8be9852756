import { fileField, passwordField, type Page, filledText, markup, type Html } from '@sotto/html'
import type { KeptFields } from './form.ts'
import type { LocalizedDashboard } from './localized.ts'
import { fileFieldName } from '@sotto/http-fastify/plugin'
import { guestPage } from './layout.ts'

/** A page that only informs. */
export interface NoticeTexts {
  readonly heading: string
  readonly lead: string
}

/** A page that says what was done or what went wrong, and leads back to the secrets. @param isRefusal whether nothing was done */
export function noticePage(
  localized: LocalizedDashboard,
  { heading, lead }: NoticeTexts,
  isRefusal = false,
): Page {
  const main = markup`<h1>${heading}</h1>
    <p class="lead"${isRefusal && markup` role="alert"`}>${lead}</p>
    <p><a class="button" href="/dashboard">${localized.texts.common.home}</a></p>`
  return guestPage({ localized, title: heading, main })
}

/** Too many changes in a short time. */
export function tooManyNotice(localized: LocalizedDashboard, retryAfterSeconds: number): NoticeTexts {
  const { heading, lead } = localized.texts.common.tooMany
  return { heading, lead: filledText(lead, { when: localized.fromNow(retryAfterSeconds) }) }
}

/** Keeps what somebody typed whose session ended in the meantime. */
export function sessionOverPage(localized: LocalizedDashboard, action: string, kept: KeptFields): Page {
  const { texts, host } = localized
  const { sessionOver } = texts.common
  const signInUrl = host === undefined ? '/login' : host.signInUrl
  const link =
    signInUrl === undefined
      ? undefined
      : markup`<p><a class="button" href="${signInUrl}" target="_blank" rel="noopener">${sessionOver.signIn}</a></p>`
  return keptFormPage(localized, sessionOver, { action, kept, link })
}

/** What to send again, and where to. */
export interface KeptForm {
  readonly action: string
  readonly kept: KeptFields
  /** What has to be done before it can be sent again. */
  readonly link?: Html | undefined
}

/**
 * Says why a form was not taken, and keeps what was typed: the same form again, to be sent with one button. A password has to be entered again,
 * and files have to be chosen again: a link that was meant to have them must not be made without them. A form with the key of a request has no
 * action: it goes to the address of this page, where the browser has the owner's part of that key in the fragment.
 */
export function keptFormPage(
  localized: LocalizedDashboard,
  { heading, lead }: NoticeTexts,
  { action, kept, link }: KeptForm,
): Page {
  const hasKey = kept.shown.some(([name, value]) => name === 'key' && value !== '')
  const main = markup`<h1>${heading}</h1>
    <p class="lead" role="alert">${lead}</p>
    ${link}
    <form method="post"${!hasKey && markup` action="${action}"`}${kept.hadFiles && markup` enctype="multipart/form-data"`}>
      ${kept.shown.map(([name, value]) => markup`<textarea hidden name="${name}">\n${value}</textarea>`)}
      ${kept.hadPassword && passwordAgain(localized, kept, link === undefined)}
      ${kept.hadFiles && filesAgain(localized)}
      <button type="submit" class="secondary">${localized.texts.common.sessionOver.sendAgain}</button>
    </form>`
  return guestPage({ localized, title: heading, main, hasForm: true })
}

function filesAgain({ texts }: LocalizedDashboard): Html {
  return fileField({
    name: fileFieldName,
    label: texts.files.heading,
    hint: texts.files.again,
    isRequired: true,
  })
}

function passwordAgain({ texts }: LocalizedDashboard, { shown }: KeptFields, hasFocus: boolean): Html {
  const isOfLink = shown.some(([name]) => name === 'note')
  return passwordField({
    name: 'password',
    label: isOfLink ? texts.secrets.fields.password : texts.signIn.password,
    autocomplete: isOfLink ? 'off' : 'current-password',
    hint: texts.common.fieldErrors.password_again,
    isRequired: true,
    hasFocus,
    show: texts.common.showPassword,
  })
}

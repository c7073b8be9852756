import type { Account } from '@sotto/core'
import { inputField, partNavigation, passwordField, selectField } from '../../design/app-elements.ts'
import type { Page } from '../../design/document.ts'
import { pageScript } from '../../design/embedded.ts'
import { filled, markup, type Html } from '../../design/html.ts'
import { languageFacts } from '../../design/languages.ts'
import { copying, localTimes, peeking, sendOnce } from '../../design/script.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { doneBanner, type Done } from './done.ts'
import { faults, type FieldProblems } from './fields.ts'
import { newPasswordField } from './invitation-page.ts'
import { ownerPage } from './layout.ts'
import { contactLine } from './reset-page.ts'

/** The pages of the settings. */
export type SettingsPlace = 'account' | 'tokens' | 'sessions' | 'notifications'

/** What the pages of the settings need. */
export const settingsScript = pageScript(localTimes, copying, sendOnce, peeking)

export interface SettingsInput {
  readonly account: Account
  /** Whether the password has to be entered again for what needs a fresh re-authentication. */
  readonly needsReauthentication: boolean
  /** Whether the installation sends mails: without them only the operator changes an email address. */
  readonly canMail: boolean
  readonly done: Done | undefined
  /** The form that was refused, what was typed in it, and what is wrong with it. */
  readonly refused?: RefusedForm | undefined
}

export interface RefusedForm {
  readonly form: 'email' | 'password' | 'name'
  readonly email?: string
  readonly name?: string
  readonly problems: FieldProblems
}

/** Email, password, display name, language, download, deletion. */
export function settingsPage(localized: LocalizedDashboard, input: SettingsInput): Page {
  const { settings } = localized.texts.account
  const { download, deletion } = settings
  // Accounts of an application that signs its users in are its own business.
  const isOwn = localized.host === undefined
  const main = markup`${settingsHead(localized, 'account')}
    ${doneBanner(localized, input.done)}
    ${isOwn && input.account.email !== undefined && emailPart(localized, input, input.account.email)}
    ${isOwn && passwordForm(localized, input)}
    ${nameForm(localized, input)}
    ${languageForm(localized, input)}
    <form class="panel" method="get" action="/settings/download">
      <h2>${download.heading}</h2>
      <p>${download.lead}</p>
      <button type="submit" class="secondary">${download.button}</button>
    </form>
    ${
      isOwn &&
      markup`<form class="panel" method="get" action="/settings/delete">
      <h2>${deletion.heading}</h2>
      <p>${deletion.lead}</p>
      <button type="submit" class="danger">${deletion.button}</button>
    </form>`
    }`
  return ownerPage({ localized, title: settings.heading, place: 'settings', main, script: settingsScript })
}

/** The title of the settings, and the way to each of their pages. */
export function settingsHead(localized: LocalizedDashboard, place: SettingsPlace): Html {
  const { heading, navigation, account, tokens, sessions } = localized.texts.account.settings
  const item = (at: SettingsPlace, path: string, text: string) => ({ path, text, isCurrent: at === place })
  const items = [
    item('account', '/settings', account),
    item('tokens', '/settings/tokens', tokens),
    ...(localized.host === undefined ? [item('sessions', '/settings/sessions', sessions)] : []),
    item('notifications', '/settings/notifications', localized.texts.notifications.heading),
  ]
  return markup`<div class="head"><h1>${heading}</h1></div>${partNavigation('tabs', navigation, items)}`
}

export interface ReauthenticationParts {
  readonly needsReauthentication: boolean
  readonly problem: string | undefined
  /** For pages with several forms. */
  readonly id: string
  /** `Password` by default. */
  readonly label?: string
  readonly hasFocus?: boolean
}

/** The password again, where it is needed. */
export function reauthenticationField(
  localized: LocalizedDashboard,
  parts: ReauthenticationParts,
): Html | undefined {
  const { settings, signIn } = localized.texts.account
  const {
    needsReauthentication,
    problem,
    id,
    label = signIn.password,
    hasFocus = problem !== undefined,
  } = parts
  if (!needsReauthentication) return undefined
  return passwordField({
    name: 'proof',
    id,
    label,
    autocomplete: 'current-password',
    hint: settings.reauthenticationHint,
    error: problem,
    hasFocus,
    isRequired: true,
    show: localized.texts.common.showPassword,
  })
}

function problemsOf({ refused }: SettingsInput, form: RefusedForm['form']): FieldProblems {
  return refused?.form === form ? refused.problems : {}
}

function emailPart(localized: LocalizedDashboard, input: SettingsInput, email: string): Html {
  if (input.canMail) return emailForm(localized, input)
  const { heading, operator } = localized.texts.account.settings.email
  return markup`<section class="panel">
    <h2>${heading}</h2>
    <p>${filled(operator, { email: markup`<bdi>${email}</bdi>` })}</p>
    ${contactLine(localized)}
  </section>`
}

function emailForm(localized: LocalizedDashboard, input: SettingsInput): Html {
  const { settings, signIn } = localized.texts.account
  const problems = problemsOf(input, 'email')
  const { needsReauthentication, refused, account } = input
  return markup`<form class="panel" method="post" action="/settings/email">
    <h2>${settings.email.heading}</h2>
    ${inputField({
      name: 'email',
      type: 'email',
      label: signIn.email,
      hint: settings.email.hint,
      value: refused?.email ?? account.email,
      autocomplete: 'email',
      isRequired: true,
      ...faults(problems, ['email', 'proof'])('email'),
    })}
    ${reauthenticationField(localized, { needsReauthentication, problem: problems['proof'], id: 'email-proof' })}
    <button type="submit" class="secondary">${settings.email.change}</button>
  </form>`
}

function passwordForm(localized: LocalizedDashboard, input: SettingsInput): Html {
  const { password } = localized.texts.account.settings
  const problems = problemsOf(input, 'password')
  const fault = faults(problems, ['proof', 'password'])
  const { needsReauthentication, account } = input
  const { email } = account
  return markup`<form class="panel" method="post" action="/settings/password">
    <h2>${password.heading}</h2>
    <p>${password.lead}</p>
    ${email !== undefined && markup`<input type="email" name="email" value="${email}" autocomplete="username" hidden>`}
    ${reauthenticationField(localized, { needsReauthentication, problem: problems['proof'], id: 'password-proof', label: password.current })}
    ${newPasswordField(localized, { name: 'password', label: password.field, email, ...fault('password') })}
    <button type="submit" class="secondary">${password.change}</button>
  </form>`
}

function nameForm(localized: LocalizedDashboard, input: SettingsInput): Html {
  const { displayName } = localized.texts.account.settings
  return markup`<form class="panel" method="post" action="/settings/name">
    <h2>${displayName.heading}</h2>
    ${inputField({
      name: 'name',
      label: displayName.heading,
      hint: displayName.hint,
      value: input.refused?.name ?? input.account.displayName,
      autocomplete: 'name',
      ...faults(problemsOf(input, 'name'), ['name'])('name'),
    })}
    <button type="submit" class="secondary">${displayName.save}</button>
  </form>`
}

function languageForm(localized: LocalizedDashboard, { account }: SettingsInput): Html {
  const { language } = localized.texts.account.settings
  const names = Object.entries(languageFacts).map(([tag, { name }]) => ({
    value: tag,
    text: name,
    language: tag,
  }))
  return markup`<form class="panel" method="post" action="/settings/language">
    <h2>${language.heading}</h2>
    ${selectField({
      name: 'language',
      label: language.field,
      choices: [{ value: '', text: language.browser }, ...names],
      chosen: account.language ?? '',
    })}
    <button type="submit" class="secondary">${language.save}</button>
  </form>`
}

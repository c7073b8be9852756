import type { Account, FileUsage } from '@sotto/core'
import { inputField, selectField, type Page, isolated, filled, markup, type Html } from '@sotto/html'
import { languageFacts } from '@sotto/texts'
import { reauthenticationField, type ReauthenticationNeed } from '../shared/reauthentication.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { Done } from '../shared/done.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { contactLine } from '../passwords/reset-page.ts'
import { setting, settingsLayout } from '../shared/settings-layout.ts'

export interface SettingsInput {
  readonly account: Account
  /** How much of what files may have the account uses; `undefined` where no files are taken. */
  readonly files: FileUsage | undefined
  /** Whether the password has to be entered again for what needs a fresh re-authentication. */
  readonly reauthentication: ReauthenticationNeed | undefined
  /** Whether the installation sends mails: without them only the operator changes an email address. */
  readonly canMail: boolean
  readonly done: Done | undefined
  /** The form that was refused, what was typed in it, and what is wrong with it. */
  readonly refused?: RefusedForm | undefined
}

export interface RefusedForm {
  readonly form: 'email' | 'name'
  readonly email?: string
  readonly name?: string
  readonly problems: FieldProblems
}

/** The page of the account: email, display name, language, download, deletion. */
export function settingsPage(localized: LocalizedDashboard, input: SettingsInput): Page {
  const { settings } = localized.texts.accounts
  const { download, deletion } = settings
  const { done, account } = input
  // Accounts of an application that signs its users in are its own business.
  const isOwn = localized.host === undefined
  const main = markup`${isOwn && account.email !== undefined && emailPart(localized, input, account.email)}
    ${namePart(localized, input)}
    ${languagePart(localized, input)}
    ${setting(
      download.heading,
      download.lead,
      markup`${input.files && roomOfFiles(localized, input.files)}<form method="get" action="/settings/download"><button type="submit" class="secondary">${download.button}</button></form>`,
    )}
    ${
      isOwn &&
      setting(
        deletion.heading,
        deletion.lead,
        markup`<form method="get" action="/settings/delete"><button type="submit" class="danger">${deletion.heading}</button></form>`,
      )
    }`
  return settingsLayout(localized, { place: 'account', title: settings.heading, main, done })
}

/** How much room the files of the account take and have left. */
function roomOfFiles(localized: LocalizedDashboard, { usedBytes, accountMaxBytes }: FileUsage): Html {
  const left = Math.max(0, accountMaxBytes - usedBytes)
  const sizes = { used: usedBytes, all: accountMaxBytes, left }
  const shown = Object.entries(sizes).map(([name, bytes]) => [name, localized.size(bytes)])
  return markup`<p>${filled(localized.texts.files.room, Object.fromEntries(shown) as Record<string, string>)}</p>`
}

function problemsOf({ refused }: SettingsInput, form: RefusedForm['form']): FieldProblems {
  return refused?.form === form ? refused.problems : {}
}

function emailPart(localized: LocalizedDashboard, input: SettingsInput, email: string): Html {
  const { settings } = localized.texts.accounts
  const { signIn } = localized.texts
  const { heading, operator, hint, change } = settings.email
  const { reauthentication, refused, canMail } = input
  if (!canMail) {
    const lead = filled(operator, { email: isolated(email) })
    return setting(heading, lead, contactLine(localized))
  }
  const problems = problemsOf(input, 'email')
  return setting(
    heading,
    hint,
    markup`<form method="post" action="/settings/email">
    ${inputField({
      name: 'email',
      type: 'email',
      label: signIn.email,
      value: refused?.email ?? email,
      autocomplete: 'email',
      isRequired: true,
      ...faults(problems, ['email', 'proof'])('email'),
    })}
    ${reauthenticationField({ reauthentication, problem: problems['proof'], id: 'email-proof' })}
    <button type="submit" class="secondary">${change}</button>
  </form>`,
  )
}

function namePart(localized: LocalizedDashboard, input: SettingsInput): Html {
  const { heading, hint, save } = localized.texts.accounts.settings.displayName
  return setting(
    heading,
    hint,
    markup`<form method="post" action="/settings/name">
    ${inputField({
      name: 'name',
      label: heading,
      value: input.refused?.name ?? input.account.displayName,
      autocomplete: 'name',
      ...faults(problemsOf(input, 'name'), ['name'])('name'),
    })}
    <button type="submit" class="secondary">${save}</button>
  </form>`,
  )
}

function languagePart(localized: LocalizedDashboard, { account }: SettingsInput): Html {
  const { heading, field, browser, save } = localized.texts.accounts.settings.language
  const names = Object.entries(languageFacts).map(([tag, { name }]) => ({
    value: tag,
    text: name,
    language: tag,
  }))
  return setting(
    heading,
    undefined,
    markup`<form method="post" action="/settings/language">
    ${selectField({
      name: 'language',
      label: field,
      choices: [{ value: '', text: browser }, ...names],
      chosen: account.language ?? '',
    })}
    <button type="submit" class="secondary">${save}</button>
  </form>`,
  )
}

import { bounds, lifetimesSeconds, type FolderWithCounts } from '@sotto/core'
import { areaField, checkbox, inputField, passwordField, selectField } from '../../design/app-elements.ts'
import { filledText, markup, type Html } from '../../design/html.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { faults, type FieldProblems } from './fields.ts'

/** The fields of a secret or draft, by the names that the forms give them, in the order of the pages. */
export const secretFieldNames = [
  'label',
  'note',
  'folder',
  'expires',
  'opens',
  'password',
  'notify',
  'labels',
] as const

export type SecretFieldName = (typeof secretFieldNames)[number]

/** What was typed, as text. The password is never sent back. */
export type SecretFields = Readonly<Record<Exclude<SecretFieldName, 'password'>, string>>

export interface SecretFormInput {
  readonly folders: readonly FolderWithCounts[]
  readonly values: SecretFields
  readonly problems: FieldProblems<SecretFieldName>
  readonly noteMaxBytes: number
  /** Whether the form offers that mails name labels. */
  readonly offersLabels: boolean
}

/** The names of the core's fields in the form. */
export const formNames: Readonly<Record<string, SecretFieldName>> = {
  folderId: 'folder',
  label: 'label',
  note: 'note',
  openLimit: 'opens',
  password: 'password',
}

export function labelField(localized: LocalizedDashboard, { values, problems }: SecretFormInput): Html {
  const { fields } = localized.texts.secrets
  return inputField({
    name: 'label',
    label: fields.label,
    hint: fields.labelHint,
    value: values.label,
    isRequired: true,
    ...faultOf(problems, 'label'),
  })
}

export function noteField(localized: LocalizedDashboard, input: SecretFormInput): Html {
  const { fields, newSecret } = localized.texts.secrets
  const { values, problems, noteMaxBytes } = input
  const { wording, number } = localized.counted(fields.noteHint, noteMaxBytes)
  const wordings = JSON.stringify({ left: newSecret.bytesLeft, over: newSecret.bytesOver })
  return areaField({
    name: 'note',
    label: fields.note,
    hint: filledText(wording, { count: number }),
    value: values.note,
    rows: 8,
    isRequired: true,
    more: markup`<p class="hint counter" data-count="note" data-max="${noteMaxBytes}" data-wordings="${wordings}"></p>`,
    ...faultOf(problems, 'note'),
  })
}

export function folderField(localized: LocalizedDashboard, input: SecretFormInput): Html {
  const { folders, values, problems } = input
  return selectField({
    name: 'folder',
    label: localized.texts.secrets.fields.folder,
    choices: folders.map(({ id, label }) => ({ value: id, text: label })),
    chosen: values.folder,
    isRequired: true,
    ...faultOf(problems, 'folder'),
  })
}

export function expiresField(localized: LocalizedDashboard, { values, problems }: SecretFormInput): Html {
  const { fields } = localized.texts.secrets
  const text = (at: number): string => fields.lifetimes[at] ?? ''
  return selectField({
    name: 'expires',
    label: fields.expires,
    choices: lifetimesSeconds.map((seconds, at) => ({ value: String(seconds), text: text(at) })),
    chosen: values.expires,
    ...faultOf(problems, 'expires'),
  })
}

export function opensField(localized: LocalizedDashboard, { values, problems }: SecretFormInput): Html {
  const { fields } = localized.texts.secrets
  return inputField({
    name: 'opens',
    type: 'number',
    label: fields.opens,
    hint: fields.opensHint,
    value: values.opens,
    attributes: markup`min="1" max="${bounds.openLimitMax}" step="1" inputmode="numeric"`,
    ...faultOf(problems, 'opens'),
  })
}

export interface LinkPasswordParts {
  readonly hint?: string | undefined
  /** By default only when a password was entered that no page sends back: a link that was meant to have one must not be made without it. */
  readonly isRequired?: boolean
  /** Whether a password may be generated; true by default. */
  readonly canBeNew?: boolean
}

export function linkPasswordField(
  localized: LocalizedDashboard,
  { problems }: Pick<SecretFormInput, 'problems'>,
  parts: LinkPasswordParts = {},
): Html {
  const { fields } = localized.texts.secrets
  const { password_again: passwordAgain } = localized.texts.common.fieldErrors
  const { hint, isRequired = problems.password === passwordAgain, canBeNew = true } = parts
  return passwordField({
    name: 'password',
    label: fields.password,
    hint,
    autocomplete: 'off',
    isRequired,
    show: localized.texts.common.showPassword,
    more: canBeNew
      ? markup`<button type="button" class="quiet" data-generate="password" hidden>${fields.generate}</button>`
      : undefined,
    ...faultOf(problems, 'password'),
  })
}

export function notifyField(localized: LocalizedDashboard, { values, offersLabels }: SecretFormInput): Html {
  const { notify: label, notifyHow, notifyLabels } = localized.texts.secrets.fields
  return markup`${checkbox({ name: 'notify', label, isChecked: values.notify !== '' })}
    ${offersLabels && checkbox({ name: 'labels', label: notifyLabels, isChecked: values.labels !== '' })}
    <p class="hint"><a href="/settings/notifications" target="_blank" rel="noopener">${notifyHow}</a></p>`
}

function faultOf(
  problems: SecretFormInput['problems'],
  name: SecretFieldName,
): ReturnType<ReturnType<typeof faults>> {
  return faults(problems, secretFieldNames)(name)
}

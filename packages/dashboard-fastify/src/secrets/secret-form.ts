import { bounds, offeredLifetimesSeconds, shownText, type FolderWithCounts } from '@sotto/core'
import {
  areaField,
  checkbox,
  choicesField,
  inputField,
  passwordField,
  selectField,
  markup,
  type Html,
  type Plural,
} from '@sotto/html'
import type { MailsOfOwner } from '../shared/mail-labels.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { filesField, type FilesInput } from '../files/files-field.ts'
import { readableHint, sealField } from '../sealed/seal-field.ts'
import type { Sealing } from '../sealed/sealing.ts'

/** The fields of a secret or draft, by the names that the forms give them, in the order of the pages. */
export const secretFieldNames = [
  'note',
  'opens',
  'count',
  'expires',
  'label',
  'password',
  'folder',
  'notify',
  'labels',
  'show-files',
] as const

/** A field whose value is a text. */
export type TypedFieldName = (typeof secretFieldNames)[number]

/** A field that may have a fault. */
export type SecretFieldName = TypedFieldName | 'files'

const faultOrder: readonly SecretFieldName[] = [...secretFieldNames, 'files']

/** What was typed, as text. Passwords and files are never sent back. */
export type SecretFields = Readonly<Record<Exclude<TypedFieldName, 'password'>, string>>

/** What `opens` says instead of a number: no limit, or the number in `count`. */
export const opensChoices = { unlimited: 'unlimited', number: 'number' } as const

/** What the form shows for a limit. */
export function opensValues(openLimit: number | undefined): Pick<SecretFields, 'opens' | 'count'> {
  if (openLimit === undefined) return { opens: opensChoices.unlimited, count: '' }
  const text = String(openLimit)
  return text === '1' || text === '3'
    ? { opens: text, count: '' }
    : { opens: opensChoices.number, count: text }
}

export interface SecretFormInput {
  readonly folders: readonly FolderWithCounts[]
  readonly values: SecretFields
  readonly problems: FieldProblems<SecretFieldName>
  readonly noteMaxBytes: number
  /** Where mails do not name labels, the form offers it. `undefined`: nobody looked. */
  readonly mails: MailsOfOwner | undefined
  /** Absent where the draft has no files and none are taken. */
  readonly files?: FilesInput | undefined
  /** Whether the text can be encrypted in the browser; by default not. */
  readonly sealing?: Sealing | undefined
}

/** Whether the form has the box with which its text is encrypted. */
export function isSealable({ sealing = 'off' }: SecretFormInput): boolean {
  return sealing !== 'off'
}

/** The files of a secret or draft. */
export function filesPart(localized: LocalizedDashboard, input: SecretFormInput): Html | undefined {
  return input.files && filesField(localized, input.files, faultOf(input.problems, 'files'))
}

/** The box that has text and files encrypted in the browser. */
export function sealPart(localized: LocalizedDashboard, input: SecretFormInput): Html | undefined {
  const { common, files } = localized.texts
  const { noteMaxBytes, sealing } = input
  if (!isSealable(input)) return undefined
  const empty = input.files === undefined ? common.fieldErrors.empty : files.textOrFile
  return sealField(localized, { isTicked: sealing === 'ticked', empty, noteMaxBytes })
}

/** The names of the core's fields in the form. */
export const formNames: Readonly<Record<string, SecretFieldName>> = {
  folderId: 'folder',
  label: 'label',
  note: 'note',
  openLimit: 'count',
  password: 'password',
  files: 'files',
}

/** The text, with what is done to it below: a generated password in it, and how many bytes are left once most of them are used. */
export function noteField(localized: LocalizedDashboard, input: SecretFormInput): Html {
  const { secrets, common, files: fileTexts } = localized.texts
  const { fields, newSecret } = secrets
  const { values, problems, noteMaxBytes, files } = input
  const fault = faultOf(problems, 'note')
  // A file that is there already counts, too: then nothing is missing.
  const error = files && fault.error === common.fieldErrors.empty ? fileTexts.textOrFile : fault.error
  const isFirst = faultOrder.every((name) => problems[name] === undefined)
  return areaField({
    name: 'note',
    label: fields.note,
    value: values.note,
    rows: 8,
    isRequired: files === undefined,
    more: markup`<div class="beside"><button type="button" class="quiet" data-insert="note" hidden>${fields.insert}</button>
      <p class="hint counter" data-count="note" data-max="${noteMaxBytes}"${wordings('left', newSecret.bytesLeft)}${wordings('over', newSecret.bytesOver)}></p></div>
      ${isSealable(input) && markup`<p id="note-fault" class="error" hidden></p>`}`,
    ...(isFirst ? { hasFocus: true } : { ...fault, error }),
  })
}

/** The wordings of the counter, each under the side of the bound and the category of its number. */
function wordings(side: 'left' | 'over', forms: Plural<string>): Html[] {
  return Object.entries(forms).map(([category, wording]) => markup` data-${side}${category}="${wording}"`)
}

/** The fields for how often, for how long, under which title and password, in which folder, and whether its owner is told. */
export function optionFields(
  localized: LocalizedDashboard,
  input: SecretFormInput,
  password: Html | undefined,
): Html {
  return markup`${opensField(localized, input)}
    ${expiresField(localized, input)}
    ${labelField(localized, input)}
    ${password}
    ${folderField(localized, input)}
    ${notifyField(localized, input)}`
}

function labelField(localized: LocalizedDashboard, input: SecretFormInput): Html {
  const { values, problems } = input
  const { fields } = localized.texts.secrets
  return inputField({
    name: 'label',
    label: optional(localized, fields.label),
    hint: markup`${fields.labelHint}${isSealable(input) && markup` ${readableHint(localized)}`}`,
    value: values.label,
    ...faultOf(problems, 'label'),
  })
}

/** The field for the folder: a choice only where there is one. */
function folderField(localized: LocalizedDashboard, input: SecretFormInput): Html {
  const { folders, values, problems } = input
  const [only] = folders
  if (folders.length === 1 && only !== undefined && problems.folder === undefined)
    return markup`<input type="hidden" name="folder" value="${only.id}">`
  return selectField({
    name: 'folder',
    label: localized.texts.secrets.fields.folder,
    choices: folders.map(({ id, label }) => ({ value: id, text: shownText(label) })),
    chosen: values.folder,
    ...faultOf(problems, 'folder'),
  })
}

function expiresField(localized: LocalizedDashboard, { values, problems }: SecretFormInput): Html {
  const { fields } = localized.texts.secrets
  const text = (at: number): string => fields.lifetimes[at] ?? ''
  return choicesField({
    name: 'expires',
    label: fields.expires,
    choices: offeredLifetimesSeconds.map((seconds, at) => ({ value: String(seconds), text: text(at) })),
    chosen: values.expires,
    ...faultOf(problems, 'expires'),
  })
}

function opensField(localized: LocalizedDashboard, { values, problems }: SecretFormInput): Html {
  const { fields } = localized.texts.secrets
  const choices = [
    { value: '1', text: fields.opensOnce },
    { value: '3', text: fields.opensThrice },
    { value: opensChoices.unlimited, text: fields.opensUnlimited },
    { value: opensChoices.number, text: fields.opensNumber },
  ]
  const chosen = choices.find(({ value }) => value === values.opens)?.value ?? opensChoices.number
  const count = inputField({
    name: 'count',
    type: 'number',
    label: fields.opensCount,
    value: values.opens === chosen ? values.count : values.opens,
    attributes: markup`min="1" max="${bounds.openLimitMax}" step="1" inputmode="numeric"`,
    ...faultOf(problems, 'count'),
  })
  return choicesField({ name: 'opens', label: fields.opens, choices, chosen, more: count })
}

export interface LinkPasswordParts {
  readonly hint?: string | undefined
  /**
   * Whether the password is required. By default only when one was entered that no page sends back: a link that was meant to have one must
   * not be made without it.
   */
  readonly isRequired?: boolean
  /** Whether a password may be generated; true by default. */
  readonly canBeNew?: boolean
}

export function linkPasswordField(
  localized: LocalizedDashboard,
  { problems }: Pick<SecretFormInput, 'problems'>,
  parts: LinkPasswordParts = {},
): Html {
  const { fields, secret } = localized.texts.secrets
  const { password_again: passwordAgain } = localized.texts.common.fieldErrors
  const { hint, isRequired = problems.password === passwordAgain, canBeNew = true } = parts
  return passwordField({
    name: 'password',
    label: isRequired ? fields.password : optional(localized, fields.password),
    hint,
    autocomplete: canBeNew ? 'new-password' : 'off',
    isRequired,
    show: localized.texts.common.showPassword,
    more: canBeNew
      ? markup`<button type="button" class="quiet" data-suggest="password" data-done="${secret.copied}" data-warning="${fields.notCopied}" hidden>${fields.suggest}</button>
        <p class="status" role="status"></p>`
      : undefined,
    ...faultOf(problems, 'password'),
  })
}

function notifyField(localized: LocalizedDashboard, { values, mails }: SecretFormInput): Html {
  const { notify: label, notifyLabels } = localized.texts.secrets.fields
  return markup`${checkbox({ name: 'notify', label, isChecked: values.notify !== '' })}
    ${mails === 'without labels' && checkbox({ name: 'labels', label: notifyLabels, isChecked: values.labels !== '' })}
    ${notifyHint(localized, mails)}`
}

/** How its owner is told. */
export function notifyHint(localized: LocalizedDashboard, mails: MailsOfOwner | undefined): Html {
  const { notifyHow, notifyMarked } = localized.texts.secrets.fields
  return markup`<p class="hint">${mails === 'none' && markup`${notifyMarked} `}<a href="/settings/notifications" target="_blank" rel="noopener">${notifyHow}</a></p>`
}

function optional({ texts }: LocalizedDashboard, name: string): Html {
  return markup`${name} <span class="soft">${texts.secrets.fields.optional}</span>`
}

function faultOf(
  problems: SecretFormInput['problems'],
  name: SecretFieldName,
): ReturnType<ReturnType<typeof faults>> {
  return faults(problems, faultOrder)(name)
}

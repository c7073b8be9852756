import { answersAllowedMax, shownText, type FolderWithCounts } from '@sotto/core'
import {
  areaField,
  checkbox,
  choicesField,
  inputField,
  selectField,
  type Page,
  keptTyping,
  pageScript,
  requestFormScript,
  markup,
  type Html,
  choiceStyle,
  sendOnce,
  writingStyle,
} from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { ownerPage } from '../shared/layout.ts'
import { unsavedText } from '../shared/scripts.ts'
import { sealAnswersField } from './seal-answers.ts'
import type { Sealing } from '../sealed/sealing.ts'
import { notifyHint, type SecretFormInput } from '../secrets/secret-form.ts'

/** The fields of a new request, by the names that the form gives them, in the order of the page. */
export const requestFieldNames = [
  'text',
  'title',
  'name',
  'folder',
  'answers',
  'expires',
  'files',
  'notify',
  'seal',
  'key',
] as const

export type RequestFieldName = (typeof requestFieldNames)[number]

/** The names of the core's fields in the form. */
export const requestFormNames: Readonly<Record<string, RequestFieldName>> = {
  title: 'title',
  text: 'text',
  folderId: 'folder',
  answersAllowed: 'answers',
  lifetimeSeconds: 'expires',
  displayName: 'name',
  key: 'seal',
}

/** How long a request may stay open, in seconds: a day, a week, or 30 days. The texts are those of the lifetimes of secrets, but the first. */
export const requestLifetimes = [86_400, 604_800, 2_592_000] as const

export interface NewRequestPageInput extends Pick<SecretFormInput, 'mails'> {
  readonly folders: readonly FolderWithCounts[]
  /** Whether the installation takes files. */
  readonly takesFiles: boolean
  readonly sealing: Sealing
  readonly values: Readonly<Record<RequestFieldName, string>>
  readonly problems: FieldProblems<RequestFieldName>
}

const formParts = [unsavedText, sendOnce, keptTyping]
const formScript = pageScript(...formParts)
/** The part that encrypts comes before all others: what it sends later they must not take for sent. */
export const sealingRequestScript = pageScript(requestFormScript, ...formParts)

/** Where an owner asks for a text. */
export function newRequestPage(localized: LocalizedDashboard, input: NewRequestPageInput): Page {
  const { requests: texts } = localized.texts
  const main = markup`<div class="head"><h1>${texts.newRequest}</h1><p class="lead">${texts.lead}</p></div>
    <form method="post" action="/requests/new" novalidate data-unsaved>
      <div class="panel writing">${textPart(localized, input)}<div class="options">${optionsPart(localized, input)}</div></div>
      <div class="actions send"><button type="submit">${texts.create}</button><p class="status" role="status"></p></div>
    </form>`
  return ownerPage({
    localized,
    title: texts.newRequest,
    place: 'requests',
    main,
    script: input.sealing === 'off' ? formScript : sealingRequestScript,
    sends: true,
    sheets: [choiceStyle, writingStyle],
  })
}

function textPart(localized: LocalizedDashboard, { values, problems }: NewRequestPageInput): Html {
  const { requests: texts } = localized.texts
  const fault = faults(problems, requestFieldNames)
  return areaField({
    name: 'text',
    label: texts.text,
    hint: texts.textHint,
    value: values.text,
    rows: 6,
    ...(isFirst(problems) ? { hasFocus: true } : fault('text')),
  })
}

function optionsPart(
  localized: LocalizedDashboard,
  { folders, values, problems, mails, takesFiles, sealing }: NewRequestPageInput,
): Html {
  const { requests: texts, secrets } = localized.texts
  const { fields } = secrets
  const fault = faults(problems, requestFieldNames)
  const { yourName } = localized.texts.accounts
  return markup`${inputField({
    name: 'title',
    label: fields.label,
    hint: texts.titleHint,
    value: values.title,
    isRequired: true,
    ...fault('title'),
  })}
    ${inputField({
      name: 'name',
      label: yourName.field,
      hint: yourName.hint,
      value: values.name,
      autocomplete: 'name',
      isRequired: true,
      ...fault('name'),
    })}
    ${selectField({
      name: 'folder',
      label: fields.folder,
      choices: folders.map(({ id, label }) => ({ value: id, text: shownText(label) })),
      chosen: values.folder,
      ...fault('folder'),
    })}
    ${inputField({
      name: 'answers',
      label: texts.answers,
      type: 'number',
      value: values.answers,
      attributes: markup`min="1" max="${answersAllowedMax}"`,
      ...fault('answers'),
    })}
    ${choicesField({
      name: 'expires',
      label: texts.closes,
      choices: requestLifetimes.map((seconds, at) => ({
        value: String(seconds),
        text: fields.lifetimes[at + 1] ?? '',
      })),
      chosen: values.expires,
      ...fault('expires'),
    })}
    ${takesFiles && checkbox({ name: 'files', label: texts.takesFiles, isChecked: values.files !== '' })}
    ${sealing !== 'off' && sealAnswersField(localized, { sealing, values, fault: problems.seal })}
    ${checkbox({ name: 'notify', label: texts.notify, isChecked: values.notify !== '' })}
    ${notifyHint(localized, mails === 'none' ? undefined : mails)}`
}

function isFirst(problems: FieldProblems): boolean {
  return Object.keys(problems).length === 0
}

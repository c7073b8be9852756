import {
  banner,
  type Page,
  pageScript,
  fileListStyle,
  copyText,
  keptTyping,
  markup,
  peeking,
  sealFormScript,
  sendOnce,
  choiceStyle,
  attachStyle,
  writingStyle,
} from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { ownerPage, type OwnerLayoutParts } from '../shared/layout.ts'
import { fileChoice, formSending, sizeWords } from '../files/file-scripts.ts'
import { buttonAction, formAttributes, sendingProgress, type FilesInput } from '../files/files-field.ts'
import { byteCounter, passwordGenerator, sendShortcut, unsavedText } from '../shared/scripts.ts'
import {
  filesPart,
  isSealable,
  linkPasswordField,
  noteField,
  optionFields,
  sealPart,
  type SecretFormInput,
} from './secret-form.ts'
import { draftRefusal } from '../sealed/seal-field.ts'

const formParts = [
  copyText,
  passwordGenerator,
  byteCounter,
  unsavedText,
  sendShortcut,
  sendOnce,
  peeking,
  keptTyping,
]
const filesParts = [...formParts, sizeWords, fileChoice, formSending]
/** The scripts that encrypt a new secret, with and without files. That part comes before all others: what it refuses they must not take for sent. */
export const sealingScript = pageScript(sealFormScript, ...formParts, sizeWords, formSending)
export const sealingFilesScript = pageScript(sealFormScript, ...filesParts)
const formScript = pageScript(...formParts)
const filesScript = pageScript(...filesParts)

/** What the pages with the form of a secret or draft need. */
export function formPageParts(
  files: FilesInput | undefined,
  seals = false,
): Pick<OwnerLayoutParts, 'script' | 'sheets' | 'sends'> {
  const takesFiles = files?.usage !== undefined
  const [sealing, plain] = takesFiles ? [sealingFilesScript, filesScript] : [sealingScript, formScript]
  const sheets = [choiceStyle, writingStyle, ...(files === undefined ? [] : [fileListStyle, attachStyle])]
  return { script: seals ? sealing : plain, sheets, sends: true }
}

/** The key that ends a line. It is not part of the markup, where bundlers would leave it as it is: the built files are ASCII. */
const enterKey = '\u21b5'

export interface NewSecretPageInput extends SecretFormInput {
  /** Why the form is shown in place of another page. */
  readonly alert?: string
}

/** Where a secret is written, and shared immediately or saved as a draft. */
export function newSecretPage(localized: LocalizedDashboard, input: NewSecretPageInput): Page {
  const { newSecret, fields } = localized.texts.secrets
  const { files } = input
  const seals = isSealable(input)
  const main = markup`<div class="head"><h1>${newSecret.heading}</h1></div>
    ${input.alert !== undefined && banner('error', input.alert)}
    <form method="post" action="/secrets/new"${formAttributes(files)} novalidate data-unsaved data-shortcut>
      <div class="panel writing">
        ${noteField(localized, input)}
        <div class="options">${optionFields(localized, input, linkPasswordField(localized, input, { hint: fields.passwordHint }))}${sealPart(localized, input)}</div>
        ${filesPart(localized, input)}
      </div>
      <div class="actions send">
        <button type="submit"${buttonAction(files, '/secrets/new', 'create')}>${newSecret.create}</button>
        <kbd hidden>Ctrl ${enterKey}</kbd>
        <p class="status" role="status"></p>${sendingProgress(localized, files, seals)}
        <button type="submit"${buttonAction(files, '/secrets/new', 'draft')} class="quiet" aria-describedby="draft-hint">${newSecret.saveDraft}</button>
      </div>
      <p class="hint" id="draft-hint">${seals ? markup`<span data-when="plain">${newSecret.draftHint}</span>${draftRefusal(localized)}` : newSecret.draftHint}</p>
    </form>`
  const { heading: title } = newSecret
  return ownerPage({
    localized,
    title,
    place: 'newSecret',
    only: 'form',
    main,
    ...formPageParts(files, seals),
  })
}

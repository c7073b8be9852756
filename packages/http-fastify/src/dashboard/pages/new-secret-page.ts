import { banner } from '../../design/app-elements.ts'
import type { Page } from '../../design/document.ts'
import { pageScript } from '../../design/embedded.ts'
import { markup } from '../../design/html.ts'
import { sendOnce } from '../../design/script.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { refusal } from './fields.ts'
import { ownerPage } from './layout.ts'
import { byteCounter, passwordGenerator, unsavedText } from './scripts.ts'
import {
  expiresField,
  folderField,
  labelField,
  linkPasswordField,
  noteField,
  notifyField,
  opensField,
  type SecretFormInput,
} from './secret-form.ts'

/** What the pages with the form of a secret or draft need. */
export const secretFormScript = pageScript(unsavedText, byteCounter, passwordGenerator, sendOnce)

export interface NewSecretPageInput extends SecretFormInput {
  /** Why the form is shown in place of another page. */
  readonly alert?: string
}

/** Where a secret is written, and shared immediately or saved as a draft. */
export function newSecretPage(localized: LocalizedDashboard, input: NewSecretPageInput): Page {
  const { newSecret, fields } = localized.texts.secrets
  const main = markup`<div class="head"><h1>${newSecret.heading}</h1><p class="lead">${newSecret.lead}</p></div>
    ${input.alert !== undefined && banner('error', input.alert)}
    ${refusal(localized, input.problems)}
    <form class="panel" method="post" action="/secrets/new" data-unsaved>
      ${labelField(localized, input)}
      ${noteField(localized, input)}
      <div class="columns">${folderField(localized, input)}${expiresField(localized, input)}${opensField(localized, input)}${linkPasswordField(localized, input, { hint: fields.passwordHint })}</div>
      ${notifyField(localized, input)}
      <div class="actions">
        <button type="submit" name="action" value="create">${newSecret.create}</button>
        <button type="submit" name="action" value="draft" class="secondary" aria-describedby="draft-hint">${newSecret.saveDraft}</button>
      </div>
      <p class="hint" id="draft-hint">${newSecret.draftHint}</p>
    </form>`
  const { heading: title } = newSecret
  return ownerPage({ localized, title, place: 'newSecret', main, script: secretFormScript })
}

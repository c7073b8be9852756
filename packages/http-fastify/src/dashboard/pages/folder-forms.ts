import { inputField } from '../../design/app-elements.ts'
import { markup, type Html } from '../../design/html.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'

/** What was typed, and what is wrong with it. */
export interface NewFolderInput {
  readonly label: string
  readonly problem: string
}

/** Makes a folder. @param isFirst whether there is nothing else to do yet */
export function newFolderForm(
  localized: LocalizedDashboard,
  input: NewFolderInput | undefined,
  isFirst: boolean,
): Html {
  const { fields, folder } = localized.texts.secrets
  return markup`<form class="panel new-folder" method="post" action="/folders">
    ${inputField({
      name: 'label',
      label: fields.label,
      value: input?.label,
      hint: folder.newHint,
      error: input?.problem,
      hasFocus: input !== undefined,
      isRequired: true,
    })}
    <button type="submit"${!isFirst && markup` class="secondary"`}>${folder.newFolder}</button>
  </form>`
}

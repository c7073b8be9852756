import type { FolderWithCounts } from '@sotto/core'
import { inputField, isolated, filledText, markup, type Html, type Plural } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { RefusedLabel } from './folder-rail.ts'

/**
 * What stands above the list of a folder: its drafts, and the forms that rename and delete it. @param rename a label that could not be set
 */
export function folderHead(
  localized: LocalizedDashboard,
  folder: FolderWithCounts,
  rename: RefusedLabel | undefined,
): Html {
  const { id, label, draftsCount } = folder
  const { folders: texts } = localized.texts
  const { fields } = localized.texts.secrets
  return markup`<div class="head part"><h2>${isolated(label)}</h2>
    ${draftsCount > 0 && markup`<a href="/drafts?folder=${id}">${draftsIn(localized, draftsCount)}</a>`}
    <details${rename && markup` open`}><summary>${texts.manage}</summary><div class="panel">
    <form method="post" action="/folders/${id}">
    ${inputField({
      name: 'label',
      id: `label-${id}`,
      label: fields.folder,
      hint: texts.labelHint,
      value: rename?.label ?? label,
      error: rename?.problem,
      hasFocus: rename !== undefined,
      isRequired: true,
    })}
    <button type="submit" class="secondary">${texts.rename}</button>
    </form>
    <form method="get" action="/folders/${id}/delete"><button type="submit" class="danger">${texts.delete}</button></form>
    </div></details></div>`
}

/** What is deleted with a folder, such as “3 secrets and 1 draft”; empty when it holds nothing. */
export function contentsOf(localized: LocalizedDashboard, contents: FolderContents): string {
  const { folders, requests } = localized.texts
  const { secretsCount, draftsCount, requestsCount } = contents
  return localized.list([
    ...(secretsCount > 0 ? [countedText(localized, folders.secrets, secretsCount)] : []),
    ...(draftsCount > 0 ? [draftsIn(localized, draftsCount)] : []),
    ...(requestsCount > 0 ? [countedText(localized, requests.inFolder, requestsCount)] : []),
  ])
}

/** How much a folder holds. Only requests that can still be answered count. */
export type FolderContents = Pick<FolderWithCounts, 'secretsCount' | 'draftsCount'> & {
  readonly requestsCount: number
}

function draftsIn(localized: LocalizedDashboard, count: number): string {
  return countedText(localized, localized.texts.folders.drafts, count)
}

function countedText(localized: LocalizedDashboard, wordings: Plural<string>, count: number): string {
  const { wording, number } = localized.counted(wordings, count)
  return filledText(wording, { count: number })
}

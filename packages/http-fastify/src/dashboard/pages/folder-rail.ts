import type { FolderWithCounts } from '@sotto/core'
import { inputField, partNavigation } from '../../design/app-elements.ts'
import { markup, type Html } from '../../design/html.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'

/** What was typed, and what is wrong with it. */
export interface RefusedLabel {
  readonly label: string
  readonly problem: string
}

export interface RailInput {
  readonly folders: readonly FolderWithCounts[]
  /** The folder whose secrets are shown; all folders without it. */
  readonly folder: FolderWithCounts | undefined
  /** A new folder that could not be made. */
  readonly newFolder?: RefusedLabel | undefined
}

/** A list beside the folders. */
export function besideFolders(localized: LocalizedDashboard, input: RailInput, list: Html): Html {
  return markup`<div class="split">${folderLinks(localized, input)}<div>${list}</div>${newFolderForm(localized, input)}</div>`
}

function folderLinks(localized: LocalizedDashboard, { folders, folder }: RailInput): Html {
  const { dashboard } = localized.texts.secrets
  return partNavigation('folders', dashboard.folders, [
    { path: '/dashboard', text: dashboard.allFolders, isCurrent: folder === undefined },
    ...folders.map((each) => ({
      path: `/dashboard?folder=${each.id}`,
      text: markup`<bdi>${each.label}</bdi> <small>${localized.number(each.secretsCount)}</small>`,
      isCurrent: each.id === folder?.id,
    })),
  ])
}

/** Makes a folder. */
export function newFolderForm(
  localized: LocalizedDashboard,
  { folders, newFolder }: Pick<RailInput, 'folders' | 'newFolder'>,
): Html {
  const { fields, folder } = localized.texts.secrets
  return markup`<form class="panel new-folder" method="post" action="/folders">
    ${inputField({
      name: 'label',
      label: fields.label,
      value: newFolder?.label,
      hint: folder.newHint,
      error: newFolder?.problem,
      hasFocus: newFolder !== undefined,
      isRequired: true,
    })}
    <button type="submit"${folders.length > 0 && markup` class="secondary"`}>${folder.newFolder}</button>
  </form>`
}

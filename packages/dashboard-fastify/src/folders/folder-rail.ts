import type { FolderWithCounts } from '@sotto/core'
import { inputField, partNavigation, isolated, markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'

/** What was typed, and what is wrong with it. */
export interface RefusedLabel {
  readonly label: string
  readonly problem: string
}

export interface RailInput {
  readonly folders: readonly FolderWithCounts[]
  /** The totals of all folders. */
  readonly total: Readonly<Record<'all' | 'drafts' | 'news', number>>
  /** The folder whose secrets or drafts are shown; all folders without it. */
  readonly folder: FolderWithCounts | undefined
  /** Whether drafts are shown beside the rail, instead of secrets. */
  readonly showsDrafts?: boolean
  /** A new folder that could not be made. */
  readonly newFolder?: RefusedLabel | undefined
}

/**
 * A list beside the rail of folders. On narrow screens the rail is hidden until its switch is open: the sheet looks at the switch, because
 * what a closed disclosure contains cannot be shown on wide ones.
 */
export function besideFolders(localized: LocalizedDashboard, input: RailInput, list: Html): Html {
  const { dashboard } = localized.texts.folders
  const { folders: texts } = localized.texts
  const entries = railEntries(localized, input)
  const isRefused = input.newFolder !== undefined
  return markup`<div class="split"><div class="rail">
    <details class="switch"${isRefused && markup` open`}><summary><small>${dashboard.folders}</small> ${entries.find(({ isCurrent }) => isCurrent)?.name}</summary></details>
    ${partNavigation('tabs folders', dashboard.folders, entries)}
    <details${isRefused && markup` open`}><summary>+ <h2>${texts.newFolder}</h2></summary>${newFolderForm(localized, input, texts.create)}</details>
  </div><div>${list}</div></div>`
}

function railEntries(
  localized: LocalizedDashboard,
  { folders, total, folder, showsDrafts = false }: RailInput,
) {
  const { folders: texts, drafts } = localized.texts
  const entry = (path: string, name: Html, count: number, isCurrent: boolean) => ({
    path,
    name,
    text: markup`${name} <small>${localized.number(count)}</small>`,
    isCurrent,
  })
  return [
    entry(
      '/dashboard',
      markup`${texts.dashboard.allFolders}`,
      total.all,
      !showsDrafts && folder === undefined,
    ),
    entry('/drafts', markup`${drafts.list.heading}`, total.drafts, showsDrafts && folder === undefined),
    ...folders.map(({ id, label, secretsCount }) =>
      entry(`/dashboard?folder=${id}`, isolated(label), secretsCount, id === folder?.id),
    ),
  ]
}

/** Makes a folder. @param inside the text of its button below a heading that says what it is for */
export function newFolderForm(
  localized: LocalizedDashboard,
  { newFolder }: Pick<RailInput, 'newFolder'>,
  inside?: string,
): Html {
  const { fields } = localized.texts.secrets
  const { folders: texts } = localized.texts
  return markup`<form class="panel" method="post" action="/folders">
    ${inputField({
      name: 'label',
      label: fields.label,
      value: newFolder?.label,
      hint: texts.labelHint,
      error: newFolder?.problem,
      hasFocus: newFolder !== undefined,
      isRequired: true,
    })}
    <button type="submit"${inside && markup` class="secondary"`}>${inside ?? texts.newFolder}</button>
  </form>`
}

import type { FolderWithCounts } from '@sotto/core'
import {
  type Page,
  isolated,
  filledText,
  markup,
  type Html,
  listStyle,
  signOf,
  signShapes,
} from '@sotto/html'
import { boxName, selectionPath } from '../shared/selection.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { questionPage } from '../shared/question-page.ts'
import type { ListedRow } from './secret-rows.ts'
import { statusSign, statusText } from '../secrets/secret-status.ts'

export interface SelectedInput {
  readonly rows: readonly ListedRow[]
  readonly nowMicros: number
  /** The list to go back to, and its query. */
  readonly back: string
  readonly query: string
}

/** Asks before what was ticked is deleted. It is still ticked here. */
export function selectedPage(
  localized: LocalizedDashboard,
  { rows, nowMicros, back, query }: SelectedInput,
): Page {
  const { several } = localized.texts.folders
  const { secret } = localized.texts.secrets
  const { drafts: draft } = localized.texts
  const row = (match: ListedRow): Html => {
    const { kind, item } = match
    const [sign, state] =
      kind === 'secret'
        ? [statusSign(item), statusText(localized, item, nowMicros)]
        : [signOf('draft'), draft.title]
    return markup`<li><label><input type="checkbox" name="${boxName({ kind, id: item.id })}" checked>${sign}${isolated(item.label)}</label><small>${state}</small></li>`
  }
  return questionPage(localized, {
    place: 'secrets',
    heading: several.heading,
    lead: several.lead,
    fields: markup`${signShapes}<input type="hidden" name="action" value="delete"><ul class="items secrets">${rows.map(row)}</ul>`,
    action: `${selectionPath}${query}`,
    button: secret.destroy,
    sheets: [listStyle],
    back,
  })
}

export interface FinishedInput {
  /** The folder whose finished secrets are removed; all folders without it. */
  readonly folder: Pick<FolderWithCounts, 'label'> | undefined
  readonly count: number
  readonly action: string
  readonly back: string
}

/** Asks before all finished secrets are removed. */
export function finishedPage(
  localized: LocalizedDashboard,
  { folder, count, action, back }: FinishedInput,
): Page {
  const { finishedHeading: heading, finishedLead, remove: button } = localized.texts.folders.several
  const { wording, number } = localized.counted(finishedLead, count)
  const lead = filledText(wording, { count: number })
  return questionPage(localized, {
    place: 'secrets',
    heading,
    label: folder?.label,
    lead,
    action,
    button,
    back,
  })
}

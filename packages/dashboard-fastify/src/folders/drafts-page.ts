import { listQuery } from './chosen-list.ts'
import {
  banner,
  emptyState,
  type Page,
  pageScript,
  isolated,
  markup,
  type Html,
  railStyle,
  localTimes,
  sendOnce,
} from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { clearedBanner, doneBanner, type Done } from '../shared/done.ts'
import { besideFolders, type RailInput } from './folder-rail.ts'
import { ownerPage } from '../shared/layout.ts'
import { rowSheets, secretRows, type ListedDraft, type ListedRow } from './secret-rows.ts'

export interface DraftsPageInput extends RailInput {
  readonly drafts: readonly ListedDraft[]
  readonly nowMicros: number
  /** The path of the next page; `undefined` on the last one. */
  readonly more: string | undefined
  readonly hasCorruption: boolean
  readonly done: Done | undefined
  /** The query of the page's address: it may say how many were deleted. */
  readonly query: Readonly<Record<string, string | undefined>>
}

const script = pageScript(localTimes, sendOnce)

/** The drafts in all folders or in one, oldest first. */
export function draftsPage(localized: LocalizedDashboard, input: DraftsPageInput): Page {
  const { heading } = localized.texts.drafts.list
  const rows = input.drafts.map((item): ListedRow => ({ kind: 'draft', item }))
  const main = markup`<div class="head"><h1>${heading}</h1></div>
    ${doneBanner(localized, input.done)}${clearedBanner(localized, input.query)}
    ${besideFolders(localized, { ...input, showsDrafts: true }, draftList(localized, input, rows))}`
  return ownerPage({
    localized,
    title: heading,
    place: 'secrets',
    folderId: input.folder?.id,
    main,
    script,
    sheets: [railStyle, ...rowSheets(rows)],
  })
}

function draftList(localized: LocalizedDashboard, input: DraftsPageInput, rows: readonly ListedRow[]): Html {
  const { list: texts } = localized.texts.drafts
  const { dashboard } = localized.texts.folders
  const { folder, folders, more, hasCorruption, nowMicros } = input
  const shown = {
    folders: folder === undefined ? folders : [],
    nowMicros,
    query: listQuery({ folder, ofDrafts: true }),
  }
  return markup`${folder && markup`<h2>${isolated(folder.label)}</h2>`}
    ${hasCorruption && banner('error', dashboard.corrupted)}
    ${rows.length === 0 ? emptyState(texts.none) : secretRows(localized, rows, shown)}
    ${more !== undefined && markup`<nav class="pages" aria-label="${texts.heading}"><a class="button secondary" rel="next" href="${more}">${texts.more}</a></nav>`}`
}

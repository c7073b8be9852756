import { listQuery } from './chosen-list.ts'
import type { Draft } from '@sotto/core'
import {
  banner,
  emptyState,
  type Page,
  pageScript,
  isolated,
  markup,
  type Html,
  listStyle,
  railStyle,
  localTimes,
  sendOnce,
} from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { clearedBanner, doneBanner, type Done } from '../shared/done.ts'
import { besideFolders, type RailInput } from './folder-rail.ts'
import { ownerPage } from '../shared/layout.ts'
import { secretRows, type FilesCount } from './secret-rows.ts'

export interface DraftsPageInput extends RailInput {
  readonly drafts: readonly (Draft & FilesCount)[]
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
  const main = markup`<div class="head"><h1>${heading}</h1></div>
    ${doneBanner(localized, input.done)}${clearedBanner(localized, input.query)}
    ${besideFolders(localized, { ...input, showsDrafts: true }, draftList(localized, input))}`
  return ownerPage({
    localized,
    title: heading,
    place: 'secrets',
    folderId: input.folder?.id,
    main,
    script,
    sheets: [railStyle, listStyle],
  })
}

function draftList(localized: LocalizedDashboard, input: DraftsPageInput): Html {
  const { list: texts } = localized.texts.drafts
  const { dashboard } = localized.texts.folders
  const { drafts, folder, folders, more, hasCorruption, nowMicros } = input
  const rows = {
    folders: folder === undefined ? folders : [],
    nowMicros,
    query: listQuery({ folder, ofDrafts: true }),
  }
  return markup`${folder && markup`<h2>${isolated(folder.label)}</h2>`}
    ${hasCorruption && banner('error', dashboard.corrupted)}
    ${
      drafts.length === 0
        ? emptyState(texts.none)
        : secretRows(
            localized,
            drafts.map((item) => ({ kind: 'draft', item })),
            rows,
          )
    }
    ${more !== undefined && markup`<nav class="pages" aria-label="${texts.heading}"><a class="button secondary" rel="next" href="${more}">${texts.more}</a></nav>`}`
}

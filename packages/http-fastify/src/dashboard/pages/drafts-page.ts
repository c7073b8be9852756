import type { Draft } from '@sotto/core'
import { banner, emptyState } from '../../design/app-elements.ts'
import type { Page } from '../../design/document.ts'
import { spanElement } from '../../design/elements.ts'
import { pageScript } from '../../design/embedded.ts'
import { markup, type Html } from '../../design/html.ts'
import { railStyle } from '../../design/part-styles.ts'
import { localTimes, sendOnce } from '../../design/script.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { besideFolders, type RailInput } from './folder-rail.ts'
import { ownerPage } from './layout.ts'

export interface DraftsPageInput extends RailInput {
  readonly drafts: readonly Draft[]
  readonly nowMicros: number
  /** The path of the next page; `undefined` on the last one. */
  readonly more: string | undefined
  readonly hasCorruption: boolean
}

const script = pageScript(localTimes, sendOnce)

/** The drafts in all folders or in one, oldest first. */
export function draftsPage(localized: LocalizedDashboard, input: DraftsPageInput): Page {
  const { heading } = localized.texts.secrets.drafts
  const main = markup`<div class="head"><h1>${heading}</h1></div>
    ${besideFolders(localized, { ...input, showsDrafts: true }, draftList(localized, input))}`
  return ownerPage({
    localized,
    title: heading,
    place: 'secrets',
    folderId: input.folder?.id,
    main,
    script,
    sheets: [railStyle],
  })
}

function draftList(localized: LocalizedDashboard, input: DraftsPageInput): Html {
  const { drafts: texts, dashboard } = localized.texts.secrets
  const { drafts, folder, folders, more, hasCorruption } = input
  const labels = new Map(folder === undefined ? folders.map(({ id, label }) => [id, label]) : [])
  return markup`${folder && markup`<h2><bdi>${folder.label}</bdi></h2>`}
    ${hasCorruption && banner('error', dashboard.corrupted)}
    ${
      drafts.length === 0
        ? emptyState(texts.none)
        : markup`<ul class="items">${drafts.map((draft) => draftRow(localized, input, draft, labels.get(draft.folderId)))}</ul>`
    }
    ${more !== undefined && markup`<nav class="pages" aria-label="${texts.heading}"><a class="button secondary" rel="next" href="${more}">${texts.more}</a></nav>`}`
}

function draftRow(
  localized: LocalizedDashboard,
  { nowMicros }: DraftsPageInput,
  draft: Draft,
  folderLabel: string | undefined,
): Html {
  return markup`<li><div><a href="/drafts/${draft.id}"><bdi>${draft.label}</bdi></a>
    <p>${folderLabel !== undefined && markup`<bdi>${folderLabel}</bdi> &middot; `}${
      draft.hasPassword && `${localized.texts.secrets.status.password} · `
    }${spanElement(localized, draft.createdAtMicros, nowMicros)}</p></div></li>`
}

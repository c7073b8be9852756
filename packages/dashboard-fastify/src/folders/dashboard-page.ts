import { secretStatuses, type SecretOverview, type SecretStatus } from '@sotto/core'
import {
  banner,
  emptyState,
  partNavigation,
  type Page,
  pageScript,
  filledText,
  markup,
  type Html,
  railStyle,
  localTimes,
  sendOnce,
  shownTab,
} from '@sotto/html'
import { listPath, listQuery } from './chosen-list.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { clearedBanner, doneBanner, type Done } from '../shared/done.ts'
import { folderHead } from './folder-head.ts'
import { besideFolders, newFolderForm, type RailInput, type RefusedLabel } from './folder-rail.ts'
import { ownerPage } from '../shared/layout.ts'
import { linkCopying } from '../shared/scripts.ts'
import { newsText } from '../secrets/secret-status.ts'
import { searchForm } from './search-page.ts'
import { rowSheets, secretRows, type ListedRow, type RowsInput } from './secret-rows.ts'

export interface DashboardInput extends RailInput {
  readonly secrets: readonly SecretOverview[]
  /** The status whose secrets are shown; every one without it. */
  readonly status: SecretStatus | undefined
  /** The number of secrets of each status, in the folder or in all. */
  readonly counts: Readonly<Record<'all' | SecretStatus, number>>
  readonly nowMicros: number
  /** Where links begin, without a slash at its end. */
  readonly linkOrigin: string
  /** The path of the next page; `undefined` on the last one. */
  readonly older: string | undefined
  /** Whether this is not the first page. */
  readonly isContinued: boolean
  readonly hasCorruption: boolean
  readonly done: Done | undefined
  /** A label that the folder could not get. */
  readonly rename?: RefusedLabel | undefined
  /** The query of the page's address: it may say how many were cleared. */
  readonly query: Readonly<Record<string, string | undefined>>
}

const script = pageScript(localTimes, sendOnce, linkCopying, shownTab)

/** The owner's folders, and the secrets in all or one of them, newest first. */
export function dashboardPage(localized: LocalizedDashboard, input: DashboardInput): Page {
  const { heading, noFolders } = localized.texts.folders.dashboard
  const { folders, folder, done } = input
  const rows = input.secrets.map((item): ListedRow => ({ kind: 'secret', item }))
  const news = newsText(localized, input.total)
  const main = markup`<div class="head"><h1>${heading}</h1></div>
    ${doneBanner(localized, done)}${clearedBanner(localized, input.query)}
    ${
      folders.length === 0
        ? emptyState({ ...noFolders, action: newFolderForm(localized, input) })
        : besideFolders(localized, input, listing(localized, input, rows))
    }`
  return ownerPage({
    localized,
    title: news === undefined ? heading : `(${news}) ${heading}`,
    place: 'secrets',
    folderId: folder?.id,
    main,
    script,
    sheets: [railStyle, ...rowSheets(rows)],
    only: folder === undefined && input.secrets.length > 0 ? 'list' : undefined,
  })
}

function listing(localized: LocalizedDashboard, input: DashboardInput, rows: readonly ListedRow[]): Html {
  const { dashboard } = localized.texts.folders
  const { hasCorruption, folder } = input
  return markup`${folder && folderHead(localized, folder, input.rename)}
    ${hasCorruption && banner('error', dashboard.corrupted)}
    <div class="tools">${searchForm(localized, { words: '' })}${input.counts.all > 0 && statusTabs(localized, input)}${input.status === 'finished' && input.counts.finished > 0 && removal(localized, input)}</div>
    ${rows.length === 0 ? noSecrets(localized, input) : secretRows(localized, rows, rowsOf(input))}
    ${otherPages(localized, input)}`
}

function statusTabs(localized: LocalizedDashboard, { counts, status, folder }: DashboardInput): Html {
  const { show, statuses } = localized.texts.folders.dashboard
  return partNavigation(
    'tabs',
    show,
    (['all', ...secretStatuses] as const).map((each) => ({
      path: listPath({ folder, status: each === 'all' ? undefined : each }),
      text: markup`${statuses[each]} <small>${localized.number(counts[each])}</small>`,
      isCurrent: each === (status ?? 'all'),
    })),
  )
}

function noSecrets(localized: LocalizedDashboard, { folder, counts }: DashboardInput): Html {
  const { noSecrets: none, noneOfStatus } = localized.texts.folders.dashboard
  if (counts.all > 0) return emptyState(noneOfStatus)
  const { heading, lead, action } = none
  const path = folder === undefined ? '/secrets/new' : `/secrets/new?folder=${folder.id}`
  return emptyState({
    heading,
    lead,
    action: markup`<p><a class="button secondary" href="${path}">${action}</a></p>`,
  })
}

function otherPages(localized: LocalizedDashboard, input: DashboardInput): Html | undefined {
  const { older, isContinued } = input
  if (older === undefined && !isContinued) return undefined
  const { dashboard } = localized.texts.folders
  return markup`<nav class="pages" aria-label="${dashboard.heading}">
    ${isContinued && markup`<a class="button secondary" href="${listPath(input)}">${dashboard.newest}</a>`}
    ${older !== undefined && markup`<a class="button secondary" rel="next" href="${older}">${dashboard.older}</a>`}
  </nav>`
}

/** Rows of one folder need not say which. */
function rowsOf(input: DashboardInput): RowsInput {
  const { folders, folder, nowMicros, linkOrigin } = input
  return { folders: folder === undefined ? folders : [], nowMicros, linkOrigin, query: listQuery(input) }
}

/** Leads to the question whether all finished secrets are to be removed. */
function removal(localized: LocalizedDashboard, { folder, counts }: DashboardInput): Html {
  const { removeFinished } = localized.texts.folders.several
  const text = filledText(removeFinished, { count: localized.number(counts.finished) })
  return markup`<form method="get" action="/secrets/finished">${folder !== undefined && markup`<input type="hidden" name="folder" value="${folder.id}">`}<button class="secondary">${text}</button></form>`
}

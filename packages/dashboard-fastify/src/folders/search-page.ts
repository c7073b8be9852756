import {
  banner,
  emptyState,
  type Page,
  pageScript,
  filledText,
  markup,
  type Html,
  type Plural,
  localTimes,
  sendOnce,
} from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { crumbs, ownerPage } from '../shared/layout.ts'
import { linkCopying } from '../shared/scripts.ts'
import { rowSheets, secretRows, type ListedRow, type RowsInput } from './secret-rows.ts'

export interface SearchInput {
  /** What was typed. */
  readonly words: string
  /** What is wrong with it. */
  readonly problem?: string | undefined
  /** Whether another search was under way, so that nothing was searched. False by default. */
  readonly isBusy?: boolean
  readonly found?: Found
}

export interface Found extends Omit<RowsInput, 'query'> {
  readonly rows: readonly ListedRow[]
  /** How many titles were looked at. */
  readonly searched: number
  /** Where the search goes on; `undefined` when all titles were looked at. */
  readonly next: string | undefined
  readonly hasCorruption: boolean
}

const script = pageScript(localTimes, sendOnce, linkCopying)

/** The search, and what it found. */
export function searchPage(localized: LocalizedDashboard, input: SearchInput): Page {
  const { heading, busy } = localized.texts.folders.search
  const { words, isBusy = false, found } = input
  const main = markup`<div class="head">${crumbs(localized)}<h1>${heading}</h1></div>
    ${isBusy && banner('error', busy)}
    ${searchForm(localized, input)}
    ${found !== undefined && foundPart(localized, words, found)}`
  const sheets = rowSheets(found?.rows ?? [])
  return ownerPage({ localized, title: heading, place: 'secrets', main, script, sheets })
}

/** The box for words. They are sent in the body of a form: addresses are kept in histories and logs. */
export function searchForm(
  localized: LocalizedDashboard,
  { words, problem }: Pick<SearchInput, 'words' | 'problem'>,
): Html {
  const { field, submit } = localized.texts.folders.search
  const fault = markup` aria-invalid="true" aria-describedby="words-error" autofocus`
  return markup`<form class="search" method="post" action="/search" role="search" novalidate>
    <span class="heard"><label for="words">${field}</label></span>
    <input type="search" id="words" name="words" value="${words}" placeholder="${field}" dir="auto" autocomplete="off"${problem !== undefined && fault}>
    <button class="secondary">${submit}</button>
    ${problem !== undefined && markup`<p class="error" id="words-error">${problem}</p>`}
  </form>`
}

function foundPart(localized: LocalizedDashboard, words: string, found: Found): Html {
  const { dashboard, search } = localized.texts.folders
  const { rows, searched, next, hasCorruption } = found
  const say = (wordings: Plural<string>, count: number): string => {
    const { wording, number } = localized.counted(wordings, count)
    return filledText(wording, { count: number })
  }
  return markup`${hasCorruption && banner('error', dashboard.corrupted)}
    ${(rows.length > 0 || next !== undefined) && markup`<p class="soft">${say(search.found, rows.length)}${next !== undefined && ` · ${say(search.stopped, searched)}`}</p>`}
    ${rows.length > 0 && secretRows(localized, rows, { ...found, query: '' })}
    ${rows.length === 0 && next === undefined && emptyState(search.nothing)}
    ${
      next !== undefined &&
      markup`<form class="actions" method="post" action="/search"><input type="hidden" name="words" value="${words}"><input type="hidden" name="after" value="${next}"><button class="secondary">${search.more}</button></form>`
    }`
}

import type { ErrorOf } from '@sotto/core'
import { logCorruption, type FormFields, createTurns, type ListTurns } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { show, type Answer } from '../shared/answers.ts'
import { parseSearchCursor, searchCursorText } from '../shared/cursor-text.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { fieldProblems } from '../shared/fields.ts'
import { searchPage } from './search-page.ts'
import type { Router } from '../shared/router.ts'
import type { OwnerVisit } from '../shared/visit.ts'
import { allFolders } from '../shared/lists.ts'

export interface SearchRoutesOptions {
  readonly router: Router
  readonly sotto: Pick<DashboardUseCases, 'listFolders' | 'searchSecrets'>
  /** The bare origin of links. */
  readonly linkBaseUrl: string
}

/** `/search`. All searches together look at one slice of titles in a few turns of the event loop. */
export function addSearchRoutes(options: SearchRoutesOptions): void {
  const turns = createTurns(() => false)
  options.router.owner('/search', {
    get: ({ localized }) => Promise.resolve(show(searchPage(localized, { words: '' }))),
    post: (visit, fields) => search(options, turns, visit, fields),
  })
}

async function search(
  { sotto, linkBaseUrl }: SearchRoutesOptions,
  { turn }: Pick<ListTurns, 'turn'>,
  visit: OwnerVisit,
  fields: FormFields,
): Promise<Answer> {
  const { accountId, localized, nowMicros, request } = visit
  const form = formOf(fields, ['words', 'after'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { words } = form.value
  const after = parseSearchCursor(form.value.after)
  const searched = await sotto.searchSecrets({ accountId, words, after, turn: () => turn(accountId) })
  if (searched.isErr()) return refused(visit, words, searched.error)
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  const { items: rows, corrupted, next, searched: count } = searched.value
  logCorruption(request.log, corrupted)
  const found = {
    rows,
    searched: count,
    next: next && searchCursorText(next),
    hasCorruption: corrupted.length > 0,
    folders: folders.value.items,
    nowMicros,
    linkOrigin: linkBaseUrl,
  }
  return show(searchPage(localized, { words, found }))
}

function refused(
  visit: OwnerVisit,
  words: string,
  error: ErrorOf<DashboardUseCases['searchSecrets']>,
): Answer {
  const { localized } = visit
  switch (error.code) {
    case 'fields_invalid': {
      const { words: problem } = fieldProblems(localized, error.errors, { words: 'words' })
      return show(searchPage(localized, { words, problem }), 400)
    }
    case 'search_under_way':
      return show(searchPage(localized, { words, isBusy: true }), 429, {
        'retry-after': String(error.retryAfterSeconds),
      })
    default:
      return errorAnswer(visit, error)
  }
}

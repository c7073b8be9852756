import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { uuidToFind } from '../shared/uuid.ts'
import type { SearchUnderWay } from '../secrets/errors.ts'
import type { DataCorrupted, DecryptError, KeyUnknown, StorageError } from '../shared/errors.ts'
import type { Cursor } from '../shared/cursor.ts'
import type { StoredSecret, StoredShareableSecret } from '../secrets/secret-store.ts'
import { comparedTextError, invalid } from '../shared/fields.ts'
import { aFunction, aNumber, anObjectOf, aString, oneOf, type Guard, type InputOf } from '../shared/inputs.ts'
import { account, inFolder } from '../shared/shapes.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import { containsWords, searchedMax, searchWords } from './searching.ts'
import { aStatus } from '../secrets/secret-status.ts'
import { listPageSize } from '../shared/pages.ts'
import { type ListedDraft, showListedDraft } from '../drafts/show-draft.ts'
import { positionOf, showSecret } from '../secrets/show-secret.ts'
import { type SecretOverview, overviewOf } from '../secrets/secret-overviews.ts'

/** How many matches a page has unless the caller says otherwise. */
const matchesMax = 40

/** A position in a search: all secrets come before all drafts. */
export interface SearchCursor extends Cursor {
  readonly of: 'secrets' | 'drafts'
}

/** A secret or draft whose title has all the words. */
export type SearchMatch =
  | { readonly kind: 'secret'; readonly item: SecretOverview }
  | { readonly kind: 'draft'; readonly item: ListedDraft }

/** What a search found. */
export interface SearchPage {
  readonly items: readonly SearchMatch[]
  /** The rows that are corrupted: their titles could not be looked at. */
  readonly corrupted: readonly DataCorrupted[]
  /** How many titles this call looked at. */
  readonly searched: number
  /** Where the search may continue: the page is full, or {@link searchedMax} titles were looked at. Absent when all were. */
  readonly next?: SearchCursor
}

const needs = [
  'secrets.page',
  'secrets.activity',
  'drafts.page',
  'secretCipher.decryptHead',
  'clock.nowMicros',
  'searching.has',
  'searching.add',
  'searching.delete',
] as const

const takes = {
  ...account,
  /** 1 to 255 code points with at least one word. */
  words: aString,
}

const aSearchCursor: Guard<SearchCursor> = anObjectOf({
  of: oneOf('secrets', 'drafts'),
  createdAtMicros: aNumber,
  id: aString,
})

const mayTake = {
  ...inFolder,
  /** Only secrets of this status, and no drafts. */
  status: aStatus,
  /** Continues the search of the same words after this position. */
  after: aSearchCursor,
  /** How many matches a page has at most; 40 by default. */
  pageSize: aNumber,
  /** Awaited before each further slice of titles, so that other work has its turn. */
  turn: aFunction<() => PromiseLike<void>>,
}

type Deps = DepsOf<(typeof needs)[number]>
type Input = InputOf<typeof takes, typeof mayTake>

/**
 * Looks for words in the titles of an account's secrets, newest link first, and then of its drafts, oldest first. Titles are encrypted: all of
 * them are decrypted, a slice at a time. Neither case nor accents count. There is no index, and the words are stored nowhere.
 * @errors `fields_invalid`; `search_under_way` while another search of the account runs in this process
 */
export const searchSecrets = useCase({
  needs,
  takes,
  mayTake,
  async run(deps, input) {
    const words = searchWords(input.words)
    const broken = words.length === 0 ? ({ rule: 'empty' } as const) : comparedTextError(input.words)
    if (broken !== undefined) return invalid('words', broken)
    const { searching } = deps
    if (searching.has(input.accountId))
      return err<never, SearchUnderWay>({ code: 'search_under_way', retryAfterSeconds: 1 })
    searching.add(input.accountId)
    try {
      return await searchLists(deps, input, words)
    } finally {
      searching.delete(input.accountId)
    }
  },
})

/** A list whose titles are searched. */
interface SearchedList {
  readonly of: SearchCursor['of']
  readonly read: (
    after: Cursor | undefined,
    limit: number,
  ) => ResultAsync<readonly StoredSecret[], StorageError>
  /** A row whose title matches; `undefined` when it was erased in the meantime. */
  readonly show: (row: StoredSecret) => Promise<Result<SearchMatch | undefined, DecryptError | StorageError>>
}

function listsOf(
  { secrets, drafts, secretCipher, clock }: Deps,
  { accountId, folderId, status }: Input,
): readonly SearchedList[] {
  const nowMicros = clock.nowMicros()
  const filter = { accountId, folderId: folderId === undefined ? undefined : uuidToFind(folderId) }
  const inSecrets: SearchedList = {
    of: 'secrets',
    read: (after, limit) => secrets.page({ ...filter, nowMicros, status }, after, limit),
    async show(row) {
      const shown = showSecret(secretCipher, row as StoredShareableSecret)
      if (shown.isErr()) return err(shown.error)
      const activity = await secrets.activity(accountId, row.id)
      return activity.map(
        (of) => of && { kind: 'secret', item: overviewOf(shown.value, of, nowMicros, of.files?.length) },
      )
    },
  }
  const inDrafts: SearchedList = {
    of: 'drafts',
    read: (after, limit) => drafts.page(filter, after, limit),
    show: (row) =>
      Promise.resolve(
        showListedDraft(secretCipher, row).map((item): SearchMatch => ({ kind: 'draft', item })),
      ),
  }
  return status === undefined ? [inSecrets, inDrafts] : [inSecrets]
}

interface Search {
  readonly words: readonly string[]
  readonly pageSize: number
  readonly turn: Input['turn']
  readonly items: SearchMatch[]
  readonly corrupted: DataCorrupted[]
  searched: number
}

async function searchLists(
  deps: Deps,
  input: Input,
  words: readonly string[],
): Promise<Result<SearchPage, KeyUnknown | StorageError>> {
  const { after, pageSize = matchesMax, turn } = input
  const search: Search = { words, pageSize, turn, items: [], corrupted: [], searched: 0 }
  for (const list of listsOf(deps, input).slice(after?.of === 'drafts' ? 1 : 0)) {
    const next = await searchList(deps, list, after?.of === list.of ? after : undefined, search)
    if (next.isErr()) return err(next.error)
    const { items, corrupted, searched } = search
    if (next.value !== undefined)
      return ok({ items, corrupted, searched, next: { ...next.value, of: list.of } })
  }
  const { items, corrupted, searched } = search
  return ok({ items, corrupted, searched })
}

/** Ok with the position at which the search ended early; `undefined` at the end of the list. */
async function searchList(
  deps: Deps,
  list: SearchedList,
  start: Cursor | undefined,
  search: Search,
): Promise<Result<Cursor | undefined, KeyUnknown | StorageError>> {
  for (let after = start; ;) {
    if (search.searched > 0) await search.turn?.()
    const rows = await list.read(after, listPageSize)
    if (rows.isErr()) return err(rows.error)
    for (const row of rows.value) {
      const looking = lookAt(deps, list, row, search)
      const looked = looking && (await looking)
      if (looked?.isErr() === true) return err(looked.error)
      if (search.items.length >= search.pageSize || search.searched >= searchedMax) return ok(positionOf(row))
    }
    const last = rows.value.at(-1)
    if (last === undefined || rows.value.length < listPageSize) return ok(undefined)
    after = positionOf(last)
  }
}

/** Decrypts the title of a row, and all that is shown of it if it matches. `undefined` at once when it does not, as most do not. */
function lookAt(
  { secretCipher }: Deps,
  list: SearchedList,
  row: StoredSecret,
  search: Search,
): Promise<Result<void, KeyUnknown | StorageError>> | Result<void, KeyUnknown> | undefined {
  search.searched += 1
  const head = secretCipher.decryptHead(row)
  if (head.isOk()) return containsWords(head.value.label, search.words) ? add(list, row, search) : undefined
  if (head.error.code === 'key_unknown') return err(head.error)
  search.corrupted.push(head.error)
  return undefined
}

async function add(
  list: SearchedList,
  row: StoredSecret,
  { items, corrupted }: Search,
): Promise<Result<void, KeyUnknown | StorageError>> {
  const shown = await list.show(row)
  if (shown.isOk()) {
    if (shown.value !== undefined) items.push(shown.value)
  } else if (shown.error.code === 'data_damaged') corrupted.push(shown.error)
  else return err(shown.error)
  return ok()
}

import type { Draft, DraftWithNote, FolderWithCounts, SecretOverview } from '@sotto/core'
import {
  badgeStyle,
  isolated,
  listStyle,
  newsStyle,
  spanElement,
  filled,
  filledText,
  markup,
  type Embedded,
  type Html,
  signOf,
  signShapes,
} from '@sotto/html'
import { boxName, selectionPath } from '../shared/selection.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { newMark } from '../shared/looks.ts'
import { isOpenable, newsText, statusSign, statusText } from '../secrets/secret-status.ts'

/** A draft in a list, which may be an answer. */
export interface ListedDraft extends Draft, Pick<SecretOverview, 'filesCount'> {
  readonly answers?: DraftWithNote['answers']
}

/** A row of a list. */
export type ListedRow =
  | { readonly kind: 'secret'; readonly item: SecretOverview }
  | { readonly kind: 'draft'; readonly item: ListedDraft }

export interface RowsInput {
  /** The folders whose labels the rows show. */
  readonly folders: readonly Pick<FolderWithCounts, 'id' | 'label'>[]
  readonly nowMicros: number
  /** Where links begin, without a slash at its end; not needed for drafts. */
  readonly linkOrigin?: string | undefined
  /** The query of the list that is shown again after some were deleted, such as `?status=opened`; empty for the whole list. */
  readonly query: string
}

/** Secrets and drafts in a list, each with a box to tick, and the button that deletes those. The script of the page needs `linkCopying`. */
export function secretRows(
  localized: LocalizedDashboard,
  rows: readonly ListedRow[],
  input: RowsInput,
): Html {
  const { secret } = localized.texts.secrets
  const { several } = localized.texts.folders
  const { folders, linkOrigin, query } = input
  const labels = new Map(folders.map(({ id, label }) => [id, label]))
  const row = (match: ListedRow): Html => {
    const label = labels.get(match.item.folderId)
    return match.kind === 'secret'
      ? secretRow(localized, match.item, label, input)
      : draftRow(localized, match.item, label, input)
  }
  return markup`${signShapes}<form method="post" action="${selectionPath}${query}"><ul class="items secrets"${linkOrigin !== undefined && markup` data-links="${linkOrigin}/" data-name="${secret.copyLink}" data-done="${secret.copied}" data-failed="${secret.copyFailed}"`}>${rows.map(row)}</ul>
    <div class="actions"><button class="danger">${several.deleteSelected}</button></div></form>
`
}

/** The sheets that a page with these rows needs. */
export function rowSheets(rows: readonly ListedRow[]): readonly Embedded[] {
  const hasNews = rows.some(({ kind, item }) => kind === 'secret' && item.news > 0)
  const hasNew = rows.some(({ kind, item }) => kind === 'draft' && item.answers?.isNew === true)
  return [listStyle, ...(hasNews ? [newsStyle] : []), ...(hasNew ? [badgeStyle] : [])]
}

function secretRow(
  localized: LocalizedDashboard,
  secret: SecretOverview,
  folderLabel: string | undefined,
  { nowMicros }: RowsInput,
): Html {
  const news = newsText(localized, secret)
  return markup`<li${isOpenable(secret) && secret.sealed !== true && markup` data-link="${secret.link.token}"`}>${titleOf('secret', secret, statusSign(secret))}${detailsOf(
    localized,
    { ...secret, folderLabel },
    isOpenable(secret) &&
      filled(localized.texts.secrets.status.deleted, {
        when: spanElement(localized, secret.expiresAtMicros, nowMicros),
      }),
  )}<small>${news && markup`<b class="news">${news}</b> `}${statusText(localized, secret, nowMicros)}</small></li>`
}

function draftRow(
  localized: LocalizedDashboard,
  draft: ListedDraft,
  folderLabel: string | undefined,
  { nowMicros }: RowsInput,
): Html {
  const mark = newMark(localized, draft.answers)
  return markup`<li>${titleOf('draft', draft, signOf('draft'))}${detailsOf(
    localized,
    { ...draft, folderLabel },
    spanElement(localized, draft.createdAtMicros, nowMicros),
  )}<small>${mark && markup`${mark} `}${localized.texts.drafts.title}</small></li>`
}

/** A `<label>` with the box and the title as a link: a click on the link follows it, and does not tick the box. */
function titleOf(
  kind: ListedRow['kind'],
  { id, label }: { readonly id: string; readonly label: string },
  sign: Html,
): Html {
  return markup`<label><input type="checkbox" name="${boxName({ kind, id })}">${sign}<a href="/${kind}s/${id}">${isolated(label)}</a></label>`
}

interface RowDetails extends Pick<SecretOverview, 'filesCount'> {
  readonly folderLabel: string | undefined
  readonly hasPassword: boolean
  readonly sealed?: true
}

function detailsOf(
  localized: LocalizedDashboard,
  { folderLabel, hasPassword, sealed, filesCount }: RowDetails,
  when: Html | false,
): Html {
  const { secrets, files, sealed: texts } = localized.texts
  const counted = filesCount === undefined ? undefined : localized.counted(files.counted, filesCount)
  const facts = [
    folderLabel !== undefined && isolated(folderLabel),
    hasPassword && secrets.status.password,
    sealed && texts.inList,
    counted && filledText(counted.wording, { count: counted.number }),
    when,
  ].filter((fact) => fact !== false && fact !== undefined)
  return markup`<p>${facts.map((fact, at) => markup`${at > 0 && ' · '}${fact}`)}</p>`
}

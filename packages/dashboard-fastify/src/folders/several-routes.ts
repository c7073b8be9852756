import { bounds, type ErrorOf, type FolderWithCounts } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { filledText } from '@sotto/html'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { chosenList, listPath, listQuery } from './chosen-list.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { withParameter } from '../shared/next-path.ts'
import { noticePage } from '../shared/notices.ts'
import type { ListedRow } from './secret-rows.ts'
import { finishedPage, selectedPage } from './several-pages.ts'
import type { Router } from '../shared/router.ts'
import { selectedOf, selectionPath, type Selected } from '../shared/selection.ts'
import type { OwnerVisit } from '../shared/visit.ts'

type UseCases = Pick<
  DashboardUseCases,
  'viewSecret' | 'getDraft' | 'deleteSecrets' | 'getFolder' | 'countSecrets' | 'removeFinished'
>

export interface SeveralRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
}

/** `/secrets/delete`, which deletes the secrets and drafts that are ticked, and `/secrets/finished`, which removes all finished secrets. */
export function addSeveralRoutes({ router, sotto }: SeveralRoutesOptions): void {
  router.owner(selectionPath, {
    post: (visit, fields) => deleteSelected(sotto, visit, fields),
    takesAccessAway: true,
  })
  router.owner('/secrets/finished', {
    get: (visit) => askToRemove(sotto, visit),
    post: (visit) => removeFinished(sotto, visit),
  })
}

/** Asks before it deletes what was ticked. The form of that question is sent to the same path. */
async function deleteSelected(sotto: UseCases, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { localized } = visit
  const boxes = fields.filter(([name]) => selectedOf(name) !== undefined)
  const others = formOf(
    fields.filter((field) => !boxes.includes(field)),
    ['action'],
  )
  if (others.isErr()) return statusAnswer(localized, others.error.status)
  const { action } = others.value
  if (action !== '' && action !== 'delete') return statusAnswer(localized, 400)
  const selected = boxes.flatMap(([name]) => selectedOf(name) ?? [])
  if (selected.length === 0)
    return redirect(withParameter(listPath(chosenList(visit)), 'done', 'noneSelected'))
  if (selected.length > bounds.deletedMax) {
    const { heading, lead } = localized.texts.folders.several.tooMany
    const notice = { heading, lead: filledText(lead, { limit: localized.number(bounds.deletedMax) }) }
    return show(noticePage(localized, notice), 400)
  }
  return action === '' ? ask(sotto, visit, selected) : remove(sotto, visit, selected)
}

async function ask(sotto: UseCases, visit: OwnerVisit, selected: readonly Selected[]): Promise<Answer> {
  const rows: ListedRow[] = []
  for (const each of selected) {
    const found = await find(sotto, visit, each)
    if (found.isErr()) return errorAnswer(visit, found.error)
    if (found.value !== undefined) rows.push(found.value)
  }
  if (rows.length === 0) return statusAnswer(visit.localized, 404)
  const list = chosenList(visit)
  const input = { rows, nowMicros: visit.nowMicros, back: listPath(list), query: listQuery(list) }
  return show(selectedPage(visit.localized, input))
}

type FindError = ErrorOf<UseCases['viewSecret' | 'getDraft']>

/** Ok with `undefined` for what is not the account's, or no longer there. */
async function find(
  sotto: UseCases,
  { accountId }: OwnerVisit,
  { kind, id }: Selected,
): Promise<Result<ListedRow | undefined, FindError>> {
  const found: Result<ListedRow, FindError> =
    kind === 'secret'
      ? (await sotto.viewSecret({ accountId, id })).map((item) => ({ kind, item }))
      : (await sotto.getDraft({ accountId, id })).map((item) => ({ kind, item }))
  if (found.isOk()) return ok(found.value)
  const { code } = found.error
  return code === 'secret_not_found' || code === 'draft_not_found' ? ok(undefined) : err(found.error)
}

async function remove(sotto: UseCases, visit: OwnerVisit, selected: readonly Selected[]): Promise<Answer> {
  const { accountId } = visit
  const idsOf = (kind: Selected['kind']) => selected.flatMap((each) => (each.kind === kind ? [each.id] : []))
  const deleted = await sotto.deleteSecrets({
    accountId,
    ids: idsOf('secret'),
    drafts: idsOf('draft'),
    erased: (id, kind) =>
      audit(visit, kind === 'secret' ? 'secret_destroyed' : 'draft_deleted', {
        account_id: accountId,
        secret_id: id,
      }),
  })
  if (deleted.isErr()) return errorAnswer(visit, deleted.error)
  const { secrets, drafts } = deleted.value
  const path = listPath(chosenList(visit))
  if (drafts === 0) return redirect(withParameter(path, 'deleted', String(secrets)))
  const withDrafts = withParameter(path, 'drafts', String(drafts))
  return redirect(secrets === 0 ? withDrafts : withParameter(withDrafts, 'deleted', String(secrets)))
}

async function askToRemove(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized } = visit
  const folder = await chosenFolder(sotto, visit)
  if (folder.isErr()) return errorAnswer(visit, folder.error)
  const counts = await sotto.countSecrets({ accountId, folderId: folder.value?.id })
  if (counts.isErr()) return errorAnswer(visit, counts.error)
  const list = { folder: folder.value }
  const page = finishedPage(localized, {
    folder: folder.value,
    count: counts.value.finished,
    action: `/secrets/finished${listQuery(list)}`,
    back: listPath({ ...list, status: 'finished' }),
  })
  return show(page)
}

async function removeFinished(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId } = visit
  const folder = await chosenFolder(sotto, visit)
  if (folder.isErr()) return errorAnswer(visit, folder.error)
  const removed = await sotto.removeFinished({ accountId, folderId: folder.value?.id })
  if (removed.isErr()) return errorAnswer(visit, removed.error)
  audit(visit, 'finished_secrets_removed', { account_id: accountId, folder_id: folder.value?.id })
  const path = listPath({ folder: folder.value })
  return redirect(withParameter(path, 'removed', String(removed.value)))
}

/** The folder that the address names; Ok with `undefined` when it names none. */
async function chosenFolder(
  sotto: UseCases,
  { accountId, query }: OwnerVisit,
): Promise<Result<FolderWithCounts | undefined, ErrorOf<UseCases['getFolder']>>> {
  const id = query['folder']
  return id === undefined ? ok(undefined) : sotto.getFolder({ accountId, id })
}

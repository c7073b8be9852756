import { logCorruption } from '../../http/answers/log.ts'
import type { FormFields } from '../../http/bodies/form.ts'
import type { DashboardUseCases } from '../../use-cases.ts'
import { redirect, show, type Answer } from '../answers.ts'
import { cursorText, parseCursor } from '../cursor-text.ts'
import { errorAnswer, statusAnswer } from '../errors.ts'
import { formOf } from '../form.ts'
import { doneOf } from '../pages/done.ts'
import { fieldProblems } from '../pages/fields.ts'
import { folderPage, type FolderPageInput } from '../pages/folder-page.ts'
import type { Router } from '../router.ts'
import { idOf, type OwnerVisit } from '../visit.ts'
import { askBefore } from './ask.ts'
import { showDashboard, type DashboardPageOptions, type DashboardPageUseCases } from './dashboard.ts'
import { onePage } from './lists.ts'

type UseCases = DashboardPageUseCases &
  Pick<DashboardUseCases, 'createFolder' | 'getFolder' | 'listDrafts' | 'renameFolder' | 'deleteFolder'>

export interface FolderRoutesOptions extends DashboardPageOptions {
  readonly router: Router
  readonly sotto: UseCases
}

/** `/folders`, `/folders/{id}`, `/folders/{id}/delete`. */
export function addFolderRoutes(options: FolderRoutesOptions): void {
  const { router, sotto } = options
  router.owner('/folders', { post: (visit, fields) => create(options, visit, fields) })
  router.owner('/folders/:id', {
    get: (visit) => showFolder(sotto, visit),
    post: (visit, fields) => rename(sotto, visit, fields),
  })
  router.owner('/folders/:id/delete', {
    get: (visit) => askToDelete(sotto, visit),
    post: (visit) => remove(sotto, visit),
  })
}

async function create(options: FolderRoutesOptions, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized } = visit
  const form = formOf(fields, ['label'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { label } = form.value
  const created = await options.sotto.createFolder({ accountId, label })
  if (created.isOk()) return redirect(`/dashboard?folder=${created.value.id}&done=folderCreated`)
  if (created.error.code !== 'fields_invalid') return errorAnswer(visit, created.error)
  const { label: problem = '' } = fieldProblems(localized, created.error.errors, { label: 'label' })
  return showDashboard(options, visit, { label, problem })
}

async function showFolder(
  sotto: UseCases,
  visit: OwnerVisit,
  again: Pick<FolderPageInput, 'rename' | 'isNotEmpty'> = {},
): Promise<Answer> {
  const { accountId, localized, query } = visit
  const folder = await sotto.getFolder({ accountId, id: idOf(visit) })
  if (folder.isErr()) return errorAnswer(visit, folder.error)
  const { id } = folder.value
  const after = parseCursor(query['after'])
  const drafts = await onePage((range) => sotto.listDrafts({ accountId, folderId: id, ...range }), after)
  if (drafts.isErr()) return errorAnswer(visit, drafts.error)
  const { items, corrupted, next } = drafts.value
  logCorruption(visit.request.log, corrupted)
  const page = folderPage(localized, {
    folder: folder.value,
    drafts: items,
    moreDrafts: next && `/folders/${id}?after=${cursorText(next)}`,
    done: doneOf(localized, query['done']),
    ...again,
  })
  if (again.rename !== undefined) return show(page, 400)
  return show(page, again.isNotEmpty === true ? 409 : 200)
}

async function rename(sotto: UseCases, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized } = visit
  const id = idOf(visit)
  const form = formOf(fields, ['label'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { label } = form.value
  const renamed = await sotto.renameFolder({ accountId, id, label })
  if (renamed.isOk()) return redirect(`/folders/${id}?done=folderRenamed`)
  if (renamed.error.code !== 'fields_invalid') return errorAnswer(visit, renamed.error)
  const { label: problem = '' } = fieldProblems(localized, renamed.error.errors, { label: 'label' })
  return showFolder(sotto, visit, { rename: { label, problem } })
}

async function askToDelete(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized } = visit
  const folder = await sotto.getFolder({ accountId, id: idOf(visit) })
  if (folder.isErr()) return errorAnswer(visit, folder.error)
  const { id, label } = folder.value
  const { delete: button, deleteHeading: heading, deleteLead: lead } = localized.texts.secrets.folder
  return askBefore(visit, { path: `/folders/${id}`, verb: 'delete', label, heading, lead, button })
}

async function remove(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId } = visit
  const deleted = await sotto.deleteFolder({ accountId, id: idOf(visit) })
  if (deleted.isOk()) return redirect('/dashboard?done=folderDeleted')
  return deleted.error.code === 'folder_not_empty'
    ? showFolder(sotto, visit, { isNotEmpty: true })
    : errorAnswer(visit, deleted.error)
}

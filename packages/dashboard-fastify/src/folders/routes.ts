import type { ErrorOf, FolderWithCounts } from '@sotto/core'
import { err, type Result } from 'neverthrow'
import { banner, filledText, markup } from '@sotto/html'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { ownerForm, type Refused } from '../shared/owner-form.ts'
import { contentsOf, type FolderContents } from './folder-head.ts'
import type { RefusedLabel } from './folder-rail.ts'
import type { Router } from '../shared/router.ts'
import { idOf, named, type OwnerVisit } from '../shared/visit.ts'
import { askBefore } from '../shared/ask.ts'
import { showDashboard, type DashboardPageOptions, type DashboardPageUseCases } from './list-routes.ts'

type UseCases = DashboardPageUseCases &
  Pick<DashboardUseCases, 'createFolder' | 'getFolder' | 'renameFolder' | 'deleteFolder' | 'countRequests'>

export interface FolderRoutesOptions extends DashboardPageOptions {
  readonly router: Router
  readonly sotto: UseCases
}

/** `/folders`, `/folders/{id}`, `/folders/{id}/delete`. */
export function addFolderRoutes(options: FolderRoutesOptions): void {
  const { router, sotto } = options
  router.owner('/folders', {
    post: ownerForm({
      fields: ['label'],
      run: ({ accountId }, { label }) => sotto.createFolder({ accountId, label }),
      names: { label: 'label' },
      audit: ['folder_created', 'folder_id'],
      done: ({ id }) => `/dashboard?folder=${id}&done=folderCreated`,
      again: (visit, refused) => showDashboard(options, visit, { newFolder: refusedLabel(refused) }),
    }),
  })
  router.owner('/folders/:id', {
    get: (visit) => toList(sotto, visit),
    post: ownerForm({
      fields: ['label'],
      run: (visit, { label }) => sotto.renameFolder({ ...named(visit), label }),
      names: { label: 'label' },
      audit: ['folder_renamed', 'folder_id'],
      done: (_renamed, visit) => `/dashboard?folder=${idOf(visit)}&done=folderRenamed`,
      again: (visit, refused) => showDashboard(options, visit, { rename: refusedLabel(refused) }),
    }),
  })
  router.owner('/folders/:id/delete', {
    get: (visit) => askToDelete(sotto, visit),
    post: (visit, fields) => remove(sotto, visit, fields),
    takesAccessAway: true,
  })
}

function refusedLabel({ form: { label }, problems }: Refused<'label'>): RefusedLabel {
  return { label, problem: problems['label'] ?? '' }
}

/** The path of a folder's page in earlier versions, which bookmarks and mails still lead to. */
async function toList(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const folder = await sotto.getFolder({ accountId: visit.accountId, id: idOf(visit) })
  return folder.isErr() ? errorAnswer(visit, folder.error) : redirect(`/dashboard?folder=${folder.value.id}`)
}

/** @param hasMore whether the folder contains more by now than the question named that was answered */
async function askToDelete(sotto: UseCases, visit: OwnerVisit, hasMore = false): Promise<Answer> {
  const { localized } = visit
  const folder = await folderOf(sotto, visit)
  if (folder.isErr()) return errorAnswer(visit, folder.error)
  const { id, label } = folder.value
  const { delete: button, deleteHeading: heading, deleteEmpty, deleteFull, added } = localized.texts.folders
  const contents = contentsOf(localized, folder.value)
  const question = askBefore(visit, {
    path: `/folders/${id}`,
    verb: 'delete',
    back: `/dashboard?folder=${id}`,
    label,
    heading,
    lead: contents === '' ? deleteEmpty : filledText(deleteFull, { contents }),
    fields: markup`${hasMore && banner('error', added)}<input type="hidden" name="shown" value="${countIn(folder.value)}">`,
    button,
  })
  return hasMore ? { ...question, status: 409 } : question
}

/** Deletes no more than what the question named. What is created while it is deleted stays, and its folder with it. */
async function remove(sotto: UseCases, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized } = visit
  const id = idOf(visit)
  const form = formOf(fields, ['shown'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const folder = await folderOf(sotto, visit)
  if (folder.isErr()) return errorAnswer(visit, folder.error)
  const count = countIn(folder.value)
  // A field that is no number names nothing.
  if (!(count <= Number(form.value.shown))) return askToDelete(sotto, visit, true)
  const deleted = await sotto.deleteFolder({ accountId, id, withContents: count > 0 })
  if (deleted.isErr())
    return deleted.error.code === 'folder_not_empty'
      ? askToDelete(sotto, visit, true)
      : errorAnswer(visit, deleted.error)
  audit(visit, 'folder_deleted', { account_id: accountId, folder_id: id })
  return redirect('/dashboard?done=folderDeleted')
}

/** The folder that the path names, with everything that is in it. */
async function folderOf(
  sotto: Pick<UseCases, 'getFolder' | 'countRequests'>,
  visit: OwnerVisit,
): Promise<
  Result<FolderWithCounts & FolderContents, ErrorOf<UseCases['getFolder'] | UseCases['countRequests']>>
> {
  const { accountId } = visit
  const folder = await sotto.getFolder({ accountId, id: idOf(visit) })
  if (folder.isErr()) return err(folder.error)
  const requests = await sotto.countRequests({ accountId, folderId: folder.value.id })
  return requests.map((requestsCount) => ({ ...folder.value, requestsCount }))
}

function countIn({ secretsCount, draftsCount, requestsCount }: FolderContents): number {
  return secretsCount + draftsCount + requestsCount
}

import { takesFiles, type DraftWithNote, type ErrorOf } from '@sotto/core'
import { filledText } from '@sotto/html'
import { textFileName, type FormFields } from '@sotto/http-fastify/plugin'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { doneOf } from '../shared/done.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { allFolders } from '../shared/lists.ts'
import { noteLook } from '../shared/looks.ts'
import { idOf, type OwnerVisit } from '../shared/visit.ts'
import { askBefore } from '../shared/ask.ts'
import { answerPage } from './answer-page.ts'
import {
  answeredBy,
  formInput,
  showForm,
  type DraftRoutesOptions,
  type FormInput,
  type Refusal,
  type UseCases,
} from './draft-form.ts'
import { saveOrShare } from './save-draft.ts'

/** `/drafts/{id}`, and below it `/edit`, `/text`, `/files/{number}`, `/note`, `/delete`. */
export function addDraftRoutes(options: DraftRoutesOptions): void {
  const { router, sotto } = options
  router.owner('/drafts/:id', {
    get: (visit) => showAnswerOrDraft(options, visit),
    post: (visit, fields, files) => saveOrShare(options, visit, fields, files),
    takesFiles: takesFiles(sotto.policy.files),
  })
  router.owner('/drafts/:id/files/:number', { get: (visit) => saveFile(sotto, visit) })
  router.owner('/drafts/:id/edit', { get: (visit) => showDraft(options, visit) })
  router.owner('/drafts/:id/text', { get: (visit) => saveText(sotto, visit) })
  router.owner('/drafts/:id/note', { post: (visit, fields) => showNote(options, visit, fields) })
  router.owner('/drafts/:id/delete', {
    get: (visit) => askToDelete(sotto, visit),
    post: (visit) => remove(sotto, visit),
  })
}

/** An answer shows its text; a draft that its owner has written, and one with a password, its form. */
async function showAnswerOrDraft(options: DraftRoutesOptions, visit: OwnerVisit): Promise<Answer> {
  const { sotto } = options
  const { accountId, localized, query } = visit
  const found = await sotto.getDraft({ accountId, id: idOf(visit) })
  if (found.isErr()) return errorAnswer(visit, found.error)
  await lookAt(sotto, visit, found.value)
  const { note, ...draft } = found.value
  const request = note === undefined ? undefined : await answeredBy(sotto, visit, found.value)
  if (note === undefined || request === undefined) return showForm(options, visit, formInput(found.value))
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  const done = doneOf(localized, query['done'])
  return show(
    answerPage(localized, { draft: { ...draft, note }, request, folders: folders.value.items, done }),
  )
}

/** Notes that the owner sees an answer. The page no longer counts it as new. */
function lookAt(sotto: UseCases, visit: OwnerVisit, { id, answers }: DraftWithNote): Promise<void> {
  return noteLook(sotto, visit, { id, news: answers?.isNew === true ? 1 : 0 })
}

/** The text as a file. Without the password there is none of a draft that has one. */
async function saveText(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized } = visit
  const draft = await sotto.getDraft({ accountId, id: idOf(visit) })
  if (draft.isErr()) return errorAnswer(visit, draft.error)
  const { note, label } = draft.value
  if (note === undefined) return statusAnswer(localized, 404)
  await lookAt(sotto, visit, draft.value)
  return { kind: 'text', fileName: textFileName(label), text: note }
}

async function showDraft(options: DraftRoutesOptions, visit: OwnerVisit, password?: string): Promise<Answer> {
  const { sotto } = options
  const { accountId } = visit
  const id = idOf(visit)
  const draft = await sotto.getDraft({ accountId, id, password })
  if (draft.isOk()) {
    if (draft.value.requestKey !== undefined) return errorAnswer(visit, { code: 'draft_sealed' })
    await lookAt(sotto, visit, draft.value)
    return showForm(options, visit, formInput(draft.value))
  }
  const refused = refusedPassword(visit, draft.error)
  if (refused === undefined) return errorAnswer(visit, draft.error)
  const { event, problems, ...answer } = refused
  audit(visit, event, { account_id: accountId, secret_id: id })
  const hidden = await sotto.getDraft({ accountId, id })
  if (hidden.isErr()) return errorAnswer(visit, hidden.error)
  return showForm(options, visit, { ...formInput(hidden.value), problems }, answer)
}

/** How a password that was not taken is answered; `undefined` for another error. */
function refusedPassword(
  { localized: { texts, fromNow } }: OwnerVisit,
  error: ErrorOf<UseCases['getDraft']>,
): (Refusal & { readonly event: string; readonly problems: FormInput['problems'] }) | undefined {
  switch (error.code) {
    case 'password_wrong': {
      const problems = { password: texts.common.fieldErrors.wrong_password }
      return { event: 'draft_password_refused', problems, status: 400 }
    }
    case 'draft_locked': {
      const { reason, retryAfterSeconds } = error
      const { locked, crowded } = texts.signIn
      const when = fromNow(retryAfterSeconds)
      const problems = { password: reason === 'wrong_passwords' ? filledText(locked, { when }) : crowded }
      const headers = { 'retry-after': String(retryAfterSeconds) }
      return { event: 'draft_locked', problems, status: 429, headers }
    }
    case 'draft_disabled':
      // The page itself says so.
      return { event: 'draft_locked', problems: {}, status: 409 }
    default:
      return undefined
  }
}

async function saveFile(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, params } = visit
  const number = Number(/^[1-9]\d?$/.exec(params['number'] ?? '')?.[0] ?? 0)
  const file = await sotto.readDraftFile({ accountId, id: idOf(visit), number })
  if (file.isErr()) return errorAnswer(visit, file.error)
  return { kind: 'file', file: file.value, refused: (status) => statusAnswer(localized, status) }
}

async function showNote(options: DraftRoutesOptions, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const form = formOf(fields, ['password'])
  if (form.isErr()) return statusAnswer(visit.localized, form.error.status)
  return showDraft(options, visit, form.value.password)
}

async function askToDelete(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized } = visit
  const draft = await sotto.getDraft({ accountId, id: idOf(visit) })
  if (draft.isErr()) return errorAnswer(visit, draft.error)
  const { id, label } = draft.value
  const { delete: button, deleteHeading: heading, deleteLead: lead } = localized.texts.drafts
  return askBefore(visit, { path: `/drafts/${id}`, verb: 'delete', label, heading, lead, button })
}

async function remove(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId } = visit
  const id = idOf(visit)
  const draft = await sotto.getDraft({ accountId, id })
  const answered = draft.isOk() ? await answeredBy(sotto, visit, draft.value) : undefined
  const deleted = await sotto.deleteDraft({ accountId, id })
  if (deleted.isErr()) return errorAnswer(visit, deleted.error)
  audit(visit, 'draft_deleted', { account_id: accountId, secret_id: id })
  if (answered === undefined) return redirect('/dashboard?done=draftDeleted')
  return redirect(`${answered.path ?? '/requests'}?done=answerDeleted`)
}

import { takesFiles, type DraftWithNote, type ErrorOf, type NewFiles } from '@sotto/core'
import { filledText } from '@sotto/html'
import { logError, isOutcomeUnknown, textFileName, type FormFields } from '@sotto/http-fastify/plugin'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { parseEncryptedText } from '../shared/encrypted-text.ts'
import { doneOf } from '../shared/done.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { isLook, noteLook } from '../shared/looks.ts'
import { chooseLabels } from '../shared/mail-labels.ts'
import {
  dropUnused,
  isAnswer,
  receiveFiles,
  refusedFiles,
  type RefusedFiles,
} from '../secrets/received-files.ts'
import { allProblems, withReminders } from '../secrets/secret-input.ts'
import { idOf, type OwnerVisit } from '../shared/visit.ts'
import { askBefore } from '../shared/ask.ts'
import { answerPage } from './answer-page.ts'
import {
  answeredBy,
  draftFieldNames,
  formInput,
  notFound,
  readDraft,
  removedFiles,
  showChanged,
  showForm,
  valuesOf,
  type DraftForm,
  type DraftRoutesOptions,
  type FormInput,
  type Refusal,
  type SentDraft,
  type UseCases,
} from './draft-form.ts'

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
  const looked = await lookAt(sotto, visit, found.value)
  const { note, ...draft } = found.value
  const request = note === undefined ? undefined : await answeredBy(sotto, looked, found.value)
  if (note === undefined || request === undefined) return showForm(options, looked, formInput(found.value))
  const done = doneOf(localized, query['done'])
  return show(answerPage(looked.localized, { draft: { ...draft, note }, request, done }))
}

/** Notes that the owner sees an answer. The visit no longer counts it as new. */
async function lookAt(
  sotto: UseCases,
  visit: OwnerVisit,
  { id, answers }: DraftWithNote,
): Promise<OwnerVisit> {
  if (answers?.isNew !== true || !isLook(visit.request)) return visit
  await noteLook(sotto, visit, { id, news: 1 })
  const { localized } = visit
  const newAnswers = Math.max(0, (localized.newAnswers ?? 0) - 1)
  return { ...visit, localized: { ...localized, newAnswers } }
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
  if (draft.isOk()) return showForm(options, await lookAt(sotto, visit, draft.value), formInput(draft.value))
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

async function saveOrShare(
  options: DraftRoutesOptions,
  visit: OwnerVisit,
  fields: FormFields,
  files: NewFiles | undefined,
): Promise<Answer> {
  const { sotto } = options
  const { accountId, localized } = visit
  const form = formOf(fields, draftFieldNames)
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const action = form.value.action || visit.query['action']
  const isContentMissing = files !== undefined && form.value.content === ''
  if ((action !== 'save' && action !== 'share') || isContentMissing) return statusAnswer(localized, 400)
  const id = idOf(visit)
  const sent = { form: form.value, files }
  const draft = await sotto.getDraft({ accountId, id })
  if (draft.isErr()) return notFound(sotto, visit, draft.error, sent)
  const read = readDraft(visit, draft.value, form.value)
  const refused = await save(options, visit, { draft: draft.value, sent, ...read })
  if (refused !== undefined) return refused
  audit(visit, 'draft_saved', { account_id: accountId, secret_id: id })
  await chooseLabels(sotto, visit, form.value)
  if (action === 'save') return redirect(`/drafts/${id}?done=draftSaved`)
  return share(sotto, visit, read.input.lifetimeSeconds)
}

/** A draft, and what its form says about it. */
interface Edit extends ReturnType<typeof readDraft> {
  readonly draft: DraftWithNote
  readonly sent: SentDraft
}

/** Saves a draft with the files of its form. The answer when it is not saved. */
async function save(options: DraftRoutesOptions, visit: OwnerVisit, edit: Edit): Promise<Answer | undefined> {
  const refused = await refusedBeforeFiles(options, visit, edit)
  if (refused !== undefined) return refused
  const { sotto } = options
  const { draft, sent, input } = edit
  const { form, files } = sent
  const { accountId } = visit
  const id = idOf(visit)
  const fileChange = fileChangeOf(draft, form)
  const filesCount = draft.files.length - fileChange.removedFiles.length
  const received = await receiveFiles(sotto, visit, files, { id, filesCount })
  if (received.isErr())
    return isAnswer(received.error) ? received.error : showAgain(options, visit, edit, received.error)
  const upload = received.value
  const { lifetimeSeconds: _, note, password, ...columns } = input
  const content = form.content === '' ? undefined : { note, password, ...fileChange, upload }
  const version = form.version || undefined
  const edited = await sotto.editDraft({ accountId, id, version, ...columns, content })
  if (edited.isOk()) return undefined
  await dropUnused(sotto, visit, upload, edited.error)
  if (edited.error.code === 'draft_changed') return showChanged(options, visit, draft, sent)
  const refusal = refusedFiles(visit, edited.error)
  return refusal === undefined
    ? notFound(sotto, visit, edited.error, sent)
    : showAgain(options, visit, edit, refusal)
}

/** The answer to a form that is refused whatever files it has: none of them is read then. */
async function refusedBeforeFiles(
  options: DraftRoutesOptions,
  visit: OwnerVisit,
  edit: Edit,
): Promise<Answer | undefined> {
  const { draft, sent, input, problems } = edit
  const { form, files } = sent
  if (Object.keys(problems).length === 0 && files === undefined) return undefined
  const { lifetimeSeconds: _, note, password, ...columns } = input
  const keeps = draft.files.length > fileChangeOf(draft, form).removedFiles.length
  const hasFiles = files !== undefined || keeps
  const given = { ...columns, ...(form.content !== '' && { note, password }), hasFiles }
  const all = await allProblems(options.sotto, visit, given, problems)
  if (all.isErr()) return errorAnswer(visit, all.error)
  if (Object.keys(all.value).length > 0)
    return showAgain(options, visit, edit, { problems: all.value, status: 400 })
  const isChanged = form.version !== '' && form.version !== draft.version
  return isChanged ? showChanged(options, visit, draft, sent) : undefined
}

/** The form once more, with what was typed and what is wrong with it. */
function showAgain(
  options: DraftRoutesOptions,
  visit: OwnerVisit,
  { draft, sent }: Edit,
  { problems, status }: RefusedFiles,
): Promise<Answer> {
  const { form } = sent
  const shown = {
    draft: { ...draft, version: form.version },
    values: valuesOf(form),
    sent: form,
    problems: withReminders(visit, sent, problems),
    hasNote: form.content !== '',
  }
  return showForm(options, visit, shown, { status })
}

/** The files of the draft that are kept and shown. A disabled draft loses all of them: they cannot be read any more. */
function fileChangeOf({ files, isDisabled }: DraftWithNote, form: DraftForm) {
  const removed = removedFiles(form)
  return {
    sealedFiles: parseEncryptedText(form['sealed-files']),
    removedFiles: files.map(({ id }) => id).filter((id) => isDisabled || removed.includes(id)),
    showsFiles: form['show-files'] !== '',
  }
}

/** Shares a draft that was saved a moment ago. */
async function share(
  sotto: UseCases,
  visit: OwnerVisit,
  lifetimeSeconds: ReturnType<typeof readDraft>['input']['lifetimeSeconds'],
): Promise<Answer> {
  const { accountId, request } = visit
  const id = idOf(visit)
  const shared = await sotto.shareDraft({ accountId, id, lifetimeSeconds })
  if (shared.isErr()) {
    if (isOutcomeUnknown(shared.error)) return errorAnswer(visit, shared.error)
    // What was edited is saved, and the page says so.
    logError(request.log, shared.error, 503)
    return redirect(`/drafts/${id}?done=draftNotShared`)
  }
  audit(visit, 'draft_shared', { account_id: accountId, secret_id: id })
  return redirect(`/secrets/${id}?new=1`)
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

import type { DraftWithNote, NewFiles } from '@sotto/core'
import { isOutcomeUnknown, logError, type FormFields } from '@sotto/http-fastify/plugin'
import { redirect, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { parseEncryptedText } from '../shared/encrypted-text.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
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
import {
  draftFieldNames,
  notFound,
  readDraft,
  removedFiles,
  showChanged,
  showForm,
  valuesOf,
  type DraftForm,
  type DraftRoutesOptions,
  type SentDraft,
  type UseCases,
} from './draft-form.ts'

/** Saves a draft with what its form has, and shares it where that button was pressed. */
export async function saveOrShare(
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
  if (action === 'move') return move(sotto, visit, form.value.folder)
  const isContentMissing = files !== undefined && form.value.content === ''
  if ((action !== 'save' && action !== 'share') || isContentMissing) return statusAnswer(localized, 400)
  const id = idOf(visit)
  const sent = { form: form.value, files }
  const draft = await sotto.getDraft({ accountId, id })
  if (draft.isErr()) return notFound(sotto, visit, draft.error, sent)
  if (draft.value.requestKey !== undefined) return errorAnswer(visit, { code: 'draft_sealed' })
  const read = readDraft(visit, draft.value, form.value)
  const refused = await save(options, visit, { draft: draft.value, sent, ...read })
  if (refused !== undefined) return refused
  audit(visit, 'draft_saved', { account_id: accountId, secret_id: id })
  await chooseLabels(sotto, visit, form.value)
  if (action === 'save') return redirect(`/drafts/${id}?done=draftSaved`)
  return share(sotto, visit, read.input.lifetimeSeconds)
}

/** Puts a draft into another folder, and leaves all else as it is. */
async function move(sotto: UseCases, visit: OwnerVisit, folderId: string): Promise<Answer> {
  const { accountId } = visit
  const id = idOf(visit)
  const draft = await sotto.getDraft({ accountId, id })
  if (draft.isErr()) return errorAnswer(visit, draft.error)
  const { label, openLimit, notify } = draft.value
  const moved = await sotto.editDraft({
    accountId,
    id,
    folderId,
    label,
    openLimit,
    notify,
    content: undefined,
  })
  if (moved.isErr()) return errorAnswer(visit, moved.error)
  audit(visit, 'draft_saved', { account_id: accountId, secret_id: id })
  return redirect(`/drafts/${id}?done=draftSaved`)
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

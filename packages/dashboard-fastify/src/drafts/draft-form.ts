import {
  proposedOpenLimit,
  type DraftWithNote,
  type ErrorOf,
  type FileUsage,
  type NewFiles,
} from '@sotto/core'
import type { DashboardUseCases } from '../use-cases.ts'
import { show, type Answer, type PageAnswer } from '../shared/answers.ts'
import { encryptedText } from '../shared/encrypted-text.ts'
import { errorAnswer } from '../shared/errors.ts'
import type { Form } from '../shared/form.ts'
import { mailsOf } from '../shared/mail-labels.ts'
import { doneOf } from '../shared/done.ts'
import type { AnsweredTitle } from './answer-page.ts'
import { draftPage, type DraftPageInput } from './draft-page.ts'
import type { FilesInput } from '../files/files-field.ts'
import { removeNames, type RemoveName } from '../shared/remove-names.ts'
import { newSecretPage } from '../secrets/new-secret-page.ts'
import { opensValues, secretFieldNames, type SecretFields } from '../secrets/secret-form.ts'
import { shownFileUsage } from '../secrets/received-files.ts'
import type { Router } from '../shared/router.ts'
import { defaultExpires, secretInputOf, withReminders } from '../secrets/secret-input.ts'
import type { OwnerVisit } from '../shared/visit.ts'
import { allFolders } from '../shared/lists.ts'
import type { Channels } from '../shared/channels.ts'

export type UseCases = Pick<
  DashboardUseCases,
  | 'policy'
  | 'fileUsage'
  | 'uploadFiles'
  | 'dropUpload'
  | 'listFolders'
  | 'checkNewSecret'
  | 'getDraft'
  | 'readDraftFile'
  | 'getRequest'
  | 'markSeen'
  | 'editDraft'
  | 'shareDraft'
  | 'deleteDraft'
  | 'getAccount'
  | 'setMails'
>

export interface DraftRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly channels: Pick<Channels, 'canMail'>
}

export const draftFieldNames = [
  ...secretFieldNames,
  'action',
  'content',
  'remove-password',
  'version',
  'sealed-files',
  ...removeNames,
] as const
export type DraftForm = Form<(typeof draftFieldNames)[number]>

/** How a page that was refused is sent. */
export type Refusal = Pick<PageAnswer, 'status' | 'headers'>

/** What the form of a draft shows. */
export type FormInput = Omit<
  DraftPageInput,
  'draft' | 'files' | 'folders' | 'noteMaxBytes' | 'mails' | 'done' | 'answered'
> & {
  readonly draft: DraftWithNote
  /** What a form that was sent has of the files. */
  readonly sent?: Pick<DraftForm, 'sealed-files' | RemoveName>
}

/** A draft as it is stored, in its form. */
export function formInput(draft: DraftWithNote): FormInput {
  const { folderId, label, note, notify, showsFiles } = draft
  const values = {
    folder: folderId,
    label,
    note: note ?? '',
    ...opensValues(proposedOpenLimit(draft)),
    notify: notify ? 'on' : '',
    labels: '',
    expires: defaultExpires,
    'show-files': showsFiles ? 'on' : '',
  }
  return { draft, values, problems: {}, hasNote: note !== undefined || draft.isDisabled }
}

export async function showForm(
  { sotto, channels }: DraftRoutesOptions,
  visit: OwnerVisit,
  input: FormInput,
  refusal?: Refusal,
): Promise<Answer> {
  const { localized, query } = visit
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  const mails = await mailsOf(sotto, visit, channels.canMail)
  if (mails.isErr()) return errorAnswer(visit, mails.error)
  const usage = await shownFileUsage(sotto, visit)
  if (usage.isErr()) return errorAnswer(visit, usage.error)
  const page = draftPage(localized, {
    ...input,
    files: filesInput(input, usage.value),
    folders: folders.value.items,
    answered: await answeredBy(sotto, visit, input.draft),
    noteMaxBytes: sotto.policy.noteMaxBytes,
    mails: mails.value,
    done: doneOf(localized, query['done']),
  })
  if (refusal !== undefined) return show(page, refusal.status, refusal.headers)
  if (input.isChanged === true) return show(page, 409)
  return show(page, Object.keys(input.problems).length === 0 ? 200 : 400)
}

/** The request that a draft answers. Once it is erased, or cannot be read, the draft's own title is the one it had. */
export async function answeredBy(
  sotto: Pick<UseCases, 'getRequest'>,
  { accountId }: OwnerVisit,
  { answers, label }: DraftWithNote,
): Promise<AnsweredTitle | undefined> {
  if (answers === undefined) return undefined
  const request = await sotto.getRequest({ accountId, id: answers.requestId })
  return request.isOk()
    ? { title: request.value.title, path: `/requests/${answers.requestId}` }
    : { title: label, path: undefined }
}

function filesInput(
  { draft, values, sent }: FormInput,
  usage: FileUsage | undefined,
): FilesInput | undefined {
  const { files: kept, sealedFiles } = draft
  if (usage === undefined && kept.length === 0) return undefined
  const sealed = sealedFiles === undefined ? sent?.['sealed-files'] : encryptedText(sealedFiles)
  const removed = sent && removedFiles(sent)
  const isUnreadable = draft.isDisabled && kept.length > 0
  // A file of a draft with a password is read once the draft is shared.
  const savedFrom = draft.hasPassword ? undefined : `/drafts/${draft.id}/files`
  return { usage, kept, removed, sealed, isUnreadable, savedFrom, isShown: values['show-files'] !== '' }
}

/** The ids of the files that are ticked to be removed. */
export function removedFiles(form: Pick<DraftForm, RemoveName>): readonly string[] {
  return removeNames.map((name) => form[name] ?? '').filter((id) => id !== '')
}

/** What was typed, with the version that the draft has by now: to save it again replaces what was changed elsewhere. */
export function showChanged(
  options: DraftRoutesOptions,
  visit: OwnerVisit,
  draft: DraftWithNote,
  sent: SentDraft,
): Promise<Answer> {
  const { form } = sent
  const problems = withReminders(visit, sent, {})
  const hasNote = form.content !== ''
  const values = valuesOf(form)
  return showForm(options, visit, { draft, values, sent: form, problems, hasNote, isChanged: true })
}

/** A form of a draft that was sent. */
export interface SentDraft {
  readonly form: DraftForm
  readonly files: NewFiles | undefined
}

/** What was typed into the form of a draft that is gone, in the form of a new secret. Any other error is answered as usual. */
export async function notFound(
  sotto: UseCases,
  visit: OwnerVisit,
  error: ErrorOf<UseCases['getDraft' | 'editDraft']>,
  sent: SentDraft,
): Promise<Answer> {
  const { form } = sent
  if (error.code !== 'draft_not_found' || form.content === '') return errorAnswer(visit, error)
  const { localized } = visit
  const folders = await allFolders(sotto, visit)
  if (folders.isErr() || folders.value.items.length === 0) return errorAnswer(visit, error)
  const usage = await shownFileUsage(sotto, visit)
  if (usage.isErr()) return errorAnswer(visit, usage.error)
  const page = newSecretPage(localized, {
    folders: folders.value.items,
    values: valuesOf(form),
    problems: withReminders(visit, sent, {}),
    files: usage.value && { usage: usage.value, isShown: form['show-files'] !== '' },
    noteMaxBytes: sotto.policy.noteMaxBytes,
    mails: form.labels === '' ? undefined : 'without labels',
    alert: localized.texts.drafts.gone,
  })
  return show(page, 404)
}

/** What a form says, and what is wrong with it. */
export function readDraft(
  visit: OwnerVisit,
  { hasPassword }: DraftWithNote,
  form: DraftForm,
): ReturnType<typeof secretInputOf> {
  const read = secretInputOf(visit, form)
  const isPasswordMissing =
    form.content !== '' && hasPassword && form.password === '' && form['remove-password'] === ''
  if (!isPasswordMissing) return read
  const { passwordAgain } = visit.localized.texts.drafts
  return { ...read, problems: { ...read.problems, password: passwordAgain } }
}

export function valuesOf({
  folder,
  label,
  note,
  opens,
  count,
  notify,
  labels,
  expires,
  'show-files': showsFiles,
}: DraftForm): SecretFields {
  return { folder, label, note, opens, count, notify, labels, expires, 'show-files': showsFiles }
}

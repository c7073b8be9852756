import type { DraftWithNote, ErrorOf } from '@sotto/core'
import type { DashboardUseCases } from '../../use-cases.ts'
import { show, type Answer, type PageAnswer } from '../answers.ts'
import { errorAnswer } from '../errors.ts'
import type { Form } from '../form.ts'
import { offersLabels } from '../mail-labels.ts'
import { doneOf } from '../pages/done.ts'
import { draftPage, type DraftPageInput } from '../pages/draft-page.ts'
import { newSecretPage } from '../pages/new-secret-page.ts'
import { opensValues, secretFieldNames, type SecretFields } from '../pages/secret-form.ts'
import type { Router } from '../router.ts'
import { defaultExpires, secretInputOf, withPasswordAgain } from '../secret-input.ts'
import type { OwnerVisit } from '../visit.ts'
import { allFolders } from './lists.ts'
import type { Channels } from './notifications.ts'

export type UseCases = Pick<
  DashboardUseCases,
  | 'policy'
  | 'listFolders'
  | 'checkNewSecret'
  | 'getDraft'
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
] as const
export type DraftForm = Form<(typeof draftFieldNames)[number]>

/** How a page that was refused is sent. */
export type Refusal = Pick<PageAnswer, 'status' | 'headers'>

/** What the form of a draft shows. */
export type FormInput = Omit<DraftPageInput, 'folders' | 'noteMaxBytes' | 'offersLabels' | 'done'>

/** A draft as it is stored, in its form. */
export function formInput(draft: DraftWithNote): FormInput {
  const { folderId, label, note, openLimit, notify } = draft
  const values = {
    folder: folderId,
    label,
    note: note ?? '',
    ...opensValues(openLimit),
    notify: notify ? 'on' : '',
    labels: '',
    expires: defaultExpires,
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
  const offers = await offersLabels(sotto, visit, channels.canMail)
  if (offers.isErr()) return errorAnswer(visit, offers.error)
  const page = draftPage(localized, {
    ...input,
    folders: folders.value.items,
    noteMaxBytes: sotto.policy.noteMaxBytes,
    offersLabels: offers.value,
    done: doneOf(localized, query['done']),
  })
  if (refusal !== undefined) return show(page, refusal.status, refusal.headers)
  if (input.isChanged === true) return show(page, 409)
  return show(page, Object.keys(input.problems).length === 0 ? 200 : 400)
}

/** What was typed, with the version that the draft has by now: to save it again replaces what was changed elsewhere. */
export function showChanged(
  options: DraftRoutesOptions,
  visit: OwnerVisit,
  draft: DraftWithNote,
  form: DraftForm,
): Promise<Answer> {
  const problems = withPasswordAgain(visit.localized, form, {})
  const hasNote = form.content !== ''
  return showForm(options, visit, { draft, values: valuesOf(form), problems, hasNote, isChanged: true })
}

/** What was typed into the form of a draft that is gone, in the form of a new secret. Any other error is answered as usual. */
export async function notFound(
  sotto: UseCases,
  visit: OwnerVisit,
  error: ErrorOf<UseCases['getDraft' | 'editDraft']>,
  form: DraftForm,
): Promise<Answer> {
  if (error.code !== 'draft_not_found' || form.content === '') return errorAnswer(visit, error)
  const { localized } = visit
  const folders = await allFolders(sotto, visit)
  if (folders.isErr() || folders.value.items.length === 0) return errorAnswer(visit, error)
  const page = newSecretPage(localized, {
    folders: folders.value.items,
    values: valuesOf(form),
    problems: withPasswordAgain(localized, form, {}),
    noteMaxBytes: sotto.policy.noteMaxBytes,
    offersLabels: form.labels !== '',
    alert: localized.texts.secrets.draft.gone,
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
  const { passwordAgain } = visit.localized.texts.secrets.draft
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
}: DraftForm): SecretFields {
  return { folder, label, note, opens, count, notify, labels, expires }
}

import type { DraftWithNote, ErrorOf } from '@sotto/core'
import { filledText } from '../../design/html.ts'
import { logError } from '../../http/answers/log.ts'
import type { FormFields } from '../../http/bodies/form.ts'
import type { DashboardUseCases } from '../../use-cases.ts'
import { redirect, show, type Answer, type PageAnswer } from '../answers.ts'
import { audit } from '../audit.ts'
import { errorAnswer, isOutcomeUnknown, statusAnswer } from '../errors.ts'
import { formOf, type Form } from '../form.ts'
import { chooseLabels, offersLabels } from '../mail-labels.ts'
import { doneOf } from '../pages/done.ts'
import { draftPage, type DraftPageInput } from '../pages/draft-page.ts'
import { fieldProblems, type FieldProblems } from '../pages/fields.ts'
import { newSecretPage } from '../pages/new-secret-page.ts'
import { formNames, secretFieldNames, type SecretFieldName, type SecretFields } from '../pages/secret-form.ts'
import type { Router } from '../router.ts'
import { allProblems, defaultExpires, secretInputOf, withPasswordAgain } from '../secret-input.ts'
import { idOf, type OwnerVisit } from '../visit.ts'
import { askBefore } from './ask.ts'
import { allFolders } from './lists.ts'
import type { Channels } from './notifications.ts'

type UseCases = Pick<
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

/** `/drafts/{id}`, `/drafts/{id}/note`, `/drafts/{id}/delete`. */
export function addDraftRoutes(options: DraftRoutesOptions): void {
  const { router, sotto } = options
  router.owner('/drafts/:id', {
    get: (visit) => showDraft(options, visit),
    post: (visit, fields) => saveOrShare(options, visit, fields),
  })
  router.owner('/drafts/:id/note', { post: (visit, fields) => showNote(options, visit, fields) })
  router.owner('/drafts/:id/delete', {
    get: (visit) => askToDelete(sotto, visit),
    post: (visit) => remove(sotto, visit),
  })
}

async function showDraft(options: DraftRoutesOptions, visit: OwnerVisit, password?: string): Promise<Answer> {
  const { sotto } = options
  const { accountId } = visit
  const id = idOf(visit)
  const draft = await sotto.getDraft({ accountId, id, password })
  if (draft.isOk()) return showForm(options, visit, formInput(draft.value))
  const refused = refusedPassword(visit, draft.error)
  if (refused === undefined) return errorAnswer(visit, draft.error)
  const { event, problems, ...answer } = refused
  audit(visit, event, { account_id: accountId, secret_id: id })
  const hidden = await sotto.getDraft({ accountId, id })
  if (hidden.isErr()) return errorAnswer(visit, hidden.error)
  return showForm(options, visit, { ...formInput(hidden.value), problems }, answer)
}

type Refusal = Pick<PageAnswer, 'status' | 'headers'>

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
      const { locked, crowded } = texts.account.signIn
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

type FormInput = Omit<DraftPageInput, 'folders' | 'noteMaxBytes' | 'offersLabels' | 'done'>

function formInput(draft: DraftWithNote): FormInput {
  const { folderId, label, note, openLimit, notify } = draft
  const values = {
    folder: folderId,
    label,
    note: note ?? '',
    opens: openLimit === undefined ? '' : String(openLimit),
    notify: notify ? 'on' : '',
    labels: '',
    expires: defaultExpires,
  }
  return { draft, values, problems: {}, hasNote: note !== undefined || draft.isDisabled }
}

async function showForm(
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

async function showNote(options: DraftRoutesOptions, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const form = formOf(fields, ['password'])
  if (form.isErr()) return statusAnswer(visit.localized, form.error.status)
  return showDraft(options, visit, form.value.password)
}

const draftFieldNames = [...secretFieldNames, 'action', 'content', 'remove-password', 'version'] as const
type DraftForm = Form<(typeof draftFieldNames)[number]>

async function saveOrShare(
  options: DraftRoutesOptions,
  visit: OwnerVisit,
  fields: FormFields,
): Promise<Answer> {
  const { sotto } = options
  const { accountId, localized, request } = visit
  const form = formOf(fields, draftFieldNames)
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { action } = form.value
  if (action !== 'save' && action !== 'share') return statusAnswer(localized, 400)
  const id = idOf(visit)
  const draft = await sotto.getDraft({ accountId, id })
  if (draft.isErr()) return notFound(sotto, visit, draft.error, form.value)
  const { input, problems } = readDraft(localized, draft.value, form.value)
  const { version } = form.value
  const again = (found: FieldProblems<SecretFieldName>): Promise<Answer> =>
    showForm(options, visit, {
      draft: { ...draft.value, version },
      values: valuesOf(form.value),
      problems: withPasswordAgain(localized, form.value, found),
      hasNote: form.value.content !== '',
    })
  const { lifetimeSeconds, note, password, ...columns } = input
  const content = form.value.content === '' ? undefined : { note, password }
  if (Object.keys(problems).length > 0) {
    const all = await allProblems(sotto, visit, { ...columns, ...content }, problems)
    return all.isErr() ? errorAnswer(visit, all.error) : again(all.value)
  }
  const edited = await sotto.editDraft({ accountId, id, version: version || undefined, ...columns, content })
  if (edited.isErr()) {
    if (edited.error.code === 'draft_changed') return showChanged(options, visit, draft.value, form.value)
    return edited.error.code === 'fields_invalid'
      ? again(fieldProblems(localized, edited.error.errors, formNames))
      : notFound(sotto, visit, edited.error, form.value)
  }
  audit(visit, 'draft_saved', { account_id: accountId, secret_id: id })
  await chooseLabels(sotto, visit, form.value)
  if (action === 'save') return redirect(`/drafts/${id}?done=draftSaved`)
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

/** What was typed, with the version that the draft has by now: to save it again replaces what was changed elsewhere. */
function showChanged(
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
async function notFound(
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

function readDraft(
  localized: OwnerVisit['localized'],
  { hasPassword }: DraftWithNote,
  form: DraftForm,
): ReturnType<typeof secretInputOf> {
  const read = secretInputOf(localized, form)
  const isPasswordMissing =
    form.content !== '' && hasPassword && form.password === '' && form['remove-password'] === ''
  if (!isPasswordMissing) return read
  const { passwordAgain } = localized.texts.secrets.draft
  return { ...read, problems: { ...read.problems, password: passwordAgain } }
}

function valuesOf({ folder, label, note, opens, notify, labels, expires }: DraftForm): SecretFields {
  return { folder, label, note, opens, notify, labels, expires }
}

async function askToDelete(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized } = visit
  const draft = await sotto.getDraft({ accountId, id: idOf(visit) })
  if (draft.isErr()) return errorAnswer(visit, draft.error)
  const { id, label } = draft.value
  const { delete: button, deleteHeading: heading, deleteLead: lead } = localized.texts.secrets.draft
  return askBefore(visit, { path: `/drafts/${id}`, verb: 'delete', label, heading, lead, button })
}

async function remove(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId } = visit
  const deleted = await sotto.deleteDraft({ accountId, id: idOf(visit) })
  return deleted.isOk() ? redirect('/dashboard?done=draftDeleted') : errorAnswer(visit, deleted.error)
}

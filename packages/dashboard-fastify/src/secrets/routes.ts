import { parseUuid, takesFiles, type FolderWithCounts, type NewFiles } from '@sotto/core'
import { logError, type FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { doneOf } from '../shared/done.ts'
import { formOf } from '../shared/form.ts'
import { ownerButton } from '../shared/owner-form.ts'
import { noteLook } from '../shared/looks.ts'
import { chooseLabels, mailsOf } from '../shared/mail-labels.ts'
import type { FieldProblems } from '../shared/fields.ts'
import { newSecretPage } from './new-secret-page.ts'
import { secretFieldNames, type SecretFieldName, type SecretFields } from './secret-form.ts'
import { secretPage } from './secret-page.ts'
import { isOpenable } from './secret-status.ts'
import {
  dropUnused,
  isAnswer,
  receiveFiles,
  refusedFiles,
  type RefusedFiles,
  shownFileUsage,
} from './received-files.ts'
import type { Router } from '../shared/router.ts'
import { allProblems, defaultExpires, secretInputOf, withReminders } from './secret-input.ts'
import { idOf, named, type OwnerVisit } from '../shared/visit.ts'
import { askBefore } from '../shared/ask.ts'
import { allFolders } from '../shared/lists.ts'
import type { Sealing } from '../sealed/sealing.ts'
import type { Channels } from '../shared/channels.ts'

type UseCases = Pick<
  DashboardUseCases,
  | 'policy'
  | 'fileUsage'
  | 'uploadFiles'
  | 'dropUpload'
  | 'listFolders'
  | 'getFolder'
  | 'checkNewSecret'
  | 'createSecret'
  | 'saveDraft'
  | 'viewSecret'
  | 'markSeen'
  | 'destroySecret'
  | 'unlockSecret'
  | 'getAccount'
  | 'setMails'
  | 'rememberNotify'
>

export interface SecretRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly linkBaseUrl: string
  readonly channels: Pick<Channels, 'canMail'>
  readonly sealing: Sealing
}

/** `/secrets/new`, `/secrets/{id}`, `/secrets/{id}/unlock`, `/secrets/{id}/destroy`. */
export function addSecretRoutes(options: SecretRoutesOptions): void {
  const { router, sotto, linkBaseUrl } = options
  router.owner('/secrets/new', {
    get: (visit) => showNewSecret(options, visit),
    post: (visit, fields, files) => createOrSave(options, visit, fields, files),
    takesFiles: takesFiles(sotto.policy.files),
  })
  router.owner('/secrets/:id', { get: (visit) => showSecret(sotto, linkBaseUrl, visit) })
  router.owner('/secrets/:id/unlock', { post: (visit, fields) => unlock(sotto, visit, fields) })
  router.owner('/secrets/:id/destroy', {
    get: (visit) => askToDestroy(sotto, visit),
    post: ownerButton({
      run: (visit) => sotto.destroySecret(named(visit)),
      audit: ['secret_destroyed', 'secret_id'],
      done: '/dashboard?done=destroyed',
    }),
    takesAccessAway: true,
  })
}

async function showNewSecret(options: SecretRoutesOptions, visit: OwnerVisit): Promise<Answer> {
  const folder = parseUuid(visit.query['folder'] ?? '') ?? ''
  const values = {
    folder,
    label: '',
    note: '',
    opens: '1',
    count: '',
    notify: visit.notifies ? 'on' : '',
    labels: '',
    expires: defaultExpires,
    'show-files': '',
  }
  return showForm(options, visit, values, {})
}

async function showForm(
  { sotto, channels, sealing }: SecretRoutesOptions,
  visit: OwnerVisit,
  values: SecretFields,
  problems: FieldProblems<SecretFieldName>,
  status = 400,
): Promise<Answer> {
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  // A secret needs a folder to be put into: the dashboard says how to make one.
  if (folders.value.items.length === 0) return redirect('/dashboard')
  const mails = await mailsOf(sotto, visit, channels.canMail)
  if (mails.isErr()) return errorAnswer(visit, mails.error)
  const usage = await shownFileUsage(sotto, visit)
  if (usage.isErr()) return errorAnswer(visit, usage.error)
  const isRefused = Object.keys(problems).length > 0
  const page = newSecretPage(visit.localized, {
    folders: folders.value.items,
    values,
    problems,
    noteMaxBytes: sotto.policy.noteMaxBytes,
    mails: mails.value,
    files: usage.value && { usage: usage.value, isShown: values['show-files'] !== '' },
    // What was not encrypted when it was sent was meant to be like that.
    sealing: isRefused && sealing === 'ticked' ? 'offer' : sealing,
  })
  return show(page, isRefused ? status : 200)
}

async function createOrSave(
  options: SecretRoutesOptions,
  visit: OwnerVisit,
  fields: FormFields,
  files: NewFiles | undefined,
): Promise<Answer> {
  const { sotto } = options
  const { localized, accountId } = visit
  const form = formOf(fields, [...secretFieldNames, 'action'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { action: given, password: _, ...values } = form.value
  const action = given || visit.query['action']
  if (action !== 'create' && action !== 'draft') return statusAnswer(localized, 400)
  const { input, problems } = secretInputOf(visit, form.value)
  const again = ({ problems: found, status }: RefusedFiles): Promise<Answer> => {
    const all = withReminders(visit, { form: form.value, files }, found)
    return showForm(options, visit, values, all, status)
  }
  // The core checks the other fields when it stores. With an unknown lifetime or with files, which are read before, they are checked now.
  const { lifetimeSeconds, ...draft } = input
  if (problems.expires !== undefined || files !== undefined) {
    const all = await allProblems(sotto, visit, { ...draft, hasFiles: files !== undefined }, problems)
    if (all.isErr()) return errorAnswer(visit, all.error)
    if (Object.keys(all.value).length > 0) return again({ problems: all.value, status: 400 })
  }
  const received = await receiveFiles(sotto, visit, files)
  if (received.isErr()) return isAnswer(received.error) ? received.error : again(received.error)
  const upload = received.value
  const added = { accountId, ...draft, upload, showsFiles: values['show-files'] !== '' }
  const stored =
    action === 'create'
      ? await sotto.createSecret({ ...added, lifetimeSeconds })
      : await sotto.saveDraft(added)
  if (stored.isErr()) {
    await dropUnused(sotto, visit, upload, stored.error)
    const refused = refusedFiles(visit, stored.error)
    if (refused === undefined) return errorAnswer(visit, stored.error)
    return again({ ...refused, problems: { ...refused.problems, ...problems } })
  }
  const { id } = stored.value
  const ids = { account_id: accountId, secret_id: id }
  audit(visit, action === 'create' ? 'secret_created' : 'draft_saved', ids)
  await chooseLabels(sotto, visit, values)
  await rememberNotify(sotto, visit, input)
  return redirect(action === 'create' ? `/secrets/${id}?new=1` : `/drafts/${id}?done=draftSaved`)
}

/** The next form begins with the same choice. The secret is stored already, so an error is only logged. */
async function rememberNotify(
  sotto: UseCases,
  { accountId, notifies, request }: OwnerVisit,
  { notify }: { readonly notify: boolean },
): Promise<void> {
  if (notify === notifies) return
  const remembered = await sotto.rememberNotify({ accountId, notify })
  if (remembered.isErr()) logError(request.log, remembered.error, 503)
}

async function showSecret(sotto: UseCases, linkBaseUrl: string, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, query } = visit
  const secret = await sotto.viewSecret({ accountId, id: idOf(visit) })
  if (secret.isErr()) return errorAnswer(visit, secret.error)
  await noteLook(sotto, visit, secret.value)
  const url = `${linkBaseUrl}/${secret.value.link.token}`
  const folder = await folderOf(sotto, visit, secret.value.folderId)
  return show(
    secretPage(localized, {
      secret: secret.value,
      url,
      folderLabel: folder?.label,
      isNew: query['new'] !== undefined,
      done: doneOf(localized, query['done']),
      nowMicros: visit.nowMicros,
    }),
  )
}

/** `undefined` when it cannot be read: that is no reason not to show the secret. */
async function folderOf(
  sotto: UseCases,
  { accountId }: OwnerVisit,
  id: string,
): Promise<FolderWithCounts | undefined> {
  const folder = await sotto.getFolder({ accountId, id })
  return folder.isOk() ? folder.value : undefined
}

/** Whoever mistyped the password can go on at once. */
async function unlock(sotto: UseCases, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized } = visit
  const id = idOf(visit)
  const form = formOf(fields, [])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const unlocked = await sotto.unlockSecret({ accountId, id })
  if (unlocked.isErr()) return errorAnswer(visit, unlocked.error)
  if (!unlocked.value.wasLocked) return redirect(`/secrets/${id}`)
  audit(visit, 'secret_unlocked', { account_id: accountId, secret_id: id })
  return redirect(`/secrets/${id}?done=unlocked`)
}

async function askToDestroy(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized } = visit
  const found = await sotto.viewSecret({ accountId, id: idOf(visit) })
  if (found.isErr()) return errorAnswer(visit, found.error)
  const { id, label } = found.value
  const texts = localized.texts.secrets.secret
  const [heading, lead, button] = isOpenable(found.value)
    ? [texts.destroyHeading, texts.destroyLead, texts.destroy]
    : [texts.removeHeading, texts.removeHint, texts.remove]
  return askBefore(visit, { path: `/secrets/${id}`, verb: 'destroy', label, heading, lead, button })
}

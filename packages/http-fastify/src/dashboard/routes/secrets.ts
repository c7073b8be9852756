import { parseUuid, type ErrorOf, type FolderWithCounts } from '@sotto/core'
import { logError } from '../../http/answers/log.ts'
import type { FormFields } from '../../http/bodies/form.ts'
import type { DashboardUseCases } from '../../use-cases.ts'
import { redirect, show, type Answer } from '../answers.ts'
import { audit } from '../audit.ts'
import { errorAnswer, statusAnswer } from '../errors.ts'
import { formOf } from '../form.ts'
import { chooseLabels, offersLabels } from '../mail-labels.ts'
import { fieldProblems, type FieldProblems } from '../pages/fields.ts'
import { newSecretPage } from '../pages/new-secret-page.ts'
import { formNames, secretFieldNames, type SecretFieldName, type SecretFields } from '../pages/secret-form.ts'
import { secretPage } from '../pages/secret-page.ts'
import { isOpenable } from '../pages/secret-status.ts'
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
  | 'getFolder'
  | 'checkNewSecret'
  | 'createSecret'
  | 'saveDraft'
  | 'viewSecret'
  | 'destroySecret'
  | 'getAccount'
  | 'setMails'
  | 'rememberNotify'
>

export interface SecretRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly linkBaseUrl: string
  readonly channels: Pick<Channels, 'canMail'>
}

/** `/secrets/new`, `/secrets/{id}`, `/secrets/{id}/destroy`. */
export function addSecretRoutes(options: SecretRoutesOptions): void {
  const { router, sotto, linkBaseUrl } = options
  router.owner('/secrets/new', {
    get: (visit) => showNewSecret(options, visit),
    post: (visit, fields) => createOrSave(options, visit, fields),
  })
  router.owner('/secrets/:id', { get: (visit) => showSecret(sotto, linkBaseUrl, visit) })
  router.owner('/secrets/:id/destroy', {
    get: (visit) => askToDestroy(sotto, visit),
    post: (visit) => destroy(sotto, visit),
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
  }
  return showForm(options, visit, values, {})
}

async function showForm(
  { sotto, channels }: SecretRoutesOptions,
  visit: OwnerVisit,
  values: SecretFields,
  problems: FieldProblems<SecretFieldName>,
): Promise<Answer> {
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  // Without a folder there is nothing to put a secret into: the dashboard says how to make one.
  if (folders.value.items.length === 0) return redirect('/dashboard')
  const offers = await offersLabels(sotto, visit, channels.canMail)
  if (offers.isErr()) return errorAnswer(visit, offers.error)
  const page = newSecretPage(visit.localized, {
    folders: folders.value.items,
    values,
    problems,
    noteMaxBytes: sotto.policy.noteMaxBytes,
    offersLabels: offers.value,
  })
  return show(page, Object.keys(problems).length === 0 ? 200 : 400)
}

async function createOrSave(
  options: SecretRoutesOptions,
  visit: OwnerVisit,
  fields: FormFields,
): Promise<Answer> {
  const { sotto } = options
  const { localized, accountId } = visit
  const form = formOf(fields, [...secretFieldNames, 'action'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { action, password: _, ...values } = form.value
  if (action !== 'create' && action !== 'draft') return statusAnswer(localized, 400)
  const { input, problems } = secretInputOf(visit, form.value)
  const again = (found: FieldProblems<SecretFieldName>): Promise<Answer> =>
    showForm(options, visit, values, withPasswordAgain(localized, form.value, found))
  // The core also finds what is wrong with the other fields, and stores nothing when a number is none.
  const { lifetimeSeconds, ...draft } = input
  if (problems.expires !== undefined) {
    const all = await allProblems(sotto, visit, draft, problems)
    return all.isErr() ? errorAnswer(visit, all.error) : again(all.value)
  }
  const stored =
    action === 'create'
      ? await sotto.createSecret({ accountId, ...draft, lifetimeSeconds })
      : await sotto.saveDraft({ accountId, ...draft })
  if (stored.isErr()) return refused(visit, problems, stored.error, again)
  const { id } = stored.value
  audit(visit, action === 'create' ? 'secret_created' : 'draft_saved', {
    account_id: accountId,
    secret_id: id,
  })
  await chooseLabels(sotto, visit, values)
  await rememberNotify(sotto, visit, input)
  return redirect(action === 'create' ? `/secrets/${id}?new=1` : `/drafts/${id}?done=draftSaved`)
}

/** The next form begins with the same choice. The secret is stored by now: an error is logged, and shown to nobody. */
async function rememberNotify(
  sotto: UseCases,
  { accountId, notifies, request }: OwnerVisit,
  { notify }: { readonly notify: boolean },
): Promise<void> {
  if (notify === notifies) return
  const remembered = await sotto.rememberNotify({ accountId, notify })
  if (remembered.isErr()) logError(request.log, remembered.error, 503)
}

function refused(
  visit: OwnerVisit,
  problems: FieldProblems<SecretFieldName>,
  error: ErrorOf<DashboardUseCases['createSecret' | 'saveDraft']>,
  again: (problems: FieldProblems<SecretFieldName>) => Promise<Answer>,
): Promise<Answer> {
  if (error.code !== 'fields_invalid') return Promise.resolve(errorAnswer(visit, error))
  const found = fieldProblems(visit.localized, error.errors, formNames)
  return again({ ...found, ...problems })
}

async function showSecret(sotto: UseCases, linkBaseUrl: string, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, query } = visit
  const secret = await sotto.viewSecret({ accountId, id: idOf(visit) })
  if (secret.isErr()) return errorAnswer(visit, secret.error)
  const url = `${linkBaseUrl}/${secret.value.link.token}`
  const folder = await folderOf(sotto, visit, secret.value.folderId)
  return show(
    secretPage(localized, {
      secret: secret.value,
      url,
      folderLabel: folder?.label,
      isNew: query['new'] !== undefined,
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

async function destroy(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId } = visit
  const id = idOf(visit)
  const destroyed = await sotto.destroySecret({ accountId, id })
  if (destroyed.isErr()) return errorAnswer(visit, destroyed.error)
  audit(visit, 'secret_destroyed', { account_id: accountId, secret_id: id })
  return redirect('/dashboard?done=destroyed')
}

import { newRequestErrors, parseUuid, shortNameError, takesFiles, type FieldError } from '@sotto/core'
import { logCorruption, logError, type FormFields, bareOrigin } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { cursorText, parseCursor } from '../shared/cursor-text.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { mailsOf } from '../shared/mail-labels.ts'
import { doneOf } from '../shared/done.ts'
import { fieldProblems } from '../shared/fields.ts'
import {
  newRequestPage,
  requestFieldNames,
  requestFormNames,
  requestLifetimes,
  type NewRequestPageInput,
} from './new-request-page.ts'
import { ownerButton } from '../shared/owner-form.ts'
import { requestPage, requestsPage } from './request-pages.ts'
import type { Router } from '../shared/router.ts'
import { idOf, named, type OwnerVisit } from '../shared/visit.ts'
import { allFolders, onePage } from '../shared/lists.ts'
import type { Sealing } from '../sealed/sealing.ts'
import type { Channels } from '../shared/channels.ts'

type UseCases = Pick<
  DashboardUseCases,
  | 'policy'
  | 'listFolders'
  | 'createRequest'
  | 'listRequests'
  | 'getRequest'
  | 'closeRequest'
  | 'listAnswers'
  | 'getAccount'
  | 'setDisplayName'
>

export interface RequestRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly linkBaseUrl: string
  readonly channels: Pick<Channels, 'canMail'>
  readonly sealing: Sealing
}

/** `/requests`, `/requests/new`, `/requests/{id}`, `/requests/{id}/close`. */
export function addRequestRoutes(options: RequestRoutesOptions): void {
  const { router, sotto, linkBaseUrl } = options
  router.owner('/requests', { get: (visit) => showRequests(sotto, visit) })
  router.owner('/requests/new', {
    get: (visit) => showNewRequest(options, visit),
    post: (visit, fields) => create(options, visit, fields),
  })
  router.owner('/requests/:id', { get: (visit) => showRequest(sotto, linkBaseUrl, visit) })
  router.owner('/requests/:id/close', {
    post: ownerButton({
      run: (visit) => sotto.closeRequest(named(visit)),
      audit: ['request_closed', 'request_id'],
      done: (_closed, visit) => `/requests/${idOf(visit)}?done=requestClosed`,
    }),
    takesAccessAway: true,
  })
}

async function showRequests(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, query } = visit
  const requests = await onePage(
    (range) => sotto.listRequests({ accountId, ...range }),
    parseCursor(query['after']),
  )
  if (requests.isErr()) return errorAnswer(visit, requests.error)
  const answers = await onePage((range) => sotto.listAnswers({ accountId, ...range }), undefined)
  if (answers.isErr()) return errorAnswer(visit, answers.error)
  const { items, next } = requests.value
  const corrupted = [...requests.value.corrupted, ...answers.value.corrupted]
  logCorruption(visit.request.log, corrupted)
  const page = requestsPage(localized, {
    requests: items,
    newAnswers: answers.value.items,
    more: next && `/requests?after=${cursorText(next)}`,
    hasCorruption: corrupted.length > 0,
    done: doneOf(localized, query['done']),
  })
  return show(page)
}

async function showNewRequest(options: RequestRoutesOptions, visit: OwnerVisit): Promise<Answer> {
  const account = await options.sotto.getAccount({ accountId: visit.accountId })
  if (account.isErr()) return errorAnswer(visit, account.error)
  const values = {
    name: account.value.displayName ?? '',
    title: '',
    text: '',
    folder: parseUuid(visit.query['folder'] ?? '') ?? '',
    answers: '1',
    expires: String(requestLifetimes[1]),
    files: '',
    notify: visit.notifies ? 'on' : '',
    seal: '',
    key: '',
  }
  return showForm(options, visit, { values, problems: {} })
}

async function showForm(
  { sotto, channels, sealing }: RequestRoutesOptions,
  visit: OwnerVisit,
  form: Pick<NewRequestPageInput, 'values' | 'problems'>,
): Promise<Answer> {
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  // Answers need a folder to be put into: the dashboard says how to make one.
  if (folders.value.items.length === 0) return redirect('/dashboard')
  const mails = await mailsOf(sotto, visit, channels.canMail)
  if (mails.isErr()) return errorAnswer(visit, mails.error)
  const isRefused = Object.keys(form.problems).length > 0
  const page = newRequestPage(visit.localized, {
    folders: folders.value.items,
    mails: mails.value,
    takesFiles: takesFiles(sotto.policy.files),
    // A box that was not ticked when the form was sent stays like that.
    sealing: isRefused && sealing === 'ticked' ? 'offer' : sealing,
    ...form,
  })
  return show(page, isRefused ? 400 : 200)
}

async function create(options: RequestRoutesOptions, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { sotto } = options
  const { accountId, localized } = visit
  const form = formOf(fields, requestFieldNames)
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { title, text, name, folder: folderId, answers, expires, files, notify } = form.value
  // Ticked without a key, it is refused: nobody meant a request whose answers the server can read.
  const key = form.value.seal === '' ? undefined : form.value.key
  const lifetimeSeconds = requestLifetimes.find((seconds) => String(seconds) === expires)
  if (lifetimeSeconds === undefined && expires !== '') return statusAnswer(localized, 400)
  const again = (errors: readonly FieldError[]): Promise<Answer> => {
    const problems = fieldProblems(localized, errors, requestFormNames)
    return showForm(options, visit, { values: form.value, problems })
  }
  const request = { title, text, answersAllowed: numberOf(answers), lifetimeSeconds, key }
  const broken = shortNameError(name.trim())
  if (broken !== undefined) {
    const checked = { ...request, lifetimeSeconds: lifetimeSeconds ?? requestLifetimes[1] }
    return again([{ field: 'displayName', ...broken }, ...newRequestErrors(checked)])
  }
  const flags = { notify: notify !== '', takesFiles: files !== '' }
  const created = await sotto.createRequest({ accountId, ...request, folderId, ...flags })
  if (created.isErr())
    return created.error.code === 'fields_invalid'
      ? again(created.error.errors)
      : errorAnswer(visit, created.error)
  await keepName(sotto, visit, name)
  const { id } = created.value
  audit(visit, 'request_created', { account_id: accountId, request_id: id })
  return redirect(`/requests/${id}?new=1`)
}

/** Keeps the name that the form asked for. The request is stored already, so an error is only logged. */
async function keepName(sotto: UseCases, visit: OwnerVisit, name: string): Promise<void> {
  const { accountId, request } = visit
  const account = await sotto.getAccount({ accountId })
  if (account.isOk() && account.value.displayName === name.trim()) return
  const kept = await sotto.setDisplayName({ accountId, displayName: name })
  if (kept.isOk()) audit(visit, 'display_name_changed', { account_id: accountId })
  else logError(request.log, kept.error, 503)
}

/** The number of answers: one unless something else was typed; 0, which no request allows, when that is no whole number. */
function numberOf(text: string): number {
  const trimmed = text.trim()
  if (trimmed === '') return 1
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : 0
}

async function showRequest(sotto: UseCases, linkBaseUrl: string, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, query } = visit
  const id = idOf(visit)
  const request = await sotto.getRequest({ accountId, id })
  if (request.isErr()) return errorAnswer(visit, request.error)
  const answers = await onePage(
    (range) => sotto.listAnswers({ accountId, requestId: id, ...range }),
    parseCursor(query['after']),
  )
  if (answers.isErr()) return errorAnswer(visit, answers.error)
  const { items, corrupted, next } = answers.value
  logCorruption(visit.request.log, corrupted)
  const page = requestPage(localized, {
    request: request.value,
    answers: items,
    more: next && `/requests/${id}?after=${cursorText(next)}`,
    hasCorruption: corrupted.length > 0,
    linkBaseUrl: bareOrigin(linkBaseUrl).origin,
    isNew: query['new'] === '1',
    done: doneOf(localized, query['done']),
  })
  return show(page)
}

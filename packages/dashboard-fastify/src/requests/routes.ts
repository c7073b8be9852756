import { parseUuid, takesFiles } from '@sotto/core'
import { logCorruption, type FormFields, bareOrigin } from '@sotto/http-fastify/plugin'
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
  requestPage,
  requestsPage,
  type NewRequestPageInput,
} from './request-pages.ts'
import type { Router } from '../shared/router.ts'
import { idOf, type OwnerVisit } from '../shared/visit.ts'
import { allFolders, onePage } from '../shared/lists.ts'
import type { Channels } from '../shared/channels.ts'

type UseCases = Pick<
  DashboardUseCases,
  'policy' | 'listFolders' | 'createRequest' | 'listRequests' | 'getRequest' | 'closeRequest' | 'getAccount'
>

export interface RequestRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly linkBaseUrl: string
  readonly channels: Pick<Channels, 'canMail'>
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
  router.owner('/requests/:id/close', { post: (visit) => close(sotto, visit), takesAccessAway: true })
}

async function showRequests(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, query } = visit
  const requests = await onePage(
    (range) => sotto.listRequests({ accountId, ...range }),
    parseCursor(query['after']),
  )
  if (requests.isErr()) return errorAnswer(visit, requests.error)
  const { items, corrupted, next } = requests.value
  logCorruption(visit.request.log, corrupted)
  const page = requestsPage(localized, {
    requests: items,
    more: next && `/requests?after=${cursorText(next)}`,
    hasCorruption: corrupted.length > 0,
    done: doneOf(localized, query['done']),
  })
  return show(page)
}

function showNewRequest(options: RequestRoutesOptions, visit: OwnerVisit): Promise<Answer> {
  const values = {
    title: '',
    text: '',
    folder: parseUuid(visit.query['folder'] ?? '') ?? '',
    answers: '1',
    expires: String(requestLifetimes[1]),
    files: '',
    notify: visit.notifies ? 'on' : '',
  }
  return showForm(options, visit, { values, problems: {} })
}

async function showForm(
  { sotto, channels }: RequestRoutesOptions,
  visit: OwnerVisit,
  form: Pick<NewRequestPageInput, 'values' | 'problems'>,
): Promise<Answer> {
  const folders = await allFolders(sotto, visit)
  if (folders.isErr()) return errorAnswer(visit, folders.error)
  // Answers need a folder to be put into: the dashboard says how to make one.
  if (folders.value.items.length === 0) return redirect('/dashboard')
  const mails = await mailsOf(sotto, visit, channels.canMail)
  if (mails.isErr()) return errorAnswer(visit, mails.error)
  const page = newRequestPage(visit.localized, {
    folders: folders.value.items,
    mails: mails.value,
    takesFiles: takesFiles(sotto.policy.files),
    ...form,
  })
  return show(page, Object.keys(form.problems).length === 0 ? 200 : 400)
}

async function create(options: RequestRoutesOptions, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { sotto } = options
  const { accountId, localized } = visit
  const form = formOf(fields, requestFieldNames)
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { title, text, folder: folderId, answers, expires, files, notify } = form.value
  const lifetimeSeconds = requestLifetimes.find((seconds) => String(seconds) === expires)
  if (lifetimeSeconds === undefined && expires !== '') return statusAnswer(localized, 400)
  const created = await sotto.createRequest({
    accountId,
    title,
    text,
    folderId,
    answersAllowed: numberOf(answers),
    lifetimeSeconds,
    notify: notify !== '',
    takesFiles: files !== '',
  })
  if (created.isErr()) {
    if (created.error.code !== 'fields_invalid') return errorAnswer(visit, created.error)
    const problems = fieldProblems(localized, created.error.errors, requestFormNames)
    return showForm(options, visit, { values: form.value, problems })
  }
  const { id } = created.value
  audit(visit, 'request_created', { account_id: accountId, request_id: id })
  return redirect(`/requests/${id}?new=1`)
}

/** The number of answers: one unless something else was typed; 0, which no request allows, when that is no whole number. */
function numberOf(text: string): number {
  const trimmed = text.trim()
  if (trimmed === '') return 1
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : 0
}

async function showRequest(sotto: UseCases, linkBaseUrl: string, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, query } = visit
  const request = await sotto.getRequest({ accountId, id: idOf(visit) })
  if (request.isErr()) return errorAnswer(visit, request.error)
  const page = requestPage(localized, {
    request: request.value,
    linkBaseUrl: bareOrigin(linkBaseUrl).origin,
    isNew: query['new'] === '1',
    done: doneOf(localized, query['done']),
  })
  return show(page)
}

async function close(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { accountId } = visit
  const id = idOf(visit)
  const closed = await sotto.closeRequest({ accountId, id })
  if (closed.isErr()) return errorAnswer(visit, closed.error)
  audit(visit, 'request_closed', { account_id: accountId, request_id: id })
  return redirect(`/requests/${id}?done=requestClosed`)
}

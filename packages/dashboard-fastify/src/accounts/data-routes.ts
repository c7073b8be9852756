import type { ExportItem } from '@sotto/identity'
import { finished } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type FormFields, bareOrigin } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import {
  boundDownload,
  createDownloadSlots,
  downloadStream,
  type DownloadSlot,
  type DownloadSlots,
} from './downloads.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { createExportWriter } from './export-json.ts'
import { questionPage, type QuestionInput } from '../shared/question-page.ts'
import {
  reauthenticationField,
  reauthenticationNeed,
  refusedReauthentication,
} from '../shared/reauthentication.ts'
import type { Router } from '../shared/router.ts'
import type { SessionCookie } from '../sessions/cookies.ts'
import type { OwnerVisit } from '../shared/visit.ts'

type UseCases = Pick<DashboardUseCases, 'exportAccount' | 'deleteAccount'>

/** When to try again while another download of the account is under way. */
const retryAfterSeconds = 10

export interface AccountDataRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly cookie: SessionCookie
  readonly linkBaseUrl: string
}

/** `/settings/download` and `/settings/delete`. */
export function addAccountDataRoutes(options: AccountDataRoutesOptions): void {
  const { router, sotto, cookie, linkBaseUrl } = options
  const downloads = { sotto, linkOrigin: bareOrigin(linkBaseUrl).origin, slots: createDownloadSlots() }
  router.owner('/settings/download', {
    get: (visit) => askToDownload(visit),
    post: (visit, fields) => download(downloads, visit, fields),
  })
  router.session('/settings/delete', {
    get: (visit) => askToDelete(visit),
    post: (visit, fields) => remove(sotto, cookie, visit, fields),
  })
}

interface DownloadOptions {
  readonly sotto: UseCases
  readonly linkOrigin: string
  readonly slots: DownloadSlots
}

function askToDownload(visit: OwnerVisit, problem?: string, status = 200): Promise<Answer> {
  const { heading, lead, button } = visit.localized.texts.accounts.settings.download
  return ask(
    visit,
    { heading, lead, button, action: '/settings/download', isDownload: true },
    problem,
    status,
  )
}

/** Sends a download. A form asks for it, so that it counts as a change: it takes as much work as many pages. */
async function download(options: DownloadOptions, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized, nowMicros } = visit
  const again = (problem: string, status: number) => askToDownload(visit, problem, status)
  const refused = await refusedReauthentication(visit, fields, again)
  if (refused !== undefined) return refused
  const slot = options.slots.take(accountId)
  if (slot === 'all_busy') return statusAnswer(localized, 503)
  if (slot === 'account_busy') {
    const resetAtMicros = nowMicros + retryAfterSeconds * 1_000_000
    return errorAnswer(visit, { code: 'quota_exceeded', resetAtMicros, retryAfterSeconds })
  }
  let answer: Answer | undefined
  try {
    answer = await begin(options, visit, slot)
    return answer
  } finally {
    if (answer?.kind !== 'download') slot.release()
  }
}

async function begin(
  { sotto, linkOrigin }: DownloadOptions,
  visit: OwnerVisit,
  { release }: DownloadSlot,
): Promise<Answer> {
  const { accountId, request } = visit
  const pages = sotto.exportAccount({ accountId })
  // The first page is read before the headers go out, so that an error is an error page.
  const first = await pages.next()
  if (first.done === true) return statusAnswer(visit.localized, 500)
  if (first.value.isErr()) return errorAnswer(visit, first.value.error)
  audit(visit, 'account_downloaded', { account_id: accountId })
  const { log } = request
  const content = downloadStream(exportText(first.value.value.items, pages, { linkOrigin, log }))
  return {
    kind: 'download',
    fileName: 'sotto.json',
    content,
    begun(answer) {
      finished(answer, release)
      boundDownload(answer, () => {
        log.info('a download was cut off, because its reader took too long')
        answer.destroy()
      })
    },
  }
}

/** An error ends the text early, so that it is not valid JSON. */
async function* exportText(
  first: readonly ExportItem[],
  rest: ReturnType<DashboardUseCases['exportAccount']>,
  { linkOrigin, log }: { readonly linkOrigin: string; readonly log: FastifyBaseLogger },
): AsyncGenerator<string, void, void> {
  const writer = createExportWriter(linkOrigin)
  yield writer.write(first)
  for await (const page of rest) {
    if (page.isErr()) {
      log.error({ error: page.error }, 'a download was cut off')
      throw new Error('a download was cut off')
    }
    for (const error of page.value.corrupted)
      log.error({ error }, 'a corrupted row was left out of a download')
    yield writer.write(page.value.items)
  }
  yield writer.end()
}

function askToDelete(visit: OwnerVisit, problem?: string, status = 200): Promise<Answer> {
  const {
    question: heading,
    questionLead: lead,
    heading: button,
  } = visit.localized.texts.accounts.settings.deletion
  return ask(visit, { heading, lead, button, action: '/settings/delete' }, problem, status)
}

/** Asks before something that needs a fresh re-authentication. */
async function ask(
  visit: OwnerVisit,
  question: Omit<QuestionInput, 'place' | 'back' | 'fields'>,
  problem: string | undefined,
  status: number,
): Promise<Answer> {
  const { localized } = visit
  const fields = reauthenticationField({
    reauthentication: await reauthenticationNeed(visit),
    problem,
    id: 'proof',
    hasFocus: true,
  })
  return show(questionPage(localized, { ...question, place: 'settings', back: '/settings', fields }), status)
}

async function remove(
  sotto: UseCases,
  cookie: SessionCookie,
  visit: OwnerVisit,
  fields: FormFields,
): Promise<Answer> {
  const { accountId } = visit
  const again = (problem: string, status: number) => askToDelete(visit, problem, status)
  const refused = await refusedReauthentication(visit, fields, again)
  if (refused !== undefined) return refused
  const deleted = await sotto.deleteAccount({ accountId })
  if (deleted.isErr()) return errorAnswer(visit, deleted.error)
  audit(visit, 'account_deleted', { account_id: accountId })
  return redirect('/login?account-deleted=1', cookie.remove)
}

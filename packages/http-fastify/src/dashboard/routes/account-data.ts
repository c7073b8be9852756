import { Readable } from 'node:stream'
import type { ExportAccountError, ExportItem, Pages } from '@sotto/core'
import type { FastifyBaseLogger } from 'fastify'
import type { FormFields } from '../../http/form-body.ts'
import { bareOrigin } from '../../http/bare-origin.ts'
import { isLedByOtherSite } from '../../http/same-origin.ts'
import type { DashboardUseCases } from '../../use-cases.ts'
import { redirect, show, type Answer } from '../answers.ts'
import { audit } from '../audit.ts'
import { createDownloadSlots, downloadStream, type DownloadSlot, type DownloadSlots } from '../downloads.ts'
import { crossSiteAnswer, errorAnswer, statusAnswer } from '../errors.ts'
import { createExportWriter } from '../export-json.ts'
import { formOf } from '../form.ts'
import { questionPage } from '../pages/question-page.ts'
import { proofField } from '../pages/settings-page.ts'
import { needsProof, prove } from '../proof.ts'
import { countChange, type Router } from '../router.ts'
import type { SessionCookie } from '../session-cookie.ts'
import type { OwnerVisit } from '../visit.ts'

type UseCases = Pick<DashboardUseCases, 'exportAccount' | 'deleteAccount' | 'ensureProof' | 'takeQuota'>

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
  router.owner('/settings/download', { get: (visit) => download(downloads, visit) })
  router.session('/settings/delete', {
    get: (visit) => Promise.resolve(askToDelete(visit)),
    post: (visit, fields) => remove(sotto, cookie, visit, fields),
  })
}

interface DownloadOptions {
  readonly sotto: UseCases
  readonly linkOrigin: string
  readonly slots: DownloadSlots
}

/**
 * Counts as a change, because it takes as much work as many pages. So another site must not be able to start downloads in an owner's browser,
 * which it could do without leaving its own page.
 */
async function download(options: DownloadOptions, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, nowMicros, request } = visit
  if (isLedByOtherSite(request.headers)) return crossSiteAnswer(localized)
  if (request.method === 'HEAD') return downloadOf(Readable.from([]))
  const refused = await countChange(options, visit)
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
  const content = downloadStream(exportText(first.value.value.items, pages, { linkOrigin, log: request.log }))
  return downloadOf(content, release)
}

function downloadOf(content: Readable, release = (): void => undefined): Answer {
  return { kind: 'download', fileName: 'sotto.json', content, release }
}

/** An error ends the text early, so that it is not valid JSON. */
async function* exportText(
  first: readonly ExportItem[],
  rest: Pages<ExportItem, ExportAccountError>,
  { linkOrigin, log }: { readonly linkOrigin: string; readonly log: FastifyBaseLogger },
): AsyncGenerator<string, void, void> {
  const writer = createExportWriter(linkOrigin)
  yield writer.write(first)
  for await (const page of rest) {
    if (page.isErr()) {
      log.error({ error: page.error }, 'a download was cut off')
      throw new Error('a download was cut off')
    }
    for (const error of page.value.damaged) log.error({ error }, 'a damaged row was left out of a download')
    yield writer.write(page.value.items)
  }
  yield writer.end()
}

function askToDelete(visit: OwnerVisit, problem?: string, status = 200): Answer {
  const { localized } = visit
  const { question: heading, questionLead: lead, button } = localized.texts.account.settings.deletion
  const fields = proofField(localized, { needsProof: needsProof(visit), problem, id: 'proof' })
  const action = '/settings/delete'
  return show(
    questionPage(localized, { place: 'settings', heading, lead, action, button, back: '/settings', fields }),
    status,
  )
}

async function remove(
  sotto: UseCases,
  cookie: SessionCookie,
  visit: OwnerVisit,
  fields: FormFields,
): Promise<Answer> {
  const { accountId, localized } = visit
  const form = formOf(fields, ['proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const outcome = await prove(sotto, visit, form.value.proof)
  if (outcome !== undefined) {
    return 'kind' in outcome ? outcome : askToDelete(visit, outcome.problem, outcome.status)
  }
  const deleted = await sotto.deleteAccount({ accountId })
  if (deleted.isErr()) return errorAnswer(visit, deleted.error)
  audit(visit, 'account_deleted', { account_id: accountId })
  return redirect('/login?account-deleted=1', cookie.remove)
}

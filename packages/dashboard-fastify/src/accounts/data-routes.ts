import type { ExportItem } from '@sotto/identity'
import { ok, type Result } from 'neverthrow'
import { finished } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { bareOrigin } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, type Answer } from '../shared/answers.ts'
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
import { ownerButton, provenQuestion, type Question } from '../shared/owner-form.ts'
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
  router.owner(
    '/settings/download',
    provenQuestion<OwnerVisit>(
      ({ localized }) => {
        const { heading, lead, button } = localized.texts.accounts.settings.download
        return asked({ heading, lead, button, action: '/settings/download', isDownload: true })
      },
      (visit) => download(downloads, visit),
    ),
  )
  router.session(
    '/settings/delete',
    provenQuestion<OwnerVisit>(
      ({ localized }) => {
        const { question, questionLead: lead, heading: button } = localized.texts.accounts.settings.deletion
        return asked({ heading: question, lead, button, action: '/settings/delete' })
      },
      ownerButton({
        run: ({ accountId }) => sotto.deleteAccount({ accountId }),
        audit: ['account_deleted'],
        done: () => redirect('/login?account-deleted=1', cookie.remove),
      }),
    ),
  )
}

function asked(question: Omit<Question, 'back'>): Promise<Result<Question, never>> {
  return Promise.resolve(ok({ ...question, back: '/settings' }))
}

interface DownloadOptions {
  readonly sotto: UseCases
  readonly linkOrigin: string
  readonly slots: DownloadSlots
}

/** Sends a download. A form asks for it, so that it counts as a change: it takes as much work as many pages. */
async function download(options: DownloadOptions, visit: OwnerVisit): Promise<Answer> {
  const { accountId, localized, nowMicros } = visit
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

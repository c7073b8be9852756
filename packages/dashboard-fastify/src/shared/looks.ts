import type { DraftWithNote } from '@sotto/core'
import { badge, type Html } from '@sotto/html'
import type { FastifyRequest } from 'fastify'
import { logError } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import type { LocalizedDashboard } from './localized.ts'
import type { OwnerVisit } from './visit.ts'

/**
 * Notes that the owner has looked at a secret or an answer, where it has news. A page that a browser fetches ahead, or whose head alone is asked
 * for, has nobody looked at. An error is only logged: the page is shown all the same.
 */
export async function noteLook(
  sotto: Pick<DashboardUseCases, 'markSeen'>,
  { accountId, request }: OwnerVisit,
  { id, news }: { readonly id: string; readonly news: number },
): Promise<void> {
  if (news === 0 || !isLook(request)) return
  const seen = await sotto.markSeen({ accountId, id, news })
  if (seen.isErr()) logError(request.log, seen.error, 503)
}

/** Whether somebody looks at the page that is asked for (Fetch, section 2.2.7, and what browsers sent before). */
function isLook({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-moz'], headers['x-purpose']]
  return method !== 'HEAD' && purposes.every((purpose) => purpose === undefined)
}

/** Marks an answer in a list that its owner has not looked at. The page needs `badgeStyle`. */
export function newMark({ texts }: LocalizedDashboard, answers: DraftWithNote['answers']): Html | undefined {
  return answers?.isNew === true ? badge(texts.requests.isNew, 'good') : undefined
}

import { show, type Answer } from './answers.ts'
import { errorAnswer } from './errors.ts'
import { noticePage } from './notices.ts'
import type { Visit } from './visit.ts'

/** The answer where a one-time link cannot be taken. */
export function refusedInvitation(visit: Visit, error: Parameters<typeof errorAnswer>[1]): Answer {
  if (error.code !== 'welcome_not_found') return errorAnswer(visit, error)
  return show(noticePage(visit.localized, visit.localized.texts.invitations.gone), 404)
}

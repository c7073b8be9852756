import type { Session } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { DashboardError, DashboardUseCases } from '../use-cases.ts'
import type { SessionCookie } from './cookies.ts'
import type { Visit } from '../shared/visit.ts'

/** How many tokens of one request are looked up. No browser gets more of them from us. */
export const sentTokensMax = 16

interface EndOptions {
  readonly sotto: Pick<DashboardUseCases, 'authenticateSession' | 'endSession'>
  readonly cookie: SessionCookie
  readonly visit: Visit
}

export interface EndedSession {
  readonly accountId: Uuid
  readonly id: Session['id']
}

/** Ends the session of each token that the browser sent, of the first {@link sentTokensMax}. The first error, when one was not ended. */
export async function endSentSessions({
  sotto,
  cookie,
  visit,
}: EndOptions): Promise<Result<readonly EndedSession[], DashboardError>> {
  const sessions: EndedSession[] = []
  for (const token of cookie.readAll(visit.request.raw).slice(0, sentTokensMax)) {
    const signedIn = await sotto.authenticateSession({ token })
    if (signedIn.isErr()) {
      if (signedIn.error.code === 'session_invalid') continue
      return err(signedIn.error)
    }
    const session = { accountId: signedIn.value.caller.accountId, id: signedIn.value.session.id }
    const ended = await sotto.endSession(session)
    if (ended.isErr() && ended.error.code !== 'session_not_found') return err(ended.error)
    sessions.push(session)
  }
  return ok(sessions)
}

/**
 * A browser has one session: those that it had before end with a new one (ASVS 5, 7.2.4). The new one is stored by now, so a failure is no
 * reason to refuse it: the older session ends by itself.
 */
export async function endOlderSessions(options: EndOptions): Promise<void> {
  const ended = await endSentSessions(options)
  if (ended.isErr()) options.visit.request.log.warn({ error: ended.error }, 'an older session was not ended')
}

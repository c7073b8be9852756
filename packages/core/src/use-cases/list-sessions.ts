import { ok, type Result } from 'neverthrow'
import { isSessionAlive, type Session } from '../entities/session.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import type { StoredSession } from '../ports/session-store.ts'
import { creationOf, pagesOf, type ListInput, type Pages } from './pages.ts'

export type ListSessionsDeps = PortMethods<{ sessions: 'page'; clock: 'nowMicros' }>
export interface ListSessionsInput extends ListInput {
  readonly accountId: Uuid
}
export type ListSessionsError = StorageError

/** The account's sessions that are not over, by creation and id. Never their tokens. */
export async function* listSessions(
  { sessions, clock }: ListSessionsDeps,
  { accountId, after: first, pageSize }: ListSessionsInput,
): Pages<Session, ListSessionsError> {
  const nowMicros = clock.nowMicros()
  const pages = pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => sessions.page(accountId, after, limit),
    cursorOf: creationOf,
    show: (session: StoredSession): Result<StoredSession, never> => ok(session),
  })
  for await (const page of pages) {
    yield page.map(({ items, ...rest }) => ({
      ...rest,
      items: items
        .filter((session) => isSessionAlive(session, nowMicros))
        .map(({ accountId: _, ...session }) => session),
    }))
  }
}

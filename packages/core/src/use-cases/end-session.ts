import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { SessionNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

export type EndSessionDeps = PortMethods<{ sessions: 'erase' }>
export interface EndSessionInput {
  readonly accountId: Uuid
  readonly id: string
}
export type EndSessionError = SessionNotFound | StorageError

/**
 * Ends a session: whoever has its token is signed out from now on.
 * @errors `session_not_found`, the same for an unknown, malformed, ended or another account's id
 */
export function endSession(
  { sessions }: EndSessionDeps,
  { accountId, id }: EndSessionInput,
): ResultAsync<void, EndSessionError> {
  return sessions
    .erase(accountId, uuidToFind(id))
    .andThen((found): Result<void, SessionNotFound> => (found ? ok() : err({ code: 'session_not_found' })))
}

import {
  allScopes,
  type Caller,
  type Language,
  type StorageError,
  type Digests,
  type Clock,
} from '@sotto/core'
import { isOpaqueToken } from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isUseToBeRecorded } from '@sotto/core'
import { isSessionAlive, type Session } from './session.ts'
import type { SessionInvalid } from './errors.ts'
import type { SessionStore } from './session-store.ts'

export interface AuthenticateSessionDeps {
  readonly sessions: Pick<SessionStore, 'findByDigest' | 'recordUse'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly clock: Clock
}
export interface AuthenticateSessionInput {
  /** The session's token as the browser sent it. */
  readonly token: string
}
export type AuthenticateSessionError = SessionInvalid | StorageError

/** An owner who is signed in. */
export interface SignedIn {
  readonly caller: Caller
  readonly session: Session
  /** The language that the owner chose; `undefined` follows the browser. */
  readonly language: Language | undefined
  /** Whether the owner wanted to hear of the opens of the secret that was created last on the pages. */
  readonly notifies: boolean
  /** The time at which this was decided. */
  readonly nowMicros: number
}

/**
 * Finds out whose session this is.
 * @errors `session_invalid`, the same for a malformed, unknown or ended session and for a disabled account
 */
export function authenticateSession(
  deps: AuthenticateSessionDeps,
  input: AuthenticateSessionInput,
): ResultAsync<SignedIn, AuthenticateSessionError> {
  return new ResultAsync(findSession(deps, input))
}

async function findSession(
  { sessions, digests, clock }: AuthenticateSessionDeps,
  { token }: AuthenticateSessionInput,
): Promise<Result<SignedIn, AuthenticateSessionError>> {
  if (!isOpaqueToken(token)) return err({ code: 'session_invalid' })
  const found = await sessions.findByDigest(digests.opaqueTokenDigest('session', token))
  if (found.isErr()) return err(found.error)
  const nowMicros = clock.nowMicros()
  const status = found.value
  if (status === undefined || status.accountDisabled || !isSessionAlive(status, nowMicros)) {
    return err({ code: 'session_invalid' })
  }
  const { accountId, accountDisabled: _, name: _name, language, notifies, ...session } = status
  if (isUseToBeRecorded(session.lastUsedAtMicros, nowMicros)) sessions.recordUse(session.id, nowMicros)
  return ok({
    caller: { accountId, via: { kind: 'session', id: session.id }, scopes: allScopes },
    session,
    language,
    notifies,
    nowMicros,
  })
}

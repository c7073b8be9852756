import { allScopes, isUseToBeRecorded, type Caller, type Language } from '@sotto/core'
import { aString, isOpaqueToken } from '@sotto/core/building-blocks'
import { err, ok } from 'neverthrow'
import { useCase } from '../use-case.ts'
import { sessionInvalid } from './errors.ts'
import { isSessionAlive, type Session } from './session.ts'

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
export const authenticateSession = useCase({
  needs: ['sessions.findByDigest', 'sessions.recordUse', 'digests.opaqueTokenDigest', 'clock.nowMicros'],
  takes: {
    /** The session's token as the browser sent it. */
    token: aString,
  },
  async run({ sessions, digests, clock }, { token }) {
    if (!isOpaqueToken(token)) return err(sessionInvalid)
    const found = await sessions.findByDigest(digests.opaqueTokenDigest('session', token))
    if (found.isErr()) return found
    const nowMicros = clock.nowMicros()
    const status = found.value
    if (status === undefined || status.accountDisabled || !isSessionAlive(status, nowMicros))
      return err(sessionInvalid)
    const { accountId, accountDisabled: _, name: _name, language, notifies, ...session } = status
    if (isUseToBeRecorded(session.lastUsedAtMicros, nowMicros)) sessions.recordUse(session.id, nowMicros)
    return ok<SignedIn>({
      caller: { accountId, via: { kind: 'session', id: session.id }, scopes: allScopes },
      session,
      language,
      notifies,
      nowMicros,
    })
  },
})

import { makeOpaqueToken, opaqueTokenRandomBytes, type OpaqueToken } from '../entities/opaque-token.ts'
import { sessionsMax, type Session } from '../entities/session.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { PortMethods } from '../ports/ports.ts'
import type { StoredSession } from '../ports/session-store.ts'
import { newId } from './ids.ts'
import { listPageSize } from './pages.ts'

// What the use-cases that sign somebody in have in common.

/** A session that was just made, with its token. The token cannot be read again. */
export interface NewSession extends Session {
  readonly accountId: Uuid
  readonly token: OpaqueToken
}

/** A session that is not stored yet. */
export interface MadeSession {
  readonly token: OpaqueToken
  readonly stored: StoredSession
  readonly digest: Uint8Array
}

export function makeSession(
  {
    digests,
    clock,
    random,
  }: PortMethods<{ digests: 'opaqueTokenDigest'; clock: 'nowMicros'; random: 'bytes' }>,
  accountId: Uuid,
): MadeSession {
  const nowMicros = clock.nowMicros()
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const stored = {
    id: newId(random, nowMicros),
    accountId,
    createdAtMicros: nowMicros,
    reauthenticatedAtMicros: nowMicros,
    lastUsedAtMicros: nowMicros,
  }
  return { token, stored, digest: digests.opaqueTokenDigest('session', token) }
}

export type SurplusSessionsDeps = PortMethods<{ sessions: 'page' | 'erase' }>

/**
 * Ends the oldest sessions of an account that has more than {@link sessionsMax}, but never the one that was made just now.
 * An error ends this early; the next sign-in continues.
 */
export async function eraseSurplusSessions(
  { sessions }: SurplusSessionsDeps,
  { accountId, id: newestId }: StoredSession,
): Promise<void> {
  for (;;) {
    const page = await sessions.page(accountId, undefined, listPageSize)
    if (page.isErr()) return
    const surplus = page.value.filter(({ id }) => id !== newestId).slice(0, -(sessionsMax - 1))
    for (const { id } of surplus) {
      const erased = await sessions.erase(accountId, id)
      if (erased.isErr()) return
    }
    if (page.value.length < listPageSize) return
  }
}

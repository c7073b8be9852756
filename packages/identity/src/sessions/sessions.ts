import {
  makeOpaqueToken,
  type Uuid,
  uuidToFind,
  type StorageError,
  type Digests,
  type Clock,
  type Random,
  type TextCipher,
  type ListInput,
  type Pages,
  listPageSize,
} from '@sotto/core'
import {
  type OpaqueToken,
  opaqueTokenRandomBytes,
  foundOr,
  newId,
  creationOf,
  pagesOf,
} from '@sotto/core/building-blocks'
import { type Result, type ResultAsync, ok } from 'neverthrow'
import { type NamedSession, type Session, isSessionAlive, sessionsMax } from './session.ts'
import type { SessionNotFound } from './errors.ts'
import type { SessionStore, StoredSession } from './session-store.ts'

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

/** @param reauthenticatedAtMicros when its owner proved who they are; now by default */
export function makeSession(
  {
    digests,
    clock,
    random,
  }: { readonly digests: Pick<Digests, 'opaqueTokenDigest'>; readonly clock: Clock; readonly random: Random },
  accountId: Uuid,
  reauthenticatedAtMicros?: number,
): MadeSession {
  const nowMicros = clock.nowMicros()
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const stored = {
    id: newId(random, nowMicros),
    accountId,
    name: undefined,
    createdAtMicros: nowMicros,
    reauthenticatedAtMicros: reauthenticatedAtMicros ?? nowMicros,
    lastUsedAtMicros: nowMicros,
  }
  return { token, stored, digest: digests.opaqueTokenDigest('session', token) }
}

export interface SurplusSessionsDeps {
  readonly sessions: Pick<SessionStore, 'page' | 'erase'>
}

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

export interface ListSessionsDeps {
  readonly sessions: Pick<SessionStore, 'page'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
}
export interface ListSessionsInput extends ListInput {
  readonly accountId: Uuid
}
export type ListSessionsError = StorageError

/**
 * The account's sessions that are not over, by creation and id. Never their tokens. A name that does not decrypt is left out, because the
 * session can be used all the same: `findCorruptedRows` names it.
 */
export async function* listSessions(
  { sessions, textCipher, clock }: ListSessionsDeps,
  { accountId, after: first, pageSize }: ListSessionsInput,
): Pages<NamedSession, ListSessionsError> {
  const nowMicros = clock.nowMicros()
  const pages = pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => sessions.page(accountId, after, limit),
    cursorOf: creationOf,
    show: (session: StoredSession): Result<StoredSession, never> => ok(session),
  })
  const show = ({ accountId: _, name, ...session }: StoredSession): NamedSession => {
    const place = { column: 'session.name', accountId, rowId: session.id } as const
    return { ...session, name: name && textCipher.decryptText(place, name).unwrapOr(undefined) }
  }
  for await (const page of pages) {
    yield page.map(({ items, ...rest }) => ({
      ...rest,
      items: items.filter((session) => isSessionAlive(session, nowMicros)).map(show),
    }))
  }
}

export interface EndSessionDeps {
  readonly sessions: Pick<SessionStore, 'erase'>
}
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
  return sessions.erase(accountId, uuidToFind(id)).andThen(foundOr('session_not_found'))
}

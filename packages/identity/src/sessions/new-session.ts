import { listPageSize, makeOpaqueToken, type StorageError, type Uuid } from '@sotto/core'
import { newId, opaqueTokenRandomBytes, type OpaqueToken } from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import type { DepsOf } from '../use-case.ts'
import { knownAddressesNeeds, rememberAddress } from './known-addresses.ts'
import { sessionsMax, type Session } from './session.ts'
import type { StoredSession } from './session-store.ts'

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

/** What {@link makeSession} needs. */
export const makeSessionNeeds = ['digests.opaqueTokenDigest', 'clock.nowMicros', 'random.bytes'] as const

/** @param reauthenticatedAtMicros when its owner proved who they are; now by default */
export function makeSession(
  { digests, clock, random }: DepsOf<(typeof makeSessionNeeds)[number]>,
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

/** What {@link eraseSurplusSessions} needs. */
export const surplusSessionsNeeds = ['sessions.page', 'sessions.erase'] as const

/**
 * Ends the oldest sessions of an account that has more than {@link sessionsMax}, but never the one that was made just now.
 * An error ends this early; the next sign-in continues.
 */
export async function eraseSurplusSessions(
  { sessions }: DepsOf<(typeof surplusSessionsNeeds)[number]>,
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

/** What {@link startSession} needs. */
export const startSessionNeeds = [
  ...makeSessionNeeds,
  ...surplusSessionsNeeds,
  ...knownAddressesNeeds,
  'sessions.insert',
] as const

/**
 * Stores a session that begins with a password or passkey, whose address is known from then on. `undefined` when the account does not have that
 * any more, or is disabled.
 */
export async function startSession(
  deps: DepsOf<(typeof startSessionNeeds)[number]>,
  { authenticatorId, accountId }: { readonly authenticatorId: Uuid; readonly accountId: Uuid },
  address: string,
): Promise<Result<NewSession | undefined, StorageError>> {
  const { token, stored, digest } = makeSession(deps, accountId)
  const inserted = await deps.sessions.insert(stored, digest, authenticatorId)
  if (inserted.isErr()) return err(inserted.error)
  if (!inserted.value) return ok(undefined)
  // The owner is signed in: an error of the rest must not say that nothing happened.
  await rememberAddress(deps, { accountId, address }).unwrapOr(undefined)
  await eraseSurplusSessions(deps, stored)
  return ok({ ...stored, token })
}

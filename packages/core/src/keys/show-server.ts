import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { KeyRingUnfit } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { KeyRingAdmin } from './key-ring-admin.ts'
import type { KeyStore, ServerStore } from './key-store.ts'
import type { Clock } from '../shared/clock.ts'
import { forgottenAfterMicros, newestHeld, unfitToServe } from './key-ring.ts'

export interface ShowServerDeps {
  readonly keyRing: Pick<KeyRingAdmin, 'refresh' | 'kids' | 'checkValue'>
  readonly keys: Pick<KeyStore, 'known'>
  readonly servers: Pick<ServerStore, 'show'>
  readonly clock: Clock
}
export interface ShowServerInput {
  /** A random id, for one run of a server. */
  readonly id: Uuid
  /** Tells an operator which server it is. */
  readonly name: string
}
export type ShowServerError = StorageError

/** Shows that a server with a key file of its own runs, and which keys it holds: no key becomes active that it lacks. Every few seconds. */
export function showServer(
  { keyRing, keys, servers, clock }: ShowServerDeps,
  { id, name }: ShowServerInput,
): ResultAsync<void, ShowServerError> {
  return keys.known().andThen((known) => {
    keyRing.refresh()
    const seenAtMicros = clock.nowMicros()
    const kid = newestHeld(keyRing, known)
    return servers.show({ id, name, kid, seenAtMicros }, seenAtMicros - forgottenAfterMicros)
  })
}

export interface HideServerDeps {
  readonly servers: Pick<ServerStore, 'remove'>
}
export type HideServerInput = Pick<ShowServerInput, 'id'>
export type HideServerError = StorageError

/** Removes a server that has ended: no key waits for it any more. */
export function hideServer(
  { servers }: HideServerDeps,
  { id }: HideServerInput,
): ResultAsync<void, HideServerError> {
  return servers.remove(id)
}

export interface CheckActiveKeyDeps {
  readonly keyRing: Pick<KeyRingAdmin, 'follow' | 'kids' | 'checkValue'>
  readonly keys: Pick<KeyStore, 'known'>
}
export type CheckActiveKeyError = KeyRingUnfit | StorageError

/**
 * Ok when the ring holds the active key and all before it, and encrypts under it. Otherwise the process can write nothing that is encrypted,
 * and cannot read what others write.
 * @errors `key_ring_unfit`
 */
export function checkActiveKey(deps: CheckActiveKeyDeps): ResultAsync<void, CheckActiveKeyError> {
  return new ResultAsync(check(deps))
}

async function check({ keyRing, keys }: CheckActiveKeyDeps): Promise<Result<void, CheckActiveKeyError>> {
  await keyRing.follow()
  const known = await keys.known()
  if (known.isErr()) return err(known.error)
  const unfit = unfitToServe(keyRing, known.value)
  return unfit === undefined ? ok() : err(unfit)
}

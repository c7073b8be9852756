import type { ResultAsync } from 'neverthrow'
import type { Digests } from './digests.ts'
import type { StorageError } from './errors.ts'
import type { Uuid } from './uuid.ts'

/** The rule of an idempotency key: 1 to 255 visible ASCII characters. */
export type IdempotencyKeyRule = 'not_visible_ascii'

/** How long a key is remembered: 24 hours. */
export const idempotencyMicros = 86_400 * 1_000_000

/** An idempotency key of an account. */
export interface IdempotencyKey {
  readonly accountId: Uuid
  readonly idempotencyKey: string
}

/** What an idempotency key was claimed for. */
export interface ClaimedKey {
  /** The digest of the request that claimed it; see `RequestDigests`. */
  readonly request: Uint8Array
  readonly secretId: Uuid
}

/** Tells which keys of an account are claimed. */
export interface ClaimedKeys {
  /** The account's claim under any of these digests of its key that was made after `forgottenByMicros`; `undefined` when there is none. */
  find(
    accountId: Uuid,
    keys: readonly Uint8Array[],
    forgottenByMicros: number,
  ): ResultAsync<ClaimedKey | undefined, StorageError>
}

/** What is stored of the idempotency key of an account, for each key of the ring. */
export function keyDigests(
  digests: Pick<Digests, 'keyedDigests'>,
  { accountId, idempotencyKey }: IdempotencyKey,
): readonly Uint8Array[] {
  return digests.keyedDigests('idempotency-key', `${accountId}/${idempotencyKey}`)
}

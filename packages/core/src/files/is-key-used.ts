import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { Digests } from '../shared/digests.ts'
import type { Clock } from '../shared/clock.ts'
import { idempotencyMicros, keyDigests } from '../shared/idempotency-key.ts'

/** The part of `IdempotencyStore` that tells whether a key is claimed. */
export interface ClaimedKeys {
  /** See `IdempotencyStore.find`. */
  find(
    accountId: Uuid,
    keys: readonly Uint8Array[],
    forgottenByMicros: number,
  ): ResultAsync<object | undefined, StorageError>
}

export interface IsKeyUsedDeps {
  readonly idempotencyKeys: ClaimedKeys
  readonly digests: Pick<Digests, 'keyedDigests'>
  readonly clock: Clock
}
export interface IsKeyUsedInput {
  readonly accountId: Uuid
  readonly idempotencyKey: string
}
export type IsKeyUsedError = StorageError

/** Whether an earlier request with an idempotency key has created a secret, in the 24 hours for which a key is remembered. */
export function isKeyUsed(
  { idempotencyKeys, digests, clock }: IsKeyUsedDeps,
  input: IsKeyUsedInput,
): ResultAsync<boolean, IsKeyUsedError> {
  return idempotencyKeys
    .find(input.accountId, keyDigests(digests, input), clock.nowMicros() - idempotencyMicros)
    .map((claim) => claim !== undefined)
}

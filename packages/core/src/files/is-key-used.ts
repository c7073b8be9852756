import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import type { Digests } from '../shared/digests.ts'
import type { Clock } from '../shared/clock.ts'
import {
  idempotencyMicros,
  keyDigests,
  type ClaimedKeys,
  type IdempotencyKey,
} from '../shared/idempotency-key.ts'

export interface IsKeyUsedDeps {
  readonly idempotencyKeys: ClaimedKeys
  readonly digests: Pick<Digests, 'keyedDigests'>
  readonly clock: Clock
}
export type IsKeyUsedInput = IdempotencyKey
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

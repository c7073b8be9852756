import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { PortMethods } from '../storage/ports.ts'
import { idempotencyMicros, keyDigests } from './idempotency.ts'

export type IsKeyUsedDeps = PortMethods<{
  idempotencyKeys: 'find'
  digests: 'keyedDigests'
  clock: 'nowMicros'
}>
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

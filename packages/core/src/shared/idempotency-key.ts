import type { Digests } from './digests.ts'
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

/** What is stored of the idempotency key of an account, for each key of the ring. */
export function keyDigests(
  digests: Pick<Digests, 'keyedDigests'>,
  { accountId, idempotencyKey }: IdempotencyKey,
): readonly Uint8Array[] {
  return digests.keyedDigests('idempotency-key', `${accountId}/${idempotencyKey}`)
}

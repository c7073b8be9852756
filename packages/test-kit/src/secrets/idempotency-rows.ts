import type { ClaimedKey, RequestDigests, StoredShareableSecret, Uuid } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import type { Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import type { StorageUnderTest } from '../stores/harness.ts'
import { secretOf } from '../stores/rows.ts'

export function makeDigests(make: Samples): RequestDigests {
  return { key: make.bytes(32), request: make.bytes(32) }
}

/** @param forgottenByMicros by default nothing is forgotten */
export function claim(digests: readonly RequestDigests[], forgottenByMicros = -1) {
  return { digests, forgottenByMicros }
}

/** Whether the secret was the first with these digests. */
export async function insertOnce(
  { idempotencyKeys }: StorageUnderTest,
  make: Samples,
  secret: StoredShareableSecret,
  digests: readonly RequestDigests[],
  forgottenByMicros?: number,
): Promise<boolean> {
  return expectOk(await idempotencyKeys.insertSecret(secret, make.note(), claim(digests, forgottenByMicros)))
}

export async function claimedBy(
  { idempotencyKeys }: StorageUnderTest,
  accountId: Uuid,
  keys: readonly Uint8Array[],
  forgottenByMicros = -1,
): Promise<ClaimedKey | undefined> {
  return expectOk(await idempotencyKeys.find(accountId, keys, forgottenByMicros))
}

/** Holds when the one secret that was the first is stored, and no other. */
export async function oneIsStored(
  store: StorageUnderTest,
  secrets: readonly StoredShareableSecret[],
  firsts: readonly boolean[],
  { key }: RequestDigests,
): Promise<void> {
  const [first, ...others] = secrets.filter((_, at) => firsts[at])
  same(others, [], 'further secrets that were the first')
  const stored = await Promise.all(secrets.map(({ accountId, id }) => secretOf(store, accountId, id)))
  same(
    stored.filter((row) => row !== undefined),
    first === undefined ? [] : [first],
    'the secrets that are stored',
  )
  same((await claimedBy(store, secrets[0]?.accountId ?? '', [key]))?.secretId, first?.id, 'the claim')
}

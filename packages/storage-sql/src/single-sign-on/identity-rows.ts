import type { IdentityOrigin, StoredIdentity } from '@sotto/core'
import { encryptedOf } from '../engine/codec.ts'
import type { Dialect } from '../engine/engine.ts'

/** The columns of an identity, in the order of {@link identityColumns}; others may follow. */
export type IdentityRow = readonly [
  id: unknown,
  accountId: unknown,
  origin: IdentityOrigin,
  createdAt: number,
  lastUsedAt: number | null,
  refusedAt: number | null,
  kid: number,
  name: Uint8Array | null,
  ...more: unknown[],
]

export function identityColumns({ id, texts }: Dialect): string {
  return `${id.read('id')}, ${id.read('account_id')}, origin, created_at, last_used_at, refused_at, kid, ${texts.read('name')}`
}

export function identityOf({ id }: Dialect, found: IdentityRow): StoredIdentity {
  const [identityId, accountId, origin, createdAtMicros, lastUsedAt, refusedAt, kid, name] = found
  return {
    id: id.out(identityId),
    accountId: id.out(accountId),
    origin,
    createdAtMicros,
    lastUsedAtMicros: lastUsedAt ?? undefined,
    refusedAtMicros: refusedAt ?? undefined,
    name: encryptedOf(kid, name),
  }
}

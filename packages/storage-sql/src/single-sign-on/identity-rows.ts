import type { IdentityOrigin, StoredIdentity } from '@sotto/identity'
import { encryptedOf } from '../engine/codec.ts'
import { rows, type Dialect, type SqlValue, type Work } from '../engine/engine.ts'

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

/** The identities of an account, inside work. */
export function* identitiesOf(dialect: Dialect, account: SqlValue): Work<readonly StoredIdentity[]> {
  const found = yield* rows<IdentityRow>(
    `SELECT ${identityColumns(dialect)} FROM identities WHERE account_id = $1 ORDER BY created_at, id`,
    account,
  )
  return found.map((each) => identityOf(dialect, each))
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

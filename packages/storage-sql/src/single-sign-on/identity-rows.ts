import type { IdentityStatus, StoredIdentity } from '@sotto/identity'
import { rows, type Dialect, type SqlValue, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { identityTables } from './tables.ts'

const fields = {
  id: 'id',
  accountId: 'account_id',
  origin: 'origin',
  createdAtMicros: 'created_at',
  lastUsedAtMicros: 'last_used_at',
  refusedAtMicros: 'refused_at',
  name: 'name',
} as const

export const identityRows = rowsOf(identityTables.identities).as<
  StoredIdentity,
  { readonly digest: Uint8Array }
>(fields, { digest: 'digest' })

/** Not a join: SQLite plans a join again each time it runs. */
export const statusRows = rowsOf(identityTables.identities).reading<IdentityStatus>({
  ...fields,
  accountDisabled: {
    type: 'flag',
    sql: '(SELECT disabled_at IS NOT NULL FROM accounts WHERE id = account_id)',
  },
  accountHeld: { type: 'flag', sql: '(SELECT held FROM accounts WHERE id = account_id)' },
})

/** The identities of an account, inside work. */
export function* identitiesOf(dialect: Dialect, account: SqlValue): Work<readonly StoredIdentity[]> {
  const { columns, read } = identityRows(dialect)
  const found = yield* rows(
    `SELECT ${columns} FROM identities WHERE account_id = $1 ORDER BY created_at, id`,
    account,
  )
  return found.map(read)
}

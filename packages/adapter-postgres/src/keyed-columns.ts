import type { TextColumn } from '@sotto/core'

/** Where a short encrypted text belongs. Its table also has the columns `id` and `kid`, and an index on (kid, id). */
interface KeyedColumn {
  readonly table: string
  readonly column: string
  /** The column that holds the id of the account that the row belongs to. */
  readonly accountId: string
}

/**
 * Every column whose texts are encrypted under a key of the ring. Rotation, retirement of keys and checks go by this list: a new encrypted
 * column is one line here.
 */
export const keyedColumns = {
  'account.name': { table: 'accounts', column: 'name', accountId: 'id' },
  'folder.label': { table: 'folders', column: 'label', accountId: 'account_id' },
  'access_token.name': { table: 'access_tokens', column: 'name', accountId: 'account_id' },
  'account.password': { table: 'passwords', column: 'hash', accountId: 'account_id' },
  'webhook.endpoint': { table: 'webhooks', column: 'endpoint', accountId: 'account_id' },
} as const satisfies Record<TextColumn, KeyedColumn>

/** Every table whose rows are under a key, `secrets` with its heads and wraps included. */
export const keyedTables: readonly string[] = [
  ...new Set([...Object.values(keyedColumns).map(({ table }) => table), 'secrets']),
]

/** The number of rows that are under the key `k.kid`, as an SQL expression. */
export const rowsUnderKey = keyedTables
  .map((table) => `(SELECT count(*) FROM ${table} WHERE kid = k.kid)`)
  .join(' + ')

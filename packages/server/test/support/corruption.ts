import type { RawDatabase } from './raw-sqlite.ts'

/** A column that is encrypted, or bound to a ciphertext, and what is reported when a bit of it flips in the row of `of`. */
export interface CorruptionCase {
  readonly table:
    'accounts' | 'folders' | 'access_tokens' | 'passwords' | 'secrets' | 'ciphertexts' | 'long_notes'
  readonly column: string
  readonly of: 'account' | 'folder' | 'token' | 'draft' | 'shared' | 'locked' | 'long'
  readonly kind: 'account' | 'folder' | 'access_token' | 'draft' | 'secret'
  readonly what: string
}

/** The columns of every kind of row; that each bound column is noticed is in the contract of the cipher. */
export const corruptionCases: readonly CorruptionCase[] = [
  { table: 'accounts', column: 'name', of: 'account', kind: 'account', what: 'account.name' },
  { table: 'folders', column: 'label', of: 'folder', kind: 'folder', what: 'folder.label' },
  { table: 'access_tokens', column: 'name', of: 'token', kind: 'access_token', what: 'access_token.name' },
  ...['head', 'wrap', 'note'].map((column): CorruptionCase => ({
    ...{ table: 'ciphertexts', column, of: 'draft', kind: 'draft', what: `secret.${column}` },
  })),
  ...['wrap', 'note'].map((column): CorruptionCase => ({
    ...{ table: 'ciphertexts', column, of: 'locked', kind: 'secret', what: `secret.${column}` },
  })),
  { table: 'ciphertexts', column: 'head', of: 'shared', kind: 'secret', what: 'secret.head' },
  { table: 'long_notes', column: 'note', of: 'long', kind: 'secret', what: 'secret.note' },
  ...['expires_at', 'has_password', 'lookup'].map((column): CorruptionCase => ({
    table: 'secrets',
    column,
    of: 'shared',
    kind: 'secret',
    what: 'secret.head',
  })),
]

/** Flips a bit of this column in the row with this id. */
export function flipBit(
  db: RawDatabase,
  { table, column }: Pick<CorruptionCase, 'table' | 'column'>,
  id: string,
): void {
  const hex = id.replaceAll('-', '').toUpperCase()
  const place = placeOf({ table, column })
  const { value } = db
    .prepare(`SELECT ${place.column} AS value FROM ${place.table} WHERE ${place.where}`)
    .get(hex) as {
    value: Buffer | number | null
  }
  db.prepare(`UPDATE ${place.table} SET ${place.column} = ? WHERE ${place.where}`).run(flipped(value), hex)
}

/** Where the value is stored: texts, heads, wraps and notes have tables of their own. The parameter is the id of the row that they are of. */
function placeOf({ table, column }: Pick<CorruptionCase, 'table' | 'column'>) {
  const own = 'hex(id) = ?'
  if (table === 'secrets') return { table, column, where: own }
  return ['ciphertexts', 'long_notes'].includes(table)
    ? { table, column, where: `nr = (SELECT nr FROM secrets WHERE ${own})` }
    : { table: 'texts', column: 'text', where: `nr = (SELECT ${column}_nr FROM ${table} WHERE ${own})` }
}

function flipped(value: Buffer | number | null): Buffer | number {
  if (!Buffer.isBuffer(value)) return Number(BigInt(value ?? 0) ^ 1n)
  const middle = value.length >> 1
  value[middle] = (value[middle] ?? 0) ^ 4
  return value
}

/**
 * `id`: a UUID. `integer`: a whole number; a time is microseconds since the epoch. `flag`: true or false. `encrypted`: a short encrypted text,
 * which a database may store elsewhere; see `Texts`.
 */
export type ColumnType = 'id' | 'integer' | 'text' | 'bytes' | 'flag' | 'encrypted'

/** One column of a table. */
export interface Column {
  readonly type: ColumnType
  /** Whether it may be NULL. */
  readonly optional?: true
  readonly unique?: true
  /** How many bytes it has. */
  readonly length?: number
  /** Whether its bytes are a ciphertext. */
  readonly isCiphertext?: true
  /** The words that it may have. */
  readonly oneOf?: readonly string[]
  /** The table whose row it names by its key. */
  readonly references?: 'keys' | 'accounts'
  /** A condition on its value, as SQL. */
  readonly check?: string
  /** What a row gets that names no value. */
  readonly default?: number | false
  /** Whether it is a time at which something was written; see `Upkeep.lastWrite`. */
  readonly isWrite?: true
}

/** An index of a table. */
export interface Index {
  /** The columns, in the order of the index. */
  readonly on: string
  /** Further columns for databases that cannot count the rows of the condition otherwise without reading them. */
  readonly covers?: string
  readonly where?: string
}

/** One table, as all databases have it. */
export interface Table {
  readonly name: string
  readonly columns: Readonly<Record<string, Column>>
  readonly key: readonly string[]
  readonly indexes?: Readonly<Record<string, Index>>
  /** Columns that are unique together, by the constraint's name. */
  readonly unique?: Readonly<Record<string, readonly string[]>>
  /** The other row that a row refers to with several columns, and with which it is erased. */
  readonly partOf?: {
    readonly columns: readonly string[]
    readonly table: string
    readonly key: readonly string[]
  }
  /** A condition on a row, as SQL. */
  readonly check?: string
  /** `few`: the rows of an account are erased with it, in one transaction; `many`: in several. */
  readonly ofAccount?: 'few' | 'many'
  /** Whether its rows stay behind in a move. */
  readonly stays?: true
  /** Whether SQLite keeps it as one index of its key: for small rows that are found by their key only. */
  readonly isSmall?: true
  /** Whether each database writes the statement that creates it itself, because it stores the rows in a form of its own. */
  readonly isOwn?: true
}

/** Where an encrypted text of the core is: the table, the column, and the column with the account that the row belongs to. */
export interface TextPlace {
  readonly table: string
  readonly name: string
  readonly owner: string
  /** The column with the keyed digest of the text by which the row is found, if it is. A row where it is NULL keeps it so. */
  readonly index?: string
}

export const id = { type: 'id' } as const
export const integer = { type: 'integer' } as const
export const text = { type: 'text' } as const
export const flag = { type: 'flag' } as const
export const encrypted = { type: 'encrypted' } as const
/** A time that lies ahead or says nothing about when a row was written. */
export const time = { type: 'integer' } as const
export const writtenAt = { type: 'integer', isWrite: true } as const
export const digest = { type: 'bytes', length: 32 } as const
/** Bytes that are encrypted and stored with their row. */
export const ciphertext = { type: 'bytes', isCiphertext: true } as const
export const accountId = { type: 'id', references: 'accounts' } as const
/** The number of the key that the row's ciphertexts are under. */
export const kid = { type: 'integer', references: 'keys' } as const

/** A column that may be NULL. */
export function optional<const C extends Column>(column: C): C & { readonly optional: true } {
  return { ...column, optional: true }
}

/** A value as it is sent: ids as text, times as numbers, ciphertexts and digests as bytes. `undefined` becomes NULL. */
export type Value =
  | string
  | number
  | boolean
  | Uint8Array
  | null
  | undefined
  | readonly (string | number | boolean | Uint8Array | null)[]

/** One statement of the adapter. Its text is fixed, so that the server plans it once a connection. */
export interface Statement {
  /** At most 63 characters, unique in the adapter: the name under which the server keeps it. */
  readonly name: string
  readonly text: string
}

/** A statement with its parameters. */
export interface Asked {
  readonly statement: Statement
  readonly values: readonly Value[]
}

/** Runs statements one after the other: on one connection inside a transaction, on any connection outside. */
export interface Sql {
  /** The rows, each as an array of its columns. Rejects with what pg rejects with. */
  rows<Row extends readonly unknown[]>(
    statement: Statement,
    values?: readonly Value[],
  ): Promise<readonly Row[]>

  /** The only row; `undefined` when there is none. */
  row<Row extends readonly unknown[]>(
    statement: Statement,
    values?: readonly Value[],
  ): Promise<Row | undefined>

  /** How many rows the statement changed. */
  changes(statement: Statement, values?: readonly Value[]): Promise<number>

  /**
   * The rows of several statements, or what pg rejects with, in their order. They are sent together where the connection is pipelined.
   * Outside a transaction, each runs by itself.
   */
  all(asked: readonly Asked[]): Promise<readonly PromiseSettledResult<readonly (readonly unknown[])[]>[]>
}

/** Runs the statements of a transaction. */
export interface Transaction extends Sql {
  /**
   * Runs a statement at the end, together with COMMIT where the connection is pipelined, which saves waiting for it while rows are locked.
   * When it fails, the transaction is rolled back and fails.
   * @param send sends exactly one statement
   */
  atEnd(send: () => Promise<unknown>): void
}

/**
 * A parameter that is an array. The planner does not see how long it is. Otherwise it would find a plan for this length cheaper than one
 * for any length. Then the server would plan the statement again for every call, which takes longer than to run it for a few rows.
 */
export function array(parameter: number, type: string): string {
  return `(SELECT $${parameter}::${type}[])`
}

/** The rows whose columns are arrays of these types: the parameters from `$first` on. */
export function unnest(types: readonly string[], first = 1): string {
  return `unnest(${types.map((type, at) => array(first + at, type)).join(', ')})`
}

/** `($1, $2), ($3, $4), …`: the placeholders of `rows` rows of columns with these types, cast where the server cannot infer the type. */
export function placeholders(rows: number, types: readonly string[]): string {
  let next = 0
  const row = (): string =>
    `(${types.map((type) => `$${(next += 1)}${type === '' ? '' : `::${type}`}`).join(', ')})`
  return Array.from({ length: rows }, row).join(', ')
}

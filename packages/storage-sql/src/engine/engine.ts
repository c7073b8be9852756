import type { Ciphertext, StorageError, Uuid } from '@sotto/core'
import type { Result, ResultAsync } from 'neverthrow'

/**
 * A parameter of a statement. Ids and flags are spelled by the {@link Dialect}. `undefined` stands for NULL. A list is only for statements
 * that are written for one database.
 */
export type SqlValue = string | number | boolean | Uint8Array | null | undefined | readonly string[]

/** A statement that a store asks its engine to run. */
export interface Asked {
  /** The SQL. It is fixed, so that it is planned once. Its parameters are `$1`, `$2`, …; one may stand in several places. */
  readonly text: string
  readonly values: readonly SqlValue[]
  /** What the engine answers: the rows, each as an array of its columns, the first of them, or how many rows the statement changed. */
  readonly answer: 'rows' | 'row' | 'changes'
}

/**
 * What a store does, as a generator: it yields one statement after the other and gets the answer of each, until it returns its own result. An
 * engine runs it, synchronously or asynchronously; see {@link rows}, {@link row} and {@link changes}.
 */
export type Work<T> = Generator<Asked, T, unknown>

/** Runs the work of stores on one database. No method throws or rejects. Once the database is closed, each answers `storage_unavailable`. */
export interface Engine {
  readonly dialect: Dialect

  /** Runs work that only reads. Its statements need not see the same snapshot. */
  read<T>(work: () => Work<T>): ResultAsync<T, StorageError>

  /**
   * Runs one query, without what work costs. Ok with what `make` makes of its first row; with `undefined` when there is none.
   * @param make its parameter is the row, with the columns as the database returns them
   */
  find<T>(
    text: string,
    values: readonly SqlValue[],
    make: (found: never) => T,
  ): ResultAsync<T | undefined, StorageError>

  /** Reads all rows. */
  list<T>(
    text: string,
    values: readonly SqlValue[],
    make: (found: never) => T,
  ): ResultAsync<readonly T[], StorageError>

  /**
   * Runs work in a transaction: Ok commits it, Err rolls it back and is passed on. What was answered with Ok is durable. By default no other
   * transaction interleaves with it.
   * @param work may be called again, after a conflict: it does nothing that a rollback does not undo
   */
  write<T, E = never>(
    work: () => Work<Result<T, E>>,
    options?: WriteOptions,
  ): ResultAsync<T, E | StorageError>

  /** Runs one statement as a transaction of its own. Ok with how many rows it changed. */
  change(text: string, ...values: readonly SqlValue[]): ResultAsync<number, StorageError>

  /**
   * Called, inside work that writes, when it has erased something confidential. The database then removes it from its files, where it can; see
   * `Erasure`.
   */
  erased(): void
}

/** How work that writes is run. */
export interface WriteOptions {
  /**
   * `locks`: other transactions may interleave, but for the rows that this one has locked. For work on rows that many transactions change,
   * which would have to be run again all the time.
   */
  readonly isolation?: 'locks'
}

/** How a database spells what differs. */
export interface Dialect {
  readonly id: IdSpelling
  readonly flag: Spelling<boolean>
  /** Ends a SELECT whose rows are to stay as they are until the transaction ends. Empty where writers take turns anyway. */
  readonly forUpdate: string
  /** The lock of {@link forUpdate} that leaves out rows which another transaction has locked. */
  readonly skipLocked: string
  /** Ends a SELECT whose rows are not to be deleted, nor their keys changed, until the transaction ends. */
  readonly forKeyShare: string
  readonly texts: Texts
}

/** How a database spells values of one type. */
export interface Spelling<T> {
  /** The value as a parameter. */
  in(value: T): SqlValue
  /** @param stored what {@link Spelling.in} has made, as a column returns it */
  out(stored: unknown): T
}

/** How a database spells ids. */
export interface IdSpelling extends Spelling<Uuid> {
  /** A column as an expression in a SELECT. {@link Spelling.out} takes its value, too, and may be faster with it. */
  read(column: string): string
}

/** How a database stores the short encrypted texts of rows: in the row, or elsewhere so that they can be erased in place. */
export interface Texts {
  /** The name of the column that stands for the text `name`. */
  column(name: string): string
  /** The text itself as an expression in a SELECT from its table. NULL where it is missing. */
  read(name: string): string
  /** A text of no bytes. */
  readonly none: string
  /** Stores a text. Returns the value for its column. */
  insert(text: Ciphertext): Work<SqlValue>
  /** Erases the text of the row `id` and stores another one. Returns the value for its column, which is to be written. */
  replace(place: TextColumnPlace, id: SqlValue, text: Ciphertext): Work<SqlValue>
}

/** A table that has the columns `id` and `kid`, and the text `name`. */
export interface TextColumnPlace {
  readonly table: string
  readonly name: string
}

/** The rows of a query. @typeParam Row its columns as the database returns them */
export function* rows<Row extends readonly unknown[]>(
  text: string,
  ...values: readonly SqlValue[]
): Work<readonly Row[]> {
  return (yield { text, values, answer: 'rows' }) as readonly Row[]
}

/** The first row of a query; `undefined` when there is none. */
export function* row<Row extends readonly unknown[]>(
  text: string,
  ...values: readonly SqlValue[]
): Work<Row | undefined> {
  return (yield { text, values, answer: 'row' }) as Row | undefined
}

/** Whether a query finds a row. */
export function* exists(text: string, ...values: readonly SqlValue[]): Work<boolean> {
  return (yield { text, values, answer: 'row' }) !== undefined
}

/** How many rows a query counts. */
export function* countOf(text: string, ...values: readonly SqlValue[]): Work<number> {
  const [counted = 0] = (yield* row<[number]>(text, ...values)) ?? []
  return counted
}

/** How many rows a statement changed. */
export function* changes(text: string, ...values: readonly SqlValue[]): Work<number> {
  return (yield { text, values, answer: 'changes' }) as number
}

/** Work that needs no statement. */
// eslint-disable-next-line require-yield -- that is its purpose
export function* done<T>(result: T): Work<T> {
  return result
}

import type { Ciphertext, Encrypted, Uuid } from '@sotto/core'
import { encryptedOf } from './codec.ts'
import { changes, type Dialect, type SqlValue, type Work } from './engine.ts'
import type { Column, ColumnType, Table } from './table.ts'

// A store says once which column has which field. What reads a row, and what adds one, follows from that and from the table's description.

/** How a database reads rows as values of the core. */
export interface RowReader<Value> {
  /** The columns of a SELECT. Others may follow. */
  readonly columns: string
  /** The value of a row that begins with {@link columns}. */
  readonly read: (found: readonly unknown[]) => Value
}

/** How a database reads and adds rows. @typeParam Besides what is added with a value, but not read */
export interface Rows<Value, Besides = unknown> extends RowReader<Value> {
  /** Adds a row, inside work that writes. One with an encrypted text is added inside `underKey`. */
  readonly insert: (row: Value & Besides) => Work<void>
}

/** Describes the rows of a table, such as `rowsOf(folderTables.folders).as<StoredFolder>({ id: 'id', label: 'label', … })`. */
export function rowsOf<const T extends Table>(table: T): RowsOf<T> {
  return {
    as<Value, Besides>(columns: ColumnOfEach<T, Value>, besides?: PlaceOfEach<T, Besides>) {
      const [fields, more] = [fieldsOf(table, columns), fieldsOf(table, besides ?? {})]
      return onceEach((dialect) => ({
        ...createReader<Value>(dialect, fields),
        insert: createInsert(dialect, table.name, [...fields, ...more]),
      }))
    },
    reading<Value>(sources: SourceOfEach<T, Value>) {
      const fields = fieldsOf(table, sources)
      return onceEach((dialect) => createReader<Value>(dialect, fields))
    },
  }
}

interface RowsOf<T extends Table> {
  /**
   * Says which column has which field of a value.
   * @param besides the columns of what is added with a value, but not read
   */
  as<Value, Besides = unknown>(
    columns: ColumnOfEach<T, Value>,
    besides?: PlaceOfEach<T, Besides>,
  ): (dialect: Dialect) => Rows<Value, Besides>

  /** Says which column has which field of a value, or what a SELECT computes for it. */
  reading<Value>(sources: SourceOfEach<T, Value>): (dialect: Dialect) => RowReader<Value>
}

interface Field {
  readonly name: string
  readonly column: Column
  /** The name of the column, or what computes it. */
  readonly sql: string
}

function fieldsOf(table: Table, sources: object): readonly Field[] {
  return Object.entries<string | (Column & { readonly sql: string })>({ ...sources }).map(
    ([name, source]) => {
      if (typeof source === 'object') return { name, column: source, sql: source.sql }
      const column = table.columns[source]
      if (column === undefined) throw new TypeError(`${table.name} has no column ${source}`)
      return { name, column, sql: source }
    },
  )
}

/** Makes something for each database once. */
function onceEach<Made extends object>(make: (dialect: Dialect) => Made): (dialect: Dialect) => Made {
  const made = new WeakMap<Dialect, Made>()
  return (dialect) => {
    const one = made.get(dialect) ?? make(dialect)
    made.set(dialect, one)
    return one
  }
}

function createReader<Value>(dialect: Dialect, fields: readonly Field[]): RowReader<Value> {
  const columns: string[] = []
  const read = fields.map(({ name, column, sql }) => {
    const at = columns.length
    columns.push(...selected(dialect, column, sql))
    return { name, at, valueAt: createValueAt(dialect, column) }
  })
  return {
    columns: columns.join(', '),
    read(found) {
      const value: Record<string, unknown> = {}
      for (const { name, at, valueAt } of read)
        value[name] = found[at] === null ? undefined : valueAt(found, at)
      return value as Value
    },
  }
}

function selected({ id, texts }: Dialect, { type, optional }: Column, sql: string): readonly string[] {
  if (type === 'encrypted') return ['kid', texts.read(sql)]
  // Where it is missing, it has to stay NULL.
  return [type === 'id' && optional !== true ? id.read(sql) : sql]
}

/** Makes the function that reads a value that is there, from the place of its column in a row. */
function createValueAt(
  { id, flag }: Dialect,
  { type, isCiphertext }: Column,
): (found: readonly unknown[], at: number) => unknown {
  switch (type) {
    case 'id':
      return (found, at) => id.out(found[at])
    case 'flag':
      return (found, at) => flag.out(found[at])
    case 'encrypted':
      return (found, at) => encryptedOf(found[at] as number, found[at + 1] as Uint8Array | null)
    case 'bytes':
      // SQLite reads a Buffer.
      return isCiphertext === true ? same : (found, at) => new Uint8Array(found[at] as Uint8Array)
    case 'integer':
    case 'text':
      return same
  }
}

function same(found: readonly unknown[], at: number): unknown {
  return found[at]
}

function createInsert(
  dialect: Dialect,
  table: string,
  fields: readonly Field[],
): (row: unknown) => Work<void> {
  const columns = fields.flatMap(({ column, sql }) =>
    column.type === 'encrypted' ? ['kid', dialect.texts.column(sql)] : [sql],
  )
  const parameters = columns.map((_, at) => `$${at + 1}`)
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')})`
  return function* (row) {
    const values: SqlValue[] = []
    for (const { name, column } of fields)
      values.push(...(yield* spelled(dialect, column, (row as Readonly<Record<string, unknown>>)[name])))
    yield* changes(text, ...values)
  }
}

function* spelled({ id, flag, texts }: Dialect, { type }: Column, value: unknown): Work<readonly SqlValue[]> {
  if (type === 'encrypted') {
    if (value === undefined) return [undefined, undefined]
    const { kid, ciphertext } = value as Encrypted
    return [kid, yield* texts.insert(ciphertext)]
  }
  if (value === undefined) return [undefined]
  if (type === 'id') return [id.in(value as Uuid)]
  return [type === 'flag' ? flag.in(value as boolean) : (value as SqlValue)]
}

// The types that let the compiler refuse a column that does not hold what its field is.

type ColumnOfEach<T extends Table, Value> = {
  readonly [Field in keyof Value]-?: ColumnHolding<T, Value[Field]>
}

type SourceOfEach<T extends Table, Value> = {
  readonly [Field in keyof Value]-?: ColumnHolding<T, Value[Field]> | Computed<Value[Field]>
}

type PlaceOfEach<T extends Table, Value> = {
  readonly [Field in keyof Value]-?: ColumnTaking<T, Value[Field]>
}

type ColumnHolding<T extends Table, Field> = {
  [C in keyof T['columns']]: IsSame<Held<T['columns'][C]>, Field> extends true ? C : never
}[keyof T['columns']]

type ColumnTaking<T extends Table, Field> = {
  [C in keyof T['columns']]: Field extends Held<T['columns'][C]> ? C : never
}[keyof T['columns']]

type Computed<Field> = { readonly sql: string } & (undefined extends Field
  ? { readonly type: TypeHolding<Exclude<Field, undefined>>; readonly optional: true }
  : { readonly type: TypeHolding<Field> })

type TypeHolding<Field> = {
  [Type in ColumnType]: IsSame<HeldTypes[Type], Field> extends true ? Type : never
}[ColumnType]

type IsSame<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false

/** What a column holds, as the core has it. */
type Held<C extends Column> = C extends { readonly optional: true } ? HeldThere<C> | undefined : HeldThere<C>

type HeldThere<C extends Column> = C extends { readonly oneOf: readonly (infer Word)[] }
  ? Word
  : C extends { readonly isCiphertext: true }
    ? Ciphertext
    : HeldTypes[C['type']]

interface HeldTypes {
  id: Uuid
  integer: number
  text: string
  bytes: Uint8Array
  flag: boolean
  /** A ciphertext takes two columns: this one, and `kid`. */
  encrypted: Encrypted
}

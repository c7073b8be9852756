import type { Column, ColumnType, Index, Table } from './table.ts'

/** How a database spells what its tables are made of. */
export interface TableDialect {
  readonly types: Readonly<Record<ColumnType, string>>
  /** The name of the column that stands for an encrypted text. */
  textColumn(name: string): string
  /** Whether constraints get the names that its errors show. */
  readonly namesConstraints: boolean
  /** Whether an index gets the columns that it {@link Index.covers}. */
  readonly hasCoveringIndexes: boolean
  /** The value `false`. */
  readonly no: string
  /** What else a column has to satisfy, as SQL. */
  checkOf(name: string, column: Column): string | undefined
  /** What follows the columns of a table. */
  optionsOf(table: Table): string
}

/** The statements that create a table and its indexes. */
export function createTable(dialect: TableDialect, table: Table): readonly string[] {
  const columns = Object.entries(table.columns).map(([name, column]) =>
    columnOf(dialect, table, name, column),
  )
  const body = [...columns, ...constraintsOf(dialect, table)].join(',\n  ')
  return [
    `CREATE TABLE ${table.name} (\n  ${body}\n)${dialect.optionsOf(table)}`,
    ...createIndexes(dialect, table),
  ]
}

function columnOf(dialect: TableDialect, table: Table, name: string, column: Column): string {
  const { type, optional, unique, length, oneOf, references, check } = column
  const isKey = table.key.length === 1 && table.key[0] === name
  const checks = [
    ...(length === undefined ? [] : [`length(${name}) = ${length}`]),
    ...(oneOf === undefined ? [] : [`${name} IN ('${oneOf.join("', '")}')`]),
    ...(check === undefined ? [] : [check]),
    ...[dialect.checkOf(name, column)].filter((each) => each !== undefined),
  ]
  return [
    type === 'encrypted' ? dialect.textColumn(name) : name,
    dialect.types[type],
    // A whole number that is the key is the row's own number in SQLite, which is never NULL.
    ...(optional || (isKey && type === 'integer') ? [] : ['NOT NULL']),
    ...(column.default === undefined
      ? []
      : [`DEFAULT ${column.default === false ? dialect.no : column.default}`]),
    ...(isKey ? ['PRIMARY KEY'] : []),
    ...(unique ? ['UNIQUE'] : []),
    ...(references === undefined
      ? []
      : [named(dialect, foreignKeyName(table, references), referenceTo(references))]),
    ...checks.map((each) => `CHECK (${each})`),
  ].join(' ')
}

function foreignKeyName({ name }: Table, references: 'keys' | 'accounts'): string {
  return `${name}_${references === 'keys' ? 'kid' : 'account'}_fkey`
}

function referenceTo(table: 'keys' | 'accounts'): string {
  return `REFERENCES ${table} (${table === 'keys' ? 'kid' : 'id'})`
}

function constraintsOf(
  dialect: TableDialect,
  { name, key, unique = {}, partOf, check }: Table,
): readonly string[] {
  return [
    ...(key.length > 1 ? [`PRIMARY KEY (${key.join(', ')})`] : []),
    ...Object.entries(unique).map(([constraint, columns]) =>
      named(dialect, constraint, `UNIQUE (${columns.join(', ')})`),
    ),
    ...(partOf === undefined
      ? []
      : [
          named(
            dialect,
            `${name}_${partOf.table.replace(/s$/, '')}_fkey`,
            `FOREIGN KEY (${partOf.columns.join(', ')}) REFERENCES ${partOf.table} (${partOf.key.join(', ')}) ON DELETE CASCADE`,
          ),
        ]),
    ...(check === undefined ? [] : [`CHECK (${check})`]),
  ]
}

function named({ namesConstraints }: TableDialect, name: string, constraint: string): string {
  return namesConstraints ? `CONSTRAINT ${name} ${constraint}` : constraint
}

/** The indexes of the table, and one for rotation and the foreign key to `keys` where its rows are under a key. */
function createIndexes({ hasCoveringIndexes }: TableDialect, table: Table): readonly string[] {
  const { name, columns, indexes = {} } = table
  const byKid = columns['kid']?.references === 'keys' ? { [`${name}_by_kid`]: { on: 'kid, id' } } : {}
  return Object.entries<Index>({ ...indexes, ...byKid }).map(([index, { on, covers, where }]) => {
    const all = covers === undefined || !hasCoveringIndexes ? on : `${on}, ${covers}`
    return `CREATE INDEX ${index} ON ${name} (${all})${where === undefined ? '' : ` WHERE ${where}`}`
  })
}

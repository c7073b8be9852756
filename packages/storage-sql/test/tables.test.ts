import { textColumns } from '@sotto/core'
import t from 'tap'
import { allTables, keyedTables, tables, textPlaces, type TableName } from '../src/tables.ts'

t.test('every text column of the core has a place, and every encrypted column is one', (t) => {
  t.same(Object.keys(textPlaces).sort(), [...textColumns].sort())
  const encrypted = allTables.flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([column, { type }]) =>
      type === 'encrypted' ? [`${name}.${column}`] : [],
    ),
  )
  t.same(
    Object.values(textPlaces)
      .map(({ table, name }) => `${table}.${name}`)
      .sort(),
    encrypted.sort(),
  )
  t.end()
})

t.test('a table has at most one encrypted text, and its rows are under a key', (t) => {
  for (const { table } of Object.values<{ readonly table: TableName }>(textPlaces)) {
    const texts = Object.values<{ type: string }>(tables[table].columns).filter(
      ({ type }) => type === 'encrypted',
    )
    // Heads and wrapped keys of secrets are ciphertexts too, and rotated by row.
    t.ok(
      texts.length === 1 && table !== 'secrets',
      `a row of ${table} has one kid, so a second encrypted text in it would be lost: a rotation replaces the texts of one column after ` +
        'the other. Give the text a table of its own, or put both into one text.',
    )
    t.ok(keyedTables.includes(table), table)
  }
  t.end()
})

t.test('the columns of a key come first, in its order, as pages of a move need them', (t) => {
  for (const { name, key, columns } of allTables) t.same(Object.keys(columns).slice(0, key.length), key, name)
  t.end()
})

t.test('no row comes before one that it refers to', (t) => {
  const seen = new Set<string>()
  for (const { name, columns, partOf } of allTables) {
    const referred = Object.values(columns).flatMap(({ references }) => references ?? [])
    for (const table of [...referred, ...(partOf === undefined ? [] : [partOf.table])])
      t.ok(seen.has(table), `${name} after ${table}`)
    seen.add(name)
  }
  t.end()
})

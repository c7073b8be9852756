import type { Ciphertext, Encrypted, Uuid } from '@sotto/core'
import t from 'tap'
import type { Asked, Dialect, Work } from '../src/engine/engine.ts'
import { rowsOf } from '../src/engine/row-codec.ts'
import { ciphertext, encrypted, flag, id, integer, kid, optional, text } from '../src/engine/table.ts'

/** Spells each value so that it shows what it went through. */
const dialect: Dialect = {
  id: {
    in: (value) => `in ${value}`,
    out: (stored) => `out ${String(stored)}`,
    read: (column) => `hex(${column})`,
  },
  flag: { in: Number, out: (stored) => stored === 1 },
  ...{ forUpdate: '', skipLocked: '', forKeyShare: '' },
  texts: {
    column: (name) => `${name}_nr`,
    read: (name) => `text of ${name}`,
    none: '',
    *insert(bytes) {
      return (yield { text: 'INSERT INTO texts', values: [bytes], answer: 'row' }) as number
    },
    replace: (_place, _id, bytes) => dialect.texts.insert(bytes),
  },
}

const table = {
  name: 'things',
  key: ['id'],
  columns: {
    id,
    other_id: optional(id),
    size: optional(integer),
    color: { ...text, oneOf: ['red', 'blue'] },
    shown: flag,
    key: { type: 'bytes' },
    sealed: ciphertext,
    kid: optional(kid),
    name: optional(encrypted),
    digest: { type: 'bytes' },
  },
} as const

interface Thing {
  readonly thingId: Uuid
  readonly otherId: Uuid | undefined
  readonly size: number | undefined
  readonly color: 'red' | 'blue'
  readonly isShown: boolean
  readonly name: Encrypted | undefined
  readonly key: Uint8Array
  readonly sealed: Ciphertext
}

const fields = {
  thingId: 'id',
  otherId: 'other_id',
  size: 'size',
  color: 'color',
  isShown: 'shown',
  name: 'name',
  key: 'key',
  sealed: 'sealed',
} as const

const things = rowsOf(table).as<Thing, { readonly digest: Uint8Array }>(fields, { digest: 'digest' })

const key = Buffer.from([1])
const [sealed, name] = [Buffer.from([2]), Buffer.from([3])].map(
  (bytes) => bytes as Uint8Array as Ciphertext,
) as [Ciphertext, Ciphertext]

t.test('a row is read as a value, each column as its type says', (t) => {
  const { columns, read } = things(dialect)
  t.equal(columns, 'hex(id), other_id, size, color, shown, kid, text of name, key, sealed')
  const value = read(['1', '2', 3, 'red', 1, 4, name, key, sealed, 'another column'])
  t.same(value, {
    ...{ thingId: 'out 1', otherId: 'out 2', size: 3, color: 'red', isShown: true },
    ...{ name: { kid: 4, ciphertext: name }, key: new Uint8Array([1]), sealed },
  })
  t.equal(Buffer.isBuffer(value.key), false, 'plain bytes are no Buffer')
  t.end()
})

t.test('what a row lacks is undefined, and a text that was emptied has no bytes', (t) => {
  const { read } = things(dialect)
  const { otherId, size, name: none } = read(['1', null, null, 'red', 0, null, null, key, sealed])
  t.same([otherId, size, none], [undefined, undefined, undefined])
  t.same(read(['1', null, null, 'red', 0, 4, null, key, sealed]).name, {
    kid: 4,
    ciphertext: new Uint8Array(),
  })
  t.end()
})

t.test('a value is added with what is not read, its text before its row', (t) => {
  const row = {
    ...{ thingId: '1', otherId: '2', size: 3, color: 'blue' as const, isShown: true },
    ...{ key, sealed, name: { kid: 4, ciphertext: name }, digest: key },
  }
  const text =
    'INSERT INTO things (id, other_id, size, color, shown, kid, name_nr, key, sealed, digest) ' +
    'VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)'
  t.same(asked(things(dialect).insert(row)), [
    { text: 'INSERT INTO texts', values: [name], answer: 'row' },
    { text, values: ['in 1', 'in 2', 3, 'blue', 1, 4, 7, key, sealed, key], answer: 'changes' },
  ])
  const bare = { ...row, otherId: undefined, size: undefined, name: undefined }
  const missing = [undefined, undefined, 'blue', 1, undefined, undefined]
  t.same(asked(things(dialect).insert(bare)), [
    { text, values: ['in 1', ...missing, key, sealed, key], answer: 'changes' },
  ])
  t.end()
})

t.test('a field may be computed', (t) => {
  const counted = rowsOf(table).reading<{ readonly thingId: Uuid; readonly parts: number }>({
    thingId: 'id',
    parts: { type: 'integer', sql: '(SELECT count(*) FROM parts)' },
  })
  const { columns, read } = counted(dialect)
  t.equal(columns, 'hex(id), (SELECT count(*) FROM parts)')
  t.same(read(['1', 5]), { thingId: 'out 1', parts: 5 })
  t.end()
})

t.test('statements are made once for each database', (t) => {
  t.equal(things(dialect), things(dialect))
  t.not(things(dialect), things({ ...dialect }))
  t.end()
})

t.test('the compiler refuses a column of another type, and the codec a column that is not there', (t) => {
  // @ts-expect-error -- a size is a number
  rowsOf(table).as<{ readonly size: Uuid | undefined }>({ size: 'size' })
  // @ts-expect-error -- a field lacks its column
  rowsOf(table).as<Thing>({ thingId: 'id' })
  // @ts-expect-error -- no such column
  t.throws(() => rowsOf(table).as<{ readonly size: number }>({ size: 'weight' }), TypeError)
  t.end()
})

/** What work asks for. */
function asked(work: Work<void>): readonly Asked[] {
  const found: Asked[] = []
  for (let step = work.next(); step.done !== true; step = work.next(7)) found.push(step.value)
  return found
}

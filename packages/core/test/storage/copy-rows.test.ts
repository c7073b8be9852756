import t from 'tap'
import { errAsync, okAsync } from 'neverthrow'
import { expectErr, expectOk } from '@sotto/test-kit'
import type { TransferredRow, TransferredRows } from '../../src/storage/transfer.ts'
import { compareRows, copyRows } from '../../src/storage/copy-rows.ts'

const broken = { code: 'storage_failed', detail: 'broken' } as const

/** Rows of folders alone, by their position; and how many were asked for each time. */
function folders(rows: readonly TransferredRow[]) {
  const limits: number[] = []
  const source: TransferredRows = {
    tables: ['accounts', 'folders'].map((name) => ({ name, keyColumns: 1, columns: [] })),
    page({ name }, after, limit) {
      if (name !== 'folders') return okAsync([])
      limits.push(limit)
      const from = after === undefined ? 0 : rows.indexOf(after) + 1
      return okAsync(rows.slice(from, from + limit))
    },
  }
  return { source, limits }
}

/** So many rows of a number and some bytes. */
function rowsOf(count: number, bytes: number): readonly TransferredRow[] {
  return Array.from({ length: count }, (_, at) => [at, new Uint8Array(bytes).fill(1)])
}

t.test('every row is added once, in the order of the source, and counted page by page', async (t) => {
  const rows = rowsOf(300, 1)
  const added: TransferredRow[] = []
  const progress: [string, number][] = []
  const counts = expectOk(
    await copyRows(
      folders(rows).source,
      { add: (_, some) => okAsync(void added.push(...some)) },
      (...moved) => progress.push(moved),
    ),
  )
  t.strictSame(added, rows)
  t.match(counts, { folders: 300, accounts: 0 })
  t.strictSame(
    progress.filter(([name]) => name === 'folders').map(([, count]) => count),
    [64, 264, 300],
  )
})

t.test('a page has 64 rows at first, then up to 200, as long as they are about 2 MB', async (t) => {
  for (const [bytes, limits] of [
    [1, [64, 200, 200]],
    [20_000, [64, 99, 99, 99]],
    [100_000, [64, 64, 64, 64, 64]],
  ] as const) {
    const { source, limits: asked } = folders(rowsOf(bytes === 1 ? 300 : 290, bytes))
    expectOk(await copyRows(source, { add: () => okAsync() }))
    t.strictSame(asked, limits, `${bytes} bytes a row`)
  }
  const texts = Array.from({ length: 290 }, (_, at): TransferredRow => [String(at).padEnd(20_000)])
  const { source, limits } = folders(texts)
  expectOk(await copyRows(source, { add: () => okAsync() }))
  t.strictSame(limits, [64, 99, 99, 99], 'texts count like bytes')
})

t.test('a page as long as was asked for is followed by another question', async (t) => {
  const { source, limits } = folders(rowsOf(64, 1))
  expectOk(await copyRows(source, { add: () => okAsync() }))
  t.equal(limits.length, 2)
})

t.test('a source or a target that fails ends the move with its error', async (t) => {
  const { source } = folders(rowsOf(1, 1))
  const failing: TransferredRows = { tables: source.tables, page: () => errAsync(broken) }
  t.strictSame(expectErr(await copyRows(failing, { add: () => okAsync() })), broken)
  t.strictSame(expectErr(await copyRows(source, { add: () => errAsync(broken) })), broken)
  t.strictSame(expectErr(await compareRows(source, failing)), broken)
})

t.test('copies of the same rows are the same', async (t) => {
  const rows = (): TransferredRow[] => [
    [1, 'text', true, null, Uint8Array.of(1, 2)],
    [2, 'other', false, 'x', Uint8Array.of()],
  ]
  const progress: number[] = []
  const counts = expectOk(
    await compareRows(folders(rows()).source, folders(rows()).source, (_, count) => progress.push(count)),
  )
  t.equal(counts['folders'], 2)
  t.ok(progress.includes(2))
})

const row: TransferredRow = [1, 'text', true, Uint8Array.of(1, 2)]
const copies: Readonly<Record<string, readonly TransferredRow[]>> = {
  'another number': [[2, 'text', true, Uint8Array.of(1, 2)]],
  'another text': [[1, 'Text', true, Uint8Array.of(1, 2)]],
  'another truth': [[1, 'text', false, Uint8Array.of(1, 2)]],
  'another byte': [[1, 'text', true, Uint8Array.of(1, 3)]],
  'one byte more': [[1, 'text', true, Uint8Array.of(1, 2, 3)]],
  'one byte less': [[1, 'text', true, Uint8Array.of(1)]],
  'no bytes': [[1, 'text', true, null]],
  'a text in place of bytes': [[1, 'text', true, '1,2']],
  'one value more': [[1, 'text', true, Uint8Array.of(1, 2), null]],
  'one value less': [[1, 'text', true]],
  'one row more': [row, [2, 'text', true, null]],
  'no row': [],
}
for (const [what, copy] of Object.entries(copies)) {
  t.test(`a copy with ${what} differs`, async (t) => {
    const differs = { code: 'move_differs', table: 'folders' }
    t.strictSame(expectErr(await compareRows(folders([row]).source, folders(copy).source)), differs)
  })
}

import t from 'tap'
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow'
import { expectErr, expectOk } from '@sotto/test-kit'
import type { Cursor } from '../../src/shared/cursor.ts'
import { creationOf, listOf, listPageSize, pagesOf, type Page, type Pages } from '../../src/shared/pages.ts'

const rows = (count: number): Cursor[] =>
  Array.from({ length: count }, (_, nr) => ({ createdAtMicros: nr, id: String(nr) }))

t.test('each page is read after the last row of the one before, until no row follows', async (t) => {
  const read: (Cursor | undefined)[] = []
  const supply = [rows(4), rows(4), rows(3)]
  const pages = pagesOf({
    after: { createdAtMicros: 7, id: 'given' },
    pageSize: 3,
    read: (after, limit) => {
      t.equal(limit, 4)
      read.push(after)
      return okAsync(supply.shift() ?? [])
    },
    cursorOf: creationOf,
    show: (row) => ok(row.id),
  })
  const items = []
  const next = []
  for await (const page of pages) {
    items.push(expectOk(page).items)
    next.push(expectOk(page).next)
  }
  const last = { createdAtMicros: 2, id: '2' }
  t.strictSame(items, [
    ['0', '1', '2'],
    ['0', '1', '2'],
    ['0', '1', '2'],
  ])
  t.strictSame(next, [last, last, undefined])
  t.strictSame(read, [{ createdAtMicros: 7, id: 'given' }, last, last])
})

t.test('an empty list is one empty page', async (t) => {
  const pages = pagesOf({
    after: undefined,
    read: () => okAsync([] as Cursor[]),
    cursorOf: creationOf,
    show: (row) => ok(row),
  })
  const read = []
  for await (const page of pages) read.push(expectOk(page))
  t.strictSame(read, [{ items: [], corrupted: [] }])
})

t.test('a page is read only when it is asked for', async (t) => {
  let reads = 0
  const pages = pagesOf({
    after: undefined,
    read: () => okAsync(((reads += 1), rows(listPageSize + 1))),
    cursorOf: creationOf,
    show: (row) => ok(row),
  })
  t.equal(reads, 0)
  await pages.next()
  t.equal(reads, 1)
  await pages.return()
  t.equal(reads, 1)
})

t.test('a corrupted row is left out and reported, and any other error of a row ends the list', async (t) => {
  const corruption = { code: 'data_damaged', what: 'folder.label', id: '1' } as const
  const unknown = { code: 'key_unknown', kid: 7 } as const
  const list = (error: typeof corruption | typeof unknown) =>
    pagesOf({
      after: undefined,
      read: () => okAsync(rows(3)),
      cursorOf: creationOf,
      show: ({ id }) => (id === '1' ? err(error) : ok(id)),
    })
  const page = (await list(corruption).next()).value
  t.strictSame(page && expectOk(page), { items: ['0', '2'], corrupted: [corruption] })
  const ended = (await list(unknown).next()).value
  t.strictSame(ended && expectErr(ended), unknown)
})

t.test(
  'a page that a row follows says where the next one begins, also when its last row is corrupted',
  async (t) => {
    const corruption = { code: 'data_damaged', what: 'folder.label', id: '2' } as const
    const pages = pagesOf({
      after: undefined,
      pageSize: 3,
      read: () => okAsync(rows(4)),
      cursorOf: creationOf,
      show: () => err(corruption),
    })
    const page = (await pages.next()).value
    t.strictSame(page && expectOk(page), {
      items: [],
      corrupted: [corruption, corruption, corruption],
      next: { createdAtMicros: 2, id: '2' },
    })
  },
)

t.test('an error is the last thing that a list yields', async (t) => {
  const pages = pagesOf({
    after: undefined,
    read: () => errAsync('broken'),
    cursorOf: creationOf,
    show: (row: Cursor) => ok(row),
  })
  t.ok((await pages.next()).value?.isErr())
  t.equal((await pages.next()).done, true)
})

async function* given<E>(...pages: readonly Result<Page<string>, E>[]): Pages<string, E> {
  yield* pages
}

const corruption = (id: string) => ({ code: 'data_damaged', what: 'folder.label', id }) as const

async function itemsOf<E>(pages: Pages<string, E>): Promise<unknown[]> {
  const seen = []
  for await (const item of listOf(pages).items()) seen.push(item.isOk() ? item.value : item.error)
  return seen
}

t.test('a list gives the items of all its pages, or the pages', async (t) => {
  const pages = () => given(ok({ items: ['a', 'b'], corrupted: [] }), ok({ items: ['c'], corrupted: [] }))
  t.strictSame(await itemsOf(pages()), ['a', 'b', 'c'])
  const read = []
  for await (const page of listOf(pages())) read.push(expectOk(page).items)
  t.strictSame(read, [['a', 'b'], ['c']])
})

t.test('the error of a page is the last item', async (t) => {
  t.strictSame(await itemsOf(given(ok({ items: ['a'], corrupted: [] }), err('down'))), ['a', 'down'])
})

t.test('a corrupted row hides no item and is the last one', async (t) => {
  const pages = given(
    ok({ items: ['a'], corrupted: [corruption('1')] }),
    ok({ items: ['b'], corrupted: [corruption('2')] }),
  )
  t.strictSame(await itemsOf(pages), ['a', 'b', corruption('1')])
})

t.test('a reader that stops ends the pages', async (t) => {
  let isEnded = false
  async function* pages(): Pages<string, never> {
    try {
      for (;;) yield ok({ items: ['a'], corrupted: [] })
    } finally {
      isEnded = true
    }
  }
  for await (const item of listOf(pages()).items()) {
    t.equal(expectOk(item), 'a')
    break
  }
  t.ok(isEnded)
})

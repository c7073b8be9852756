import { folderStoreContract, type StorageHarness } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { same } from '../../src/contract/compare.ts'
import { brokenStore } from '../broken/broken.ts'

const folders = brokenStore('folders')

/** What the case says about the store; it must fail. */
async function messageOf(t: Test, id: string, harness: StorageHarness): Promise<string> {
  const found = folderStoreContract.find((each) => each.id === `folder-store/${id}`)
  const message = await found?.run(harness).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
  t.type(message, 'string', `${id} fails`)
  return message ?? ''
}

t.test('pages in another order are shown as the ids in their order, without bytes', async (t) => {
  const { harness } = folders('is backwards', [], (store) => ({
    page: (...given) => store.page(...given).map((rows) => rows.toReversed()),
  }))
  const message = await messageOf(t, 'page-is-in-order', harness)
  t.match(message, /^Folders are listed by creation and id/)
  t.match(message, /\nread in pages of \d: the ids\n/)
  t.match(message, /^[+-] +'[0-9a-f]{8}-[0-9a-f]{4}-7[^']+',?$/m)
  t.notMatch(message, /bytes|label|createdAtMicros/)
})

t.test('of pages with the right ids the first row that differs is shown, and named', async (t) => {
  const { harness } = folders('counts one too many', [], (store) => ({
    page: (...given) =>
      store.page(...given).map((rows) => rows.map((row) => ({ ...row, draftsCount: row.draftsCount + 1 }))),
  }))
  const message = await messageOf(t, 'page-is-in-order', harness)
  const [, id] = /read in pages of 1: the row ([0-9a-f-]{36})\n/.exec(message) ?? []
  t.type(id, 'string')
  t.match(message, /^\+ +draftsCount: 1,?$/m)
  t.equal(message.match(/draftsCount/g)?.length, 2, 'of one row')
})

t.test('lists of rows are equal when ids and rows are', async (t) => {
  const row = (id: string, bytes = [1]) => ({ id, bytes: Uint8Array.from(bytes) })
  same([], [])
  same([row('a'), row('b')], [row('a'), row('b')])
  for (const other of [
    [],
    [row('a')],
    [row('b'), row('a')],
    [row('a'), row('b', [2])],
    [row('a'), { id: 2 }],
  ])
    t.throws(() => same([row('a'), row('b')], other))
  t.throws(() => same([], undefined))
  t.throws(() => same([1], [2]))
})

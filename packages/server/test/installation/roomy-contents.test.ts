import type { FileStore } from '@sotto/core'
import { createMemoryStorage, createSamples } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import t, { type Test } from 'tap'
import { roomyContents } from '../../src/installation/roomy-contents.ts'
import { growHeapForPostgres } from '../../src/installation/heap-growth.ts'
import { smallHeapOptions } from '../../src/serving/small-heap.ts'

const make = createSamples(1)

/** A store of contents in memory, and how far the heap may grow, each time that it changes. */
function storeIn(t: Test): { store: FileStore; growths: string[] } {
  const growths: string[] = []
  const setFlagsFromString = (flag: string) => void growths.push(flag.replace('--heap-growing-percent=', ''))
  t.intercept(process, 'getBuiltinModule', { value: () => ({ setFlagsFromString }) })
  t.intercept(process, 'execArgv', { value: [...smallHeapOptions] })
  return { store: roomyContents(createMemoryStorage().fileContents), growths }
}

/** Pieces that wait before the last one. */
async function* pieces(until: Promise<unknown>) {
  yield ok(Buffer.from('one'))
  await until
  yield ok(Buffer.from('two'))
}

t.test('the heap grows further from the first content to the end of the last', async (t) => {
  const { store, growths } = storeIn(t)
  const [first, second] = [Promise.withResolvers(), Promise.withResolvers()]
  const appended = [
    store.append(make.uuid(), pieces(first.promise)),
    store.append(make.uuid(), pieces(second.promise)),
  ]
  await new Promise(setImmediate)
  first.resolve(undefined)
  t.ok((await appended[0])?.isOk())
  t.strictSame(growths, ['300'])
  second.resolve(undefined)
  t.ok((await appended[1])?.isOk())
  t.strictSame(growths, ['300', '20'])
})

t.test('a reader that stops ends it, and so does an error', async (t) => {
  const { store, growths } = storeIn(t)
  const id = make.uuid()
  t.ok((await store.append(id, pieces(Promise.resolve()))).isOk())
  growths.length = 0
  for await (const piece of store.read(id, { start: 0, end: 6 })) {
    t.ok(piece.isOk())
    t.strictSame(growths, ['300'])
    break
  }
  t.strictSame(growths, ['300', '20'])
  for await (const piece of store.read(make.uuid(), { start: 0, end: 6 })) t.ok(piece.isErr())
  t.strictSame(growths, ['300', '20', '300', '20'])
})

t.test('where nobody has asked for a small heap nothing changes', async (t) => {
  const { store, growths } = storeIn(t)
  t.intercept(process, 'execArgv', { value: [] })
  t.ok((await store.append(make.uuid(), pieces(Promise.resolve()))).isOk())
  t.strictSame(growths, [])
})

t.test('on PostgreSQL the heap goes back to what it has there', async (t) => {
  const { store, growths } = storeIn(t)
  growHeapForPostgres()
  t.ok((await store.append(make.uuid(), pieces(Promise.resolve()))).isOk())
  t.strictSame(growths, ['100', '300', '100'])
})

import { once } from 'node:events'
import t from 'tap'
import { createDownloadSlots, downloadStream } from '../../src/dashboard/downloads.ts'

t.test('one download for each account and four in all are under way at once', (t) => {
  const slots = createDownloadSlots()
  const first = slots.take('a')
  if (typeof first === 'string') throw new Error(first)
  t.equal(slots.take('a'), 'account_busy')
  for (const account of ['b', 'c', 'd']) t.type(slots.take(account), 'object')
  t.equal(slots.take('a'), 'account_busy')
  t.equal(slots.take('e'), 'all_busy')
  first.release()
  t.type(slots.take('e'), 'object')
  first.release()
  t.equal(slots.take('f'), 'all_busy', 'a second release frees nothing')
  t.end()
})

t.test('a text is made when the one before is taken', async (t) => {
  let made = 0
  let isOver = false
  async function* texts(): AsyncGenerator<string, void, void> {
    try {
      for (;;) yield await Promise.resolve(String((made += 1)))
    } finally {
      isOver = true
    }
  }
  const stream = downloadStream(texts())
  stream.once('readable', () => undefined)
  await once(stream, 'readable')
  t.equal(made, 1)
  t.equal(stream.read(), '1')
  await once(stream, 'readable')
  t.equal(made, 2)
  stream.destroy()
  await once(stream, 'close')
  t.ok(isOver, 'nothing more is read')
})

t.test('a reader that takes nothing for a while is cut off', async (t) => {
  const stream = downloadStream(repeated('x'), 1)
  stream.read()
  const [error] = (await once(stream, 'error')) as [Error]
  t.match(error.message, 'stalled')
  t.ok(stream.destroyed)
})

t.test('the time in which a text is made does not count', async (t) => {
  async function* texts(): AsyncGenerator<string, void, void> {
    yield 'first'
    // Another reader stalls for the same time.
    const other = downloadStream(repeated('x'), 1)
    other.read()
    await once(other, 'error')
    yield 'second'
  }
  t.same(await downloadStream(texts(), 1).toArray(), ['first', 'second'])
})

async function* repeated(text: string): AsyncGenerator<string, void, void> {
  for (;;) yield await Promise.resolve(text)
}

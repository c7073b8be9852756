import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import t from 'tap'
import { boundDownload, createDownloadSlots, downloadStream } from '../../src/accounts/downloads.ts'

t.test('one download for each account and four in all are under way at the same time', (t) => {
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
  t.same(stream.read(), Buffer.from('1'))
  await once(stream, 'readable')
  t.equal(made, 2)
  stream.destroy()
  await once(stream, 'close')
  t.ok(isOver, 'nothing more is read')
})

t.test('a long text is given in pieces', async (t) => {
  const text = `${'x'.repeat(100_000)}\u{1f511}`
  const pieces = (await downloadStream(Readable.from([text, 'end'])).toArray()) as Buffer[]
  t.ok(pieces.length > 6)
  for (const piece of pieces) t.ok(piece.length <= 16 * 1024)
  t.equal(Buffer.concat(pieces).toString(), `${text}end`)
})

// Promise (The owner's pages): At most one download for each account and four in all run at a time: and every client after 10 minutes
t.test('after ten minutes every reader is cut off', (t) => {
  const callBacks = new Map<number, () => void>()
  let cuts = 0
  const answer = Object.assign(new PassThrough(), { socket: null })
  boundDownload(
    answer,
    () => (cuts += 1),
    (millis, callBack) => {
      callBacks.set(millis, callBack)
      return () => callBacks.delete(millis)
    },
  )
  t.equal(cuts, 0)
  callBacks.get(10 * 60_000)?.()
  t.equal(cuts, 1)
  t.end()
})

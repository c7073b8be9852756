import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import t from 'tap'
import { boundReader, createDownloadSlots, downloadStream } from '../../src/dashboard/downloads.ts'

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

/** An answer of which some bytes were taken, others wait, and the timers that bound it. */
function startBounded() {
  const socket = { bytesWritten: 0 }
  let waiting = 0
  const answer = Object.defineProperty(Object.assign(new PassThrough(), { socket }), 'writableLength', {
    get: () => waiting,
  })
  const timers = new Set<{ readonly millis: number; readonly callBack: () => void }>()
  let cuts = 0
  boundReader(
    answer,
    () => (cuts += 1),
    (millis, callBack) => {
      const timer = { millis, callBack }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  )
  return {
    answer,
    timers,
    cuts: () => cuts,
    /** A time passes, in which the reader has taken some bytes. */
    pass(millis: number, taken: number, stillWaiting: number) {
      socket.bytesWritten += taken + stillWaiting - waiting
      waiting = stillWaiting
      for (const timer of [...timers]) {
        if (timer.millis !== millis) continue
        timers.delete(timer)
        timer.callBack()
      }
    },
  }
}

const minute = 60_000
const enough = 64 * 1024

t.test('a reader that takes less than 64 KiB in a minute is cut off', async (t) => {
  const { pass, cuts } = startBounded()
  for (const taken of [enough, 10 * enough, enough]) pass(minute, taken, 100_000)
  t.equal(cuts(), 0)
  pass(minute, enough - 1, 100_000)
  t.equal(cuts(), 1)
})

t.test('a minute in which nothing waits for the reader does not count', async (t) => {
  const { pass, cuts } = startBounded()
  pass(minute, 0, 0)
  pass(minute, 10, 0)
  t.equal(cuts(), 0)
  pass(minute, 10, 1)
  t.equal(cuts(), 1)
})

// Promise (The owner's pages): At most one download for each account and four in all run at a time: and every client after 10 minutes
t.test('after ten minutes every reader is cut off', async (t) => {
  const { pass, cuts } = startBounded()
  for (let minutes = 0; minutes < 10; minutes += 1) pass(minute, 10 * enough, 100_000)
  t.equal(cuts(), 0)
  pass(10 * minute, 0, 100_000)
  t.equal(cuts(), 1)
})

t.test('nothing waits for time to pass once the answer is over', async (t) => {
  const { answer, timers } = startBounded()
  t.equal(timers.size, 2)
  answer.destroy()
  await once(answer, 'close')
  t.equal(timers.size, 0)
})

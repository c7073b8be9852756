import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { boundReader } from '../../../src/http/answers/bound-reader.ts'

/** An answer of which some bytes were taken, others wait, and the timers that bound it. */
function startBounded(bound: { readonly longestMillis?: number } = {}) {
  const socket = { bytesWritten: 0 }
  let waiting = 0
  const answer = Object.defineProperty(Object.assign(new PassThrough(), { socket }), 'writableLength', {
    get: () => waiting,
  })
  const timers = new Set<{ readonly millis: number; readonly callBack: () => void }>()
  let cuts = 0
  boundReader(answer, { cutOff: () => (cuts += 1), ...bound }, (millis, callBack) => {
    const timer = { millis, callBack }
    timers.add(timer)
    return () => timers.delete(timer)
  })
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

t.test('after the longest time every reader is cut off', async (t) => {
  const { pass, cuts } = startBounded({ longestMillis: 10 * minute })
  for (let minutes = 0; minutes < 10; minutes += 1) pass(minute, 10 * enough, 100_000)
  t.equal(cuts(), 0)
  pass(10 * minute, 0, 100_000)
  t.equal(cuts(), 1)
})

t.test('nothing waits for time to pass once the answer is over', async (t) => {
  const { answer, timers } = startBounded({ longestMillis: 10 * minute })
  t.equal(timers.size, 2)
  answer.destroy()
  await once(answer, 'close')
  t.equal(timers.size, 0)
})

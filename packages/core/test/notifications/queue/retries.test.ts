import t from 'tap'
import {
  nextAttemptMicros,
  retryAfterMaxMicros,
  retryDelaysMicros,
  waitMaxMicros,
} from '../../../src/notifications/queue/retries.ts'

const nowMicros = 1_700_000_000_000_000
const waitAfter = (attempts: number, jitter: number, retryAfterSeconds?: number): number =>
  (nextAttemptMicros({ attempts, nowMicros, jitter, retryAfterSeconds }) ?? Number.NaN) - nowMicros

t.test('a message is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', (t) => {
  const [minute, hour] = [60, 3600]
  const seconds = [5, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)]
  t.strictSame(
    retryDelaysMicros.map((micros) => micros / 1_000_000),
    seconds,
  )
  for (const [attempts, wait] of seconds.entries()) t.equal(waitAfter(attempts, 0), wait * 1_000_000)
  t.end()
})

t.test('the tenth failure is the last', (t) => {
  t.equal(nextAttemptMicros({ attempts: 9, nowMicros, jitter: 0 }), undefined)
  t.equal(nextAttemptMicros({ attempts: 10, nowMicros, jitter: 0, retryAfterSeconds: 5 }), undefined)
  t.end()
})

t.test('jitter lengthens a wait by up to a tenth, and never shortens it', (t) => {
  for (const [attempts, delay] of retryDelaysMicros.entries()) {
    const waits = Array.from({ length: 256 }, (_, jitter) => waitAfter(attempts, jitter))
    t.strictSame([waits[0], waits[255]], [delay, (delay * 11) / 10])
    t.strictSame(
      waits,
      waits.toSorted((a, b) => a - b),
    )
    t.ok(waits.every((wait) => Number.isInteger(wait)))
  }
  t.end()
})

t.test('a receiver can make a message wait longer, up to a day, never shorter', (t) => {
  t.equal(retryAfterMaxMicros, 86_400_000_000)
  for (const [attempts, retryAfter, wait] of [
    [0, 60, 60],
    [0, 0, 5],
    [0, 4, 5],
    [0, -1, 5],
    [1, 60, 300],
    [0, 0.5, 5],
    [0, 86_400, 86_400],
    [0, 86_401, 86_400],
    [8, 1_000_000, 86_400],
    [0, Infinity, 86_400],
  ] as const) {
    t.equal(
      waitAfter(attempts, 0, retryAfter),
      wait * 1_000_000,
      `${String(attempts)}, ${String(retryAfter)}`,
    )
  }
  t.equal(waitAfter(8, 255, 1_000_000), 95_040_000_000, 'jitter is on top of the own wait only')
  t.end()
})

t.test('no message waits for longer than 27 hours', async (t) => {
  t.equal(waitMaxMicros, 27 * 3_600_000_000)
  for (const attempts of retryDelaysMicros.keys())
    for (const retryAfterSeconds of [0, 2 ** 31 - 1]) {
      const next = nextAttemptMicros({ attempts, nowMicros: 0, jitter: 255, retryAfterSeconds }) ?? Infinity
      t.ok(next < waitMaxMicros, String(attempts))
    }
})

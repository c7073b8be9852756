import { test } from 'tap'
import { simulate, type Costs } from '../../bench/scaling/simulate.ts'

/** A batch of one millisecond that spends half of it with the row locked. */
const costs: Costs = { batchMillis: 1, readShare: 0.1, writeShare: 0.5, isCompareAndSet: false }
const given = { processes: 1, inFlight: 64, millis: 2_000, processors: 64 }
/** What time in steps and durations that vary do to a rate. */
const within = 0.05

test('one process makes a batch of all calls, and needs the time of a batch for it', (t) => {
  const { rate, lost } = simulate({ ...costs, isCompareAndSet: true }, given)
  t.ok(Math.abs(rate / 64_000 - 1) < within, `${rate} calls a second`)
  t.equal(lost, 0, 'nobody writes in between')
  t.end()
})

test('processes that share a row are limited by the time for which it is locked, not by their number', (t) => {
  for (const processes of [8, 16]) {
    const batch = given.inFlight / processes
    const most = (1_000 / (costs.batchMillis * costs.writeShare)) * batch
    const { rate, lost } = simulate(costs, { ...given, processes })
    t.ok(rate < most * (1 + within) && rate > most * (1 - within), `${rate} of ${most} with ${processes}`)
    t.equal(lost, 0, 'a write that locks the row loses nothing')
  }
  t.end()
})

test('a write is lost when another process has written since the read, more often among more processes', (t) => {
  const opening = { ...costs, writeShare: 0.05, isCompareAndSet: true }
  const lost = [2, 4, 16].map((processes) => simulate(opening, { ...given, processes }).lost)
  const [two = 0, four = 0, sixteen = 0] = lost
  t.ok(0 < two && two < four && four < sixteen && sixteen < 1, lost.join(', '))
  t.end()
})

test('processes on one processor are no faster than the work of all of them allows', (t) => {
  const apart = { ...costs, readShare: 0, writeShare: 0.01 }
  const { rate } = simulate(apart, { ...given, processes: 4, processors: 1 })
  t.ok(Math.abs(rate / 16_000 - 1) < within, `${rate} calls a second in batches of 16`)
  t.end()
})

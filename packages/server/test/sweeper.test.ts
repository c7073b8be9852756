import { err, ok, type Result } from 'neverthrow'
import type { Purged, StorageError } from '@sotto/core'
import t from 'tap'
import { idleMicros, partingMicros, startSweeper } from '../src/sweeper.ts'

const start = 1_760_000_000_000_000
const second = 1_000_000

/** A sweeper whose clocks, store and minutes are in the hands of the test. */
function harness(...given: [lastSweepMicros?: number | undefined]) {
  const lastSweepMicros = given.length === 0 ? start : given[0]
  const state = {
    wall: start,
    steady: 5 * second,
    lastSweep: ok(lastSweepMicros) as Result<number | undefined, StorageError>,
    notes: [] as number[],
    purges: 0,
    purged: ok({ secrets: 0, quotaBuckets: 0 }) as Result<Purged, StorageError>,
    logged: [] as string[],
    stopped: false,
  }
  let release: (() => void) | undefined
  let tick = (): void => {}
  const note = (level: string) => (_details: object, message: string) =>
    state.logged.push(`${level}: ${message}`)
  const sweeper = startSweeper({
    async purge() {
      state.purges += 1
      if (release !== undefined) await new Promise<void>((resolve) => (release = resolve))
      return state.purged
    },
    lastSweep: async () => state.lastSweep,
    async noteSweep(nowMicros) {
      state.notes.push(nowMicros)
      state.lastSweep = ok(nowMicros)
      return ok()
    },
    wallMicros: () => state.wall,
    steadyMicros: () => state.steady,
    everyMinute(run) {
      tick = run
      return () => (state.stopped = true)
    },
    log: { error: note('error'), warn: note('warn'), info: note('info'), debug: note('debug') },
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    state,
    sweeper,
    settle,
    /** Lets `micros` pass on both clocks, then ticks. */
    async minute(micros = 60 * second) {
      state.wall += micros
      state.steady += micros
      tick()
      await settle()
    },
    /** From now on purges end only when the function that it returns is called. */
    block() {
      release = () => {}
      return () => release?.()
    },
  }
}

t.test('it sweeps at once and then every minute', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  t.equal(state.purges, 1)
  await minute()
  await minute()
  t.equal(state.purges, 3)
  t.strictSame(state.logged, [], 'and has nothing to say of it')
})

t.test('sweeps never overlap', async (t) => {
  const { state, settle, minute, block } = harness()
  await settle()
  const finish = block()
  await minute()
  await minute()
  await minute()
  t.equal(state.purges, 2, 'one is under way')
  finish()
  await settle()
  await minute()
  t.equal(state.purges, 3)
})

t.test('stopping waits for the sweep that is under way, and stops the timer', async (t) => {
  const { state, sweeper, settle, minute, block } = harness()
  await settle()
  const finish = block()
  await minute()
  let stopped = false
  const stopping = sweeper.stop().then(() => (stopped = true))
  await settle()
  t.ok(state.stopped)
  t.notOk(stopped)
  finish()
  await stopping
  t.ok(stopped)
})

t.test('what was erased and what failed is logged, and the next minute tries again', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.purged = ok({ secrets: 2, quotaBuckets: 0 })
  await minute()
  state.purged = err({ code: 'storage_unavailable', reason: 'busy' })
  await minute()
  state.purged = ok({ secrets: 0, quotaBuckets: 1 })
  state.lastSweep = err({ code: 'storage_unavailable', reason: 'busy' })
  await minute()
  t.strictSame(state.logged, [
    'debug: expired secrets were erased',
    'warn: expired secrets could not be erased',
    'warn: expired secrets could not be erased',
  ])
  t.equal(state.purges, 3, 'a store that cannot be asked for its last sweep is not swept')
  state.lastSweep = ok(start)
  await minute()
  t.equal(state.purges, 4)
})

t.test('sweeps are noted, the first one and then one an hour', async (t) => {
  const { state, settle, minute } = harness(undefined)
  await settle()
  t.strictSame(state.notes, [start])
  for (let minutes = 0; minutes < 125; minutes += 1) await minute()
  t.strictSame(state.notes, [start, start + 3_600 * second, start + 7_200 * second])
  t.equal(state.purges, 126)
})

t.test('what was not erased is not noted', async (t) => {
  const { state, settle, minute } = harness(undefined)
  await settle()
  state.purged = err({ code: 'storage_unavailable', reason: 'full' })
  state.notes = []
  await minute(7_200 * second)
  t.strictSame(state.notes, [])
})

for (const [direction, jump] of [
  ['forward', partingMicros + second],
  ['back', -partingMicros - second],
] as const) {
  t.test(
    `it holds still when the clock is set ${direction} by more than an hour, until a purge is called for`,
    async (t) => {
      const { state, settle, minute } = harness()
      await settle()
      state.wall += jump
      await minute()
      await minute()
      t.equal(state.purges, 1)
      t.strictSame(state.notes, [])
      t.equal(state.logged.length, 1, 'and says so once')
      t.match(state.logged[0], /^error: .*sotto purge/)
      state.wall -= jump
      await minute()
      t.equal(state.purges, 1, 'also when the clock is set right again')
      state.lastSweep = ok(state.wall)
      await minute()
      t.equal(state.purges, 2)
      await minute()
      t.equal(state.purges, 3)
    },
  )
}

t.test('a purge that is called for takes the clock as it is', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.wall += 2 * partingMicros
  await minute()
  t.equal(state.purges, 1)
  state.lastSweep = ok(state.wall)
  await minute()
  t.equal(state.purges, 2)
  state.wall += partingMicros
  await minute()
  t.equal(state.purges, 3)
})

t.test('it goes on when the clock is set by an hour at most', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.wall += partingMicros
  await minute()
  t.equal(state.purges, 2)
})

t.test('it holds still when the last sweep lies more than 40 days back', async (t) => {
  const fine = harness(start - idleMicros)
  await fine.settle()
  t.equal(fine.state.purges, 1, 'forty days are fine')
  const { state, settle, minute } = harness(start - idleMicros - 1)
  await settle()
  await minute()
  t.equal(state.purges, 0)
  t.strictSame(state.notes, [], 'a sweep that was not made is not noted, or the next start would trust it')
  t.match(state.logged, [/^error: .*sotto purge/])
  state.lastSweep = ok(state.wall)
  await minute()
  t.equal(state.purges, 1)
})

t.test('a store that was never swept is swept', async (t) => {
  const { state, settle } = harness(undefined)
  await settle()
  t.equal(state.purges, 1)
})

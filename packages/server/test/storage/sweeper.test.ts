import type { StorageError, Swept, SweptFiles } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import t from 'tap'
import { idleMicros, partingMicros, settlingMicros, startSweeper } from '../../src/storage/sweeper.ts'

type SweepInput = NonNullable<Parameters<FullSotto['sweepExpired']>[0]>

const start = 1_760_000_000_000_000
const second = 1_000_000

/** A sweeper whose clocks, storage and timer the test controls. */
function harness(...given: [lastSweepMicros?: number | undefined]) {
  const lastSweepMicros = given.length === 0 ? start : given[0]
  const state = {
    wall: start,
    /** The machine has been running for a day. */
    steady: 86_400 * second,
    lastWrite: ok(undefined) as Result<number | undefined, StorageError>,
    lastSweep: ok(lastSweepMicros) as Result<number | undefined, StorageError>,
    recorded: [] as number[],
    sweeps: 0,
    swept: ok({ secrets: 0, quotaBuckets: 0 }) as Result<Swept, StorageError>,
    sweptFiles: ok({ files: 0, orphans: 0 }) as Result<SweptFiles, StorageError>,
    /** Whether each sweep of files looked for orphans. */
    withOrphans: [] as (boolean | undefined)[],
    logged: [] as string[],
    stopped: false,
    shouldStop: undefined as SweepInput['shouldStop'],
  }
  let release: (() => void) | undefined
  let tick = (): void => {}
  const logAt = (level: string) => (_details: object, message: string) =>
    state.logged.push(`${level}: ${message}`)
  const sweep = async ({ shouldStop }: SweepInput = {}) => {
    state.sweeps += 1
    state.shouldStop = shouldStop
    if (release !== undefined) await new Promise<void>((resolve) => (release = resolve))
    return state.swept
  }
  const sweeper = startSweeper({
    sotto: {
      sweepExpired: (input) => new ResultAsync(sweep(input)),
      sweepFiles(input) {
        state.withOrphans.push(input?.withOrphans)
        return new ResultAsync(Promise.resolve(state.sweptFiles))
      },
    },
    upkeep: {
      lastSweep: () => new ResultAsync(Promise.resolve(state.lastSweep)),
      lastWrite: () => new ResultAsync(Promise.resolve(state.lastWrite)),
      recordSweep(nowMicros) {
        state.recorded.push(nowMicros)
        state.lastSweep = ok(nowMicros)
        return new ResultAsync(Promise.resolve(ok()))
      },
    },
    clock: { nowMicros: () => state.wall },
    steadyMicros: () => state.steady,
    everyMinute(run) {
      tick = run
      return () => (state.stopped = true)
    },
    log: { error: logAt('error'), warn: logAt('warn'), info: logAt('info'), debug: logAt('debug') },
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    state,
    sweeper,
    settle,
    /** Moves both clocks by `micros`, then ticks. */
    async minute(micros = 60 * second) {
      state.wall += micros
      state.steady += micros
      tick()
      await settle()
    },
    /** From now on sweeps end only when the returned function is called. */
    block() {
      release = () => {}
      return () => release?.()
    },
  }
}

t.test('it sweeps immediately and then every minute', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  t.equal(state.sweeps, 1)
  await minute()
  await minute()
  t.equal(state.sweeps, 3)
  t.strictSame(state.logged, [], 'nothing is logged')
})

t.test('sweeps never overlap', async (t) => {
  const { state, settle, minute, block } = harness()
  await settle()
  const finish = block()
  await minute()
  await minute()
  await minute()
  t.equal(state.sweeps, 2, 'one is running')
  finish()
  await settle()
  await minute()
  t.equal(state.sweeps, 3)
})

t.test('stopping ends the running sweep, waits for that, and stops the timer', async (t) => {
  const { state, sweeper, settle, minute, block } = harness(undefined)
  await settle()
  const finish = block()
  await minute(3_600 * second)
  state.recorded = []
  t.equal(state.shouldStop?.(), false)
  let stopped = false
  const stopping = sweeper.stop().then(() => (stopped = true))
  await settle()
  t.ok(state.stopped)
  t.equal(state.shouldStop?.(), true)
  t.notOk(stopped)
  finish()
  await stopping
  t.ok(stopped)
  t.strictSame(state.recorded, [], 'a sweep that is not complete is not recorded')
})

t.test('erased secrets and errors are logged, and the next minute tries again', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.swept = ok({ secrets: 2, quotaBuckets: 0 })
  await minute()
  state.swept = err({ code: 'storage_unavailable', reason: 'busy' })
  await minute()
  state.swept = ok({ secrets: 0, quotaBuckets: 1 })
  state.lastSweep = err({ code: 'storage_unavailable', reason: 'busy' })
  await minute()
  t.strictSame(state.logged, [
    'debug: expired secrets were erased',
    'warn: expired secrets could not be erased',
    'warn: expired secrets could not be erased',
  ])
  t.equal(state.sweeps, 3, 'nothing is swept while the last sweep is unknown')
  state.lastSweep = ok(start)
  await minute()
  t.equal(state.sweeps, 4)
})

t.test('the first sweep is recorded, and then one an hour', async (t) => {
  const { state, settle, minute } = harness(undefined)
  await settle()
  t.strictSame(state.recorded, [start])
  for (let minutes = 0; minutes < 125; minutes += 1) await minute()
  t.strictSame(state.recorded, [start, start + 3_600 * second, start + 7_200 * second])
  t.equal(state.sweeps, 126)
})

t.test('a sweep that failed is not recorded', async (t) => {
  const { state, settle, minute } = harness(undefined)
  await settle()
  state.swept = err({ code: 'storage_unavailable', reason: 'full' })
  state.recorded = []
  await minute(7_200 * second)
  t.strictSame(state.recorded, [])
})

t.test(
  'sweeping is suspended when the clock is set ahead by more than an hour, until sotto purge is run',
  async (t) => {
    const { state, settle, minute } = harness()
    await settle()
    state.wall += partingMicros + second
    await minute()
    await minute()
    t.equal(state.sweeps, 1)
    t.strictSame(state.recorded, [])
    t.equal(state.logged.length, 1)
    t.match(state.logged[0], /^error: .*sotto purge/)
    state.lastSweep = ok(state.wall)
    await minute()
    t.equal(state.sweeps, 2)
    await minute()
    t.equal(state.sweeps, 3)
  },
)

t.test('a suspended sweep is logged every hour', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.wall += 2 * partingMicros
  for (let minutes = 0; minutes < 180; minutes += 1) await minute()
  t.equal(state.logged.length, 3)
  t.equal(state.sweeps, 1)
})

t.test('sweeping resumes by itself when a clock that was set ahead is set right again', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.wall += 2 * partingMicros
  for (let minutes = 0; minutes < 90; minutes += 1) await minute()
  t.equal(state.sweeps, 1)
  state.wall -= 2 * partingMicros
  await minute()
  t.equal(state.sweeps, 2)
  t.match(state.logged.at(-1), /^info: .*erased again/)
})

t.test(
  'sweeping continues when the clock is set back, and when it is set right again after that',
  async (t) => {
    const { state, settle, minute } = harness()
    await settle()
    state.wall -= 5 * partingMicros
    await minute()
    t.equal(state.sweeps, 2, 'nothing is erased too early')
    state.wall += 5 * partingMicros
    await minute()
    t.equal(state.sweeps, 3)
    state.wall += partingMicros + second
    await minute()
    t.equal(state.sweeps, 3, 'but not when it is set further')
    t.equal(state.logged.length, 1)
  },
)

t.test(
  'a clock that was behind from the start may be set to a time that follows the last write',
  async (t) => {
    for (const [ahead, sweeps] of [
      [partingMicros, 2],
      [partingMicros + second, 1],
    ] as const) {
      const { state, settle, minute } = harness(start)
      state.wall = start - 365 * 86_400 * second
      state.lastWrite = ok(start)
      await settle()
      t.equal(state.sweeps, 1)
      state.wall = start + ahead
      await minute()
      t.equal(state.sweeps, sweeps)
    }
  },
)

t.test(
  'within an hour after the machine started, its clock may be set to any time of the next 40 days',
  async (t) => {
    for (const [uptime, ahead, sweeps] of [
      [settlingMicros, idleMicros, 2],
      [settlingMicros, idleMicros + second, 1],
      [settlingMicros + second, idleMicros, 1],
    ] as const) {
      const { state, settle, minute } = harness(start)
      state.steady = 5 * second
      await settle()
      state.wall = start + ahead - 60 * second
      state.steady = uptime - 60 * second
      await minute()
      t.equal(state.sweeps, sweeps)
    }
  },
)

t.test('nothing is swept while the last write is unknown', async (t) => {
  const { state, settle, minute } = harness()
  state.lastWrite = err({ code: 'storage_unavailable', reason: 'busy' })
  await settle()
  t.equal(state.sweeps, 0)
  state.lastWrite = ok(start)
  await minute()
  t.equal(state.sweeps, 1)
})

t.test('sotto purge accepts the clock as it is', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.wall += 2 * partingMicros
  await minute()
  t.equal(state.sweeps, 1)
  state.lastSweep = ok(state.wall)
  await minute()
  t.equal(state.sweeps, 2)
  state.wall += partingMicros
  await minute()
  t.equal(state.sweeps, 3)
})

t.test('sweeping continues when the clock is set by an hour at most', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.wall += partingMicros
  await minute()
  t.equal(state.sweeps, 2)
})

t.test('sweeping is suspended when the last sweep was more than 40 days ago', async (t) => {
  const fine = harness(start - idleMicros)
  await fine.settle()
  t.equal(fine.state.sweeps, 1, 'forty days are accepted')
  const { state, settle, minute } = harness(start - idleMicros - 1)
  await settle()
  await minute()
  t.equal(state.sweeps, 0)
  t.strictSame(state.recorded, [], 'no sweep is recorded, or the next start would trust it')
  t.match(state.logged, [/^error: .*sotto purge/])
  state.lastSweep = ok(state.wall)
  await minute()
  t.equal(state.sweeps, 1)
})

t.test('data that was never swept is swept', async (t) => {
  const { state, settle } = harness(undefined)
  await settle()
  t.equal(state.sweeps, 1)
})

t.test('each sweep drops files, and looks for those of broken uploads once an hour', async (t) => {
  const { state, settle, minute } = harness()
  await settle()
  state.sweptFiles = ok({ files: 1, orphans: 0 })
  for (let passed = 1; passed <= 60; passed += 1) await minute()
  t.strictSame(state.withOrphans, [true, ...Array<boolean>(59).fill(false), true])
  t.equal(state.logged.filter((line) => line === 'debug: files were dropped').length, 60)
})

t.test('a sweep of files that fails is logged, and the sweep of secrets counts', async (t) => {
  const { state, settle } = harness(undefined)
  state.sweptFiles = err({ code: 'storage_unavailable', reason: 'busy' })
  await settle()
  t.match(state.logged, ['warn: files that nobody can read any more could not be dropped'])
  t.strictSame(state.recorded, [start])
})

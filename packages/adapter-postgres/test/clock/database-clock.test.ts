import { clockContract, runContract } from '@sotto/test-kit'
import { after, test } from 'tap'
import { createDatabaseClock, lookClosely } from '../../src/clock/database-clock.ts'
import type { Database } from '../../src/connection/database.ts'
import type { Sql } from '../../src/connection/sql.ts'
import { openStorage } from '../support/databases.ts'
import { startProxy } from '../support/proxy.ts'
import { sharedServer } from '../support/server.ts'

const server = await sharedServer()
after(() => server.stop())

runContract(test, clockContract, {
  supports: ['wall'],
  async open() {
    const storage = await openStorage(await server.newDatabase())
    const { databaseClock: clock } = storage
    if (clock === undefined) throw new TypeError('the database has a clock')
    return { clock, dispose: () => storage.close() }
  },
})

const second = 1_000
const epoch = 1_790_000_000 * second

test('each new connection shows the time as well: it may be one to another machine', async (t) => {
  const proxy = await startProxy(await server.newDatabase())
  const storage = await openStorage(proxy.url)
  t.teardown(async () => {
    await storage.close()
    await proxy.close()
  })
  let hasLooked = false
  void proxy.interruptNext('clock_timestamp', 'cut before').then(() => (hasLooked = true))
  const answer = await storage.upkeep.lastSweep()
  t.ok(hasLooked, answer.isOk() ? 'before the answer' : answer.error.code)
})

/** A machine and a database whose clocks the test sets, in milliseconds, and a clock that has looked at the database's once. */
async function world() {
  const now = { wall: epoch, steady: 0, database: epoch }
  const ticks: { millis: number; call: () => void; isStopped: boolean }[] = []
  const looks: Promise<unknown>[] = []
  let isDown = false
  const sql = {
    row: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([now.database * 1_000])),
  } as unknown as Sql
  const read = (work: (sql: Sql) => Promise<unknown>): unknown => {
    looks.push(work(sql).catch(() => undefined))
    return undefined
  }
  const clock = createDatabaseClock({
    wallMillis: () => now.wall,
    steadyMillis: () => now.steady,
    every(millis, call) {
      const tick = { millis, call, isStopped: false }
      ticks.push(tick)
      return () => (tick.isStopped = true)
    },
  })
  await clock.look(sql)
  const stop = clock.keepLooking({ read } as unknown as Pick<Database, 'read'>)
  return {
    ...{ clock, now, ticks, stop },
    pass(millis: number) {
      now.wall += millis
      now.steady += millis
      now.database += millis
    },
    /** How much more than the database the clock shows, in milliseconds. */
    wrongBy: () => clock.nowMicros() / 1_000 - now.database,
    /** How often it has looked since this was asked last, once it has. */
    looked: async () => (await Promise.all(looks.splice(0))).length,
    tick: () => ticks.forEach(({ call }) => call()),
    breakDown: () => void (isDown = true),
  }
}

test('the clock shows the time of the database, whatever the wall clock shows and whenever it is set', async (t) => {
  const { now, pass, wrongBy } = await world()
  for (const wall of [epoch, epoch - 600 * second, epoch + 600 * second]) {
    now.wall = wall
    t.equal(wrongBy(), 0)
    pass(30 * second)
    t.equal(wrongBy(), 0, 'half a minute later')
  }
})

test('before anybody has looked at the database there is no time', async (t) => {
  t.throws(() => createDatabaseClock().nowMicros(), TypeError)
})

test('a process that starts looks several times, so that one slow answer does not make its clock wrong', async (t) => {
  const now = { steady: 0, database: epoch }
  const answerMillis = [200, 2, 2]
  const sql = {
    row() {
      const shown = now.database * 1_000
      const millis = answerMillis.shift() ?? 2
      now.steady += millis
      now.database += millis
      return Promise.resolve([shown])
    },
  } as unknown as Sql
  const machine = { wallMillis: () => epoch, steadyMillis: () => now.steady, every: () => () => undefined }
  const clock = createDatabaseClock(machine)
  await lookClosely(clock, sql)
  t.ok(Math.abs(clock.nowMicros() / 1_000 - now.database) <= 1.5)
})

test('it looks again every minute, until it is stopped', async (t) => {
  const { now, ticks, tick, looked, pass, wrongBy, stop } = await world()
  t.strictSame(
    ticks.map(({ millis }) => millis),
    [60_000],
  )
  pass(60_000)
  now.database += 7 * second
  t.equal(wrongBy(), -7 * second, "the database's clock was set, and nobody has looked")
  tick()
  t.equal(await looked(), 1)
  t.equal(wrongBy(), 0)
  stop()
  t.strictSame(
    ticks.map(({ isStopped }) => isStopped),
    [true],
  )
})

test('it looks immediately when the clocks of the machine part by more than a second, and once', async (t) => {
  const { now, looked, wrongBy, pass } = await world()
  // The machine slept for an hour: its steady clock stood still.
  now.wall += 3_600 * second
  now.database += 3_600 * second
  t.equal(wrongBy(), -3_600 * second)
  t.equal(await looked(), 1)
  t.equal(wrongBy(), 0)
  now.wall += second
  pass(second)
  t.equal(wrongBy(), 0)
  t.equal(await looked(), 0, 'they part by a second')
})

test('while the database does not answer, it goes on with what it knows', async (t) => {
  const { breakDown, tick, looked, pass, wrongBy } = await world()
  breakDown()
  pass(3_600 * second)
  tick()
  t.equal(await looked(), 1)
  t.equal(wrongBy(), 0)
})

test('it stands still when it was ahead by up to a second, and goes back only by more', async (t) => {
  const { now, clock, tick, looked, pass, wrongBy } = await world()
  const before = clock.nowMicros()
  now.database -= second
  tick()
  await looked()
  t.equal(clock.nowMicros(), before)
  pass(second + 1)
  t.equal(wrongBy(), 0, 'it is right')
  now.database -= second + 1
  tick()
  await looked()
  t.equal(wrongBy(), 0, 'it has gone back')
})

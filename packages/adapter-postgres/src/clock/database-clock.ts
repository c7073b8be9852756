import type { Clock } from '@sotto/core'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { aheadMicros, narrowBounds, type ClockBounds } from './bounds.ts'

const now = {
  name: 'clock_now',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint',
}

/** How often the database's clock is looked at, besides when a connection is made. */
const everyMillis = 60_000
/**
 * How far the machine's own clocks may part between two looks. When they part by more, it slept or was set, and the database's clock is
 * looked at immediately.
 */
const partedMillis = 1_000

/** How far ahead a closer look may show the clock to be for it to stand still until it is right, instead of going back. */
const standsMicros = 1_000_000

/** How often a starting process looks at the database's clock. */
const firstLooks = 5

/** The parts of the machine that are used. Tests replace them. */
export interface Machine {
  /** The wall clock, which may jump, in milliseconds. */
  readonly wallMillis: () => number
  /** A clock that only goes forward, and may stand still while the machine sleeps, in milliseconds. */
  readonly steadyMillis: () => number
  /** Calls `call` at this interval, in milliseconds, until the returned function is called. */
  readonly every: (millis: number, call: () => void) => () => void
}

/**
 * Shows the time of the database, whose clock decides for all processes: it counts on from what the database showed, with the steady clock of
 * this machine. So it does not matter what the wall clock of the machine shows, or when that is set.
 */
export interface DatabaseClock extends Clock {
  /** Looks at the database's clock. Rejects with what pg rejects with. */
  look(sql: Sql): Promise<void>
  /**
   * Looks again every minute, and when the machine's clocks part, until the returned function is called. Failures are ignored: whoever needs
   * the database hears of them.
   */
  keepLooking(db: Pick<Database, 'read'>): () => void
}

/** The clock of a database. {@link DatabaseClock.look} comes first: before it, there is no time. */
export function createDatabaseClock(machine: Machine = thisMachine): DatabaseClock {
  let bounds: ClockBounds | undefined
  let partMillis = machine.wallMillis() - machine.steadyMillis()
  let lastMicros = -Infinity
  let lookSoon = (): void => undefined
  const steadyMicros = (): number => machine.steadyMillis() * 1_000
  /** Whether the machine's clocks have parted since this was asked last. */
  const haveParted = (): boolean => {
    const before = partMillis
    const after = machine.wallMillis() - machine.steadyMillis()
    if (Math.abs(after - before) <= partedMillis) return false
    partMillis = after
    return true
  }

  const look: DatabaseClock['look'] = async (sql) => {
    const askedMicros = steadyMicros()
    const [databaseMicros = NaN] = (await sql.row<[number]>(now)) ?? []
    bounds = narrowBounds(bounds, { askedMicros, answeredMicros: steadyMicros(), databaseMicros })
  }

  return {
    nowMicros() {
      if (bounds === undefined) throw new TypeError('nobody has looked at the clock of the database')
      if (haveParted()) lookSoon()
      const micros = Math.floor(steadyMicros() + aheadMicros(bounds))
      const stands = micros < lastMicros && lastMicros - micros <= standsMicros
      lastMicros = stands ? lastMicros : micros
      return lastMicros
    },
    look,
    keepLooking(db) {
      lookSoon = () => void db.read(look)
      return machine.every(everyMillis, lookSoon)
    },
  }
}

/** Looks several times in a row, so that one slow answer does not make the clock of a starting process wrong until the next minute. */
export async function lookClosely(clock: Pick<DatabaseClock, 'look'>, sql: Sql): Promise<void> {
  for (let looks = 0; looks < firstLooks; looks += 1) await clock.look(sql)
}

const thisMachine: Machine = {
  wallMillis: () => Date.now(),
  steadyMillis: () => performance.now(),
  every(millis, call) {
    const timer = setInterval(call, millis).unref()
    return () => clearInterval(timer)
  },
}

import { Crew, type CrewOptions, type Ending } from '../../../src/workers/crew.ts'
import type { FromWorker, ToWorker } from '../../../src/workers/messages.ts'
import { createTestTimers, type TestTimers } from '../../support/timers.ts'

/** A worker that exists in a test only. */
export interface FakeWorker {
  readonly pid: number
  /** The kinds of the messages that it got, in their order. */
  readonly got: string[]
  readonly messages: ToWorker[]
  says(message: FromWorker): void
  ends(how?: Partial<Ending>): void
}

export interface FakeCrew {
  readonly crew: Crew
  readonly timers: TestTimers
  /** Every worker that was ever started, in this order. */
  readonly workers: FakeWorker[]
}

/** A crew of so many workers that say nothing by themselves. One that is killed ends. */
export function fakeCrew(size: number): FakeCrew {
  const timers = createTestTimers()
  const workers: FakeWorker[] = []
  const fork: CrewOptions['fork'] = ({ received, ended }) => {
    const messages: ToWorker[] = []
    const got: string[] = []
    const ends = (how: Partial<Ending> = {}): void => ended({ exitCode: null, signal: null, ...how })
    const pid = 100 + workers.length
    workers.push({ pid, got, messages, says: received, ends })
    return {
      pid,
      send(message) {
        messages.push(message)
        got.push(message.kind)
      },
      kill: () => ends({ signal: 'SIGKILL' }),
    }
  }
  const environment = { values: {}, namesInFile: [], errors: [] }
  const crew = new Crew({ size, start: { environment, cwd: '/srv' }, fork, timers })
  return { crew, timers, workers }
}

/** The same, once all of them listen and it is announced. */
export function runningCrew(size: number): FakeCrew {
  const all = fakeCrew(size)
  for (const { says } of all.workers) says({ kind: 'listening' })
  all.workers[0]?.says({ kind: 'announced', announcement: { text: 'it listens', json: {} } })
  for (const { got } of all.workers) got.length = 0
  return all
}

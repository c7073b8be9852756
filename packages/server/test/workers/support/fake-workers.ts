import type { Ending } from '../../../src/errors/errors.ts'
import { Supervisor, type SupervisorOptions } from '../../../src/workers/supervisor.ts'
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

export interface FakeSupervisor {
  readonly supervisor: Supervisor
  readonly timers: TestTimers
  /** Every worker that was ever started, in this order. */
  readonly workers: FakeWorker[]
}

/** A supervisor of so many workers that say nothing by themselves. One that is killed ends. */
export function fakeSupervisor(size: number): FakeSupervisor {
  const timers = createTestTimers()
  const workers: FakeWorker[] = []
  const fork: SupervisorOptions['fork'] = ({ received, ended }) => {
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
  const supervisor = new Supervisor({ size, start: { environment, cwd: '/srv' }, fork, timers })
  return { supervisor, timers, workers }
}

/** The same, once all of them listen and it is announced. */
export function runningSupervisor(size: number): FakeSupervisor {
  const all = fakeSupervisor(size)
  for (const { says } of all.workers) says({ kind: 'listening' })
  all.workers[0]?.says({ kind: 'announced', announcement: { text: 'it listens', json: {} } })
  for (const { got } of all.workers) got.length = 0
  return all
}

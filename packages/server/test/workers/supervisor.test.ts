import t from 'tap'
import { errorText } from '../../src/errors/error-text.ts'
import type { CliError } from '../../src/errors/errors.ts'
import { diskUnsafeExitCode } from '../../src/workers/messages.ts'
import type { FakeWorker } from './support/fake-workers.ts'
import { fakeSupervisor, runningSupervisor } from './support/fake-workers.ts'

const announcement = { text: 'it listens', json: {} }
const inUse: CliError = { code: 'not_listening', reason: 'EADDRINUSE', setting: 'SOTTO_PORT' }

/** What a promise has come to; `undefined` when it is still waiting. */
function nowOf<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, new Promise<undefined>((resolve) => setImmediate(resolve, undefined))])
}

function logOf({ messages }: FakeWorker): object[] {
  return messages.flatMap((message) => (message.kind === 'log' ? [message.details] : []))
}

t.test(
  'the first worker opens the installation alone, and it is announced once when all listen',
  async (t) => {
    const { supervisor, workers } = fakeSupervisor(3)
    const [first, second, third] = workers as [FakeWorker, FakeWorker, FakeWorker]
    t.strictSame(
      workers.map(({ got }) => got),
      [['start'], [], []],
    )
    first.says({ kind: 'listening' })
    t.strictSame(
      workers.map(({ got }) => got),
      [['start', 'lead'], ['start'], ['start']],
    )
    t.match(
      workers.map(({ messages }) => messages[0]),
      [0, 1, 2].map((number) => ({ kind: 'start', number, cwd: '/srv' })),
    )
    third.says({ kind: 'listening' })
    t.strictSame(first.got.slice(2), [])
    second.says({ kind: 'listening' })
    t.strictSame(first.got.slice(2), ['announce'])
    t.equal(await nowOf(supervisor.announced), undefined)
    first.says({ kind: 'announced', announcement })
    t.strictSame(await nowOf(supervisor.announced), announcement)
  },
)

t.test('what prevents the first start ends the server with that error', async (t) => {
  const { supervisor, workers } = fakeSupervisor(2)
  workers[0]?.says({ kind: 'failed', error: inUse })
  t.strictSame(await nowOf(supervisor.failed), inUse, 'whether or not it ends')
  workers[0]?.ends({ exitCode: 0 })
  t.strictSame(workers[1]?.got, [], 'the others have opened nothing')
})

t.test('a worker that ends before all listen ends the server', async (t) => {
  const { supervisor, workers } = fakeSupervisor(2)
  workers[0]?.says({ kind: 'listening' })
  workers[1]?.ends({ signal: 'SIGSEGV' })
  t.strictSame(await nowOf(supervisor.failed), { code: 'workers_failed', exitCode: null, signal: 'SIGSEGV' })
  t.equal(workers.length, 2, 'nothing is tried again')
})

t.test('a worker that cannot be started at first ends the server with the reason', async (t) => {
  const { supervisor, workers } = fakeSupervisor(2)
  workers[0]?.ends({ startError: 'EAGAIN' })
  const error = await nowOf(supervisor.failed)
  t.match(error, { code: 'workers_failed', startError: 'EAGAIN' })
  t.match(error && errorText(error), /^a worker process has ended \(it could not be started: EAGAIN\), so /)
})

t.test('a worker that ends is replaced, and another one leads and logs it', async (t) => {
  const { supervisor, workers, timers } = runningSupervisor(2)
  const [first, second] = workers as [FakeWorker, FakeWorker]
  first.ends({ signal: 'SIGKILL' })
  t.strictSame(second.got, ['lead', 'log'])
  t.strictSame(logOf(second), [{ worker: 100, exitCode: null, signal: 'SIGKILL', waitMillis: 0 }])
  await timers.advance(0)
  const third = workers[2]
  t.match(third?.messages, [{ kind: 'start', number: 0 }], 'it has the number of the one before')
  third?.says({ kind: 'listening' })
  t.strictSame(third?.got, ['start'], 'it is not the leader')
  t.strictSame(second.got, ['lead', 'log'], 'and nothing is announced again')
  t.equal(await nowOf(supervisor.failed), undefined)
})

t.test('while no worker is left, lines of the log wait for the next one', async (t) => {
  const { supervisor, workers, timers } = runningSupervisor(2)
  workers[0]?.ends({ exitCode: 1 })
  workers[1]?.ends({ exitCode: 2 })
  supervisor.log({ level: 'warn', details: { from: 'the primary' }, message: 'a line' })
  await timers.advance(0)
  const third = workers[2]!
  t.strictSame(logOf(third), [])
  third.says({ kind: 'listening' })
  t.match(logOf(third), [{ worker: 101, exitCode: 2 }, { from: 'the primary' }])
})

t.test('what other workers queue and erase is passed on to the leader alone', async (t) => {
  const { workers } = runningSupervisor(3)
  const [first, second, third] = workers as [FakeWorker, FakeWorker, FakeWorker]
  second.says({ kind: 'queued' })
  third.says({ kind: 'erased', file: 'sotto.sqlite' })
  first.says({ kind: 'queued' })
  t.strictSame(
    workers.map(({ got }) => got),
    [['wake', 'erased'], [], []],
  )
  t.strictSame(first.messages.at(-1), { kind: 'erased', file: 'sotto.sqlite' })
})

t.test('workers that end early in a row are replaced after longer and longer times', async (t) => {
  const { workers, timers } = runningSupervisor(2)
  const waits: unknown[] = []
  await timers.advance(10_000)
  for (let ends = 0; ends < 8; ends += 1) {
    workers.at(-1)?.ends({ exitCode: 1 })
    const details = logOf(workers[0]!).at(-1) as { waitMillis: number }
    waits.push(details.waitMillis)
    await timers.advance(details.waitMillis)
    workers.at(-1)?.says({ kind: 'listening' })
    if (ends === 6) await timers.advance(10_000)
  }
  t.strictSame(waits, [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 0], 'until one has listened for 10 s')
})

// Promise (Installing and operating): Workers that repeatedly end early are replaced more and more slowly, and finally no longer
t.test('when no worker is left and each replacement ends immediately, the server ends', async (t) => {
  const { supervisor, workers, timers } = runningSupervisor(2)
  workers[0]?.ends({ exitCode: 1 })
  for (let replaced = 0; replaced < 5; replaced += 1) {
    t.equal(await nowOf(supervisor.failed), undefined)
    workers[replaced + 1]?.says({ kind: 'failed', error: inUse })
    workers[replaced + 1]?.ends({ exitCode: 0 })
    await timers.advance(30_000)
  }
  t.strictSame(await nowOf(supervisor.failed), inUse)
})

t.test('when the disk of one worker has failed, the server ends', async (t) => {
  const { supervisor, workers } = runningSupervisor(2)
  workers[1]?.ends({ exitCode: diskUnsafeExitCode })
  t.strictSame(await nowOf(supervisor.failed), { code: 'disk_unsafe' })
  t.equal(workers.length, 2)
})

// Promise (Installing and operating): All workers have ended 10 seconds after a signal
t.test('all are stopped, none is replaced, and what is left after 9.5 seconds is killed', async (t) => {
  const { supervisor, workers, timers } = runningSupervisor(3)
  const [first, second, third] = workers as [FakeWorker, FakeWorker, FakeWorker]
  first.ends({ exitCode: 1 })
  let isStopped = false
  const stopping = supervisor.stop('SIGTERM').then(() => (isStopped = true))
  t.strictSame(
    [second, third].map(({ messages }) => messages.at(-1)),
    [
      { kind: 'stop', signal: 'SIGTERM' },
      { kind: 'stop', signal: 'SIGTERM' },
    ],
  )
  second.ends({ exitCode: 0 })
  t.notOk(third.got.includes('lead'), 'nobody leads while it stops')
  await timers.advance(9_499)
  t.equal(isStopped, false)
  await timers.advance(1)
  await stopping
  t.equal(workers.length, 3)
})

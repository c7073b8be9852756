import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { defaultConcurrency, HashQueues } from '../../src/passwords/hash-queues.ts'

/** Queues whose jobs and timers end when the test decides. */
function makeQueues({ concurrency = 1, maxWaiting = 3 } = {}) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const timers = new Set<{ millis: number; run: () => void }>()
  const queues = new HashQueues({
    concurrency,
    maxWaiting,
    setTimer(millis, run) {
      const timer = { millis, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  const run = (queue: string, name: string, owner?: string) =>
    queues.run({ queue, owner }, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  /** The same, for jobs whose result is not used. */
  const enter = (queue: string, ...names: string[]): void => {
    for (const name of names) void run(queue, name).then((result) => result.isOk())
  }
  /** Ends a job and lets everything that follows from it happen. */
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queues, run, enter, end, started, timers }
}

t.test('only so many jobs run at the same time, in order of arrival', async (t) => {
  const { run, end, started } = makeQueues({ concurrency: 2 })
  const results = ['a', 'b', 'c', 'd'].map((name) => run('open', name))
  t.strictSame(started, ['a', 'b'])
  await end('b')
  t.strictSame(started, ['a', 'b', 'c'])
  await end('a')
  t.strictSame(started, ['a', 'b', 'c', 'd'])
  await end('c')
  await end('d')
  t.strictSame(
    (await Promise.all(results)).map((result) => expectOk(result)),
    ['a', 'b', 'c', 'd'],
  )
})

t.test('the queues are served in turn: a full one does not delay the others', async (t) => {
  const { enter, end, started } = makeQueues()
  enter('open', 'o1', 'o2', 'o3', 'o4')
  enter('create', 'c1', 'c2', 'c3')
  enter('sign-in', 's1')
  for (let round = 0; round < 8; round += 1) await end(started.at(-1) ?? '')
  t.strictSame(started, ['o1', 'o2', 'c1', 's1', 'o3', 'c2', 'o4', 'c3'])
})

t.test('a queue that becomes empty and fills again waits for its turn', async (t) => {
  const { enter, end, started } = makeQueues()
  enter('open', 'running', 'o1')
  enter('create', 'c1', 'c2')
  await end('running')
  enter('open', 'o2')
  for (const name of ['o1', 'c1', 'o2', 'c2']) await end(name)
  t.strictSame(started, ['running', 'o1', 'c1', 'o2', 'c2'])
})

t.test('a job that waits for two seconds is refused and leaves its place to another', async (t) => {
  const { run, enter, end, started, timers } = makeQueues({ maxWaiting: 1 })
  enter('open', 'running')
  const late = run('open', 'late')
  const other = run('create', 'other')
  t.strictSame(
    [...timers].map(({ millis }) => millis),
    [2_000, 2_000],
  )
  const [first] = timers
  first?.run()
  t.same(expectErr(await late), { code: 'hasher_busy' })
  const next = run('open', 'next')
  await end('running')
  await end('other')
  await end('next')
  t.strictSame(started, ['running', 'other', 'next'])
  t.equal(expectOk(await other), 'other')
  t.equal(expectOk(await next), 'next')
})

t.test(
  'a job that is refused because it waited too long does not delay those behind it in its queue',
  async (t) => {
    const { run, enter, end, started, timers } = makeQueues()
    enter('open', 'running')
    const late = run('open', 'late')
    const next = run('open', 'next')
    const [first] = timers
    first?.run()
    t.same(expectErr(await late), { code: 'hasher_busy' })
    await end('running')
    await end('next')
    t.equal(expectOk(await next), 'next')
    t.strictSame(started, ['running', 'next'])
  },
)

t.test('a job that runs has no timer', async (t) => {
  const { run, end, timers } = makeQueues()
  const first = run('open', 'first')
  t.equal(timers.size, 0, 'a job that does not wait needs none')
  const second = run('open', 'second')
  t.equal(timers.size, 1)
  await end('first')
  t.equal(timers.size, 0)
  await end('second')
  await Promise.all([first, second])
})

t.test('a full queue refuses immediately while the others still accept', async (t) => {
  const { run, enter } = makeQueues({ maxWaiting: 2 })
  enter('open', 'running', 'waiting 1', 'waiting 2')
  t.same(expectErr(await run('open', 'too many')), { code: 'hasher_busy' })
  let isAnswered = false
  void run('create', 'accepted').then(() => (isAnswered = true))
  await new Promise((resolve) => setImmediate(resolve))
  t.notOk(isAnswered)
})

t.test('the owners in a queue are served in turn, and do not delay other queues', async (t) => {
  const { run, enter, end, started } = makeQueues({ maxWaiting: 10 })
  const results = [run('open', 'running', 'ann')]
  for (const [owner, ...names] of [
    ['ann', 'a1', 'a2', 'a3'],
    ['bob', 'b1'],
    ['eve', 'e1', 'e2'],
  ] as const)
    for (const name of names) results.push(run('open', name, owner))
  enter('create', 'c1', 'c2')
  for (let round = 0; round < 9; round += 1) await end(started.at(-1) ?? '')
  t.strictSame(started, ['running', 'a1', 'c1', 'b1', 'c2', 'e1', 'a2', 'e2', 'a3'])
  t.ok((await Promise.all(results)).every((result) => result.isOk()))
})

t.test('a full queue takes the job of an owner with few for the latest of the owner with most', async (t) => {
  const { run, end, started, timers } = makeQueues({ maxWaiting: 4 })
  const running = run('open', 'running', 'ann')
  const [first, , third] = ['a1', 'a2', 'a3'].map((name) => run('open', name, 'ann'))
  const bobs = run('open', 'b1', 'bob')
  const eves = run('open', 'e1', 'eve')
  t.same(expectErr((await third) ?? (await running)), { code: 'hasher_busy' })
  t.equal(timers.size, 4, 'a job that is refused has no timer')
  t.same(expectErr(await run('open', 'a4', 'ann')), { code: 'hasher_busy' }, 'not for the owner with most')
  t.same(
    expectErr(await run('open', 'b2', 'bob')),
    { code: 'hasher_busy' },
    'nor where both would have as many',
  )
  for (const name of ['running', 'a1', 'b1', 'e1']) await end(name)
  t.strictSame(started, ['running', 'a1', 'b1', 'e1', 'a2'])
  t.equal(expectOk((await first) ?? (await running)), 'a1')
  t.equal(expectOk(await bobs), 'b1')
  t.equal(expectOk(await eves), 'e1')
})

t.test('a job that waited too long leaves its place to its owner and to others', async (t) => {
  const { run, enter, end, started, timers } = makeQueues({ maxWaiting: 2 })
  enter('open', 'running')
  const late = run('open', 'late', 'ann')
  const other = run('open', 'other', 'ann')
  const [first] = timers
  first?.run()
  t.same(expectErr(await late), { code: 'hasher_busy' })
  const next = run('open', 'next', 'ann')
  for (const name of ['running', 'other', 'next']) await end(name)
  t.strictSame(started, ['running', 'other', 'next'])
  t.strictSame([expectOk(await other), expectOk(await next)], ['other', 'next'])
})

t.test('a job that rejects or throws counts as busy and frees its place', async (t) => {
  const { queues } = makeQueues()
  for (const job of [
    () => Promise.reject(new Error('no memory')),
    () => {
      throw new Error('no memory')
    },
  ]) {
    t.same(expectErr(await queues.run({ queue: 'open' }, job)), { code: 'hasher_busy' })
  }
  t.equal(expectOk(await queues.run({ queue: 'open' }, () => Promise.resolve(1))), 1)
})

t.test('close refuses the jobs that wait and later ones, and resolves when none runs', async (t) => {
  const { queues, run, end, started, timers } = makeQueues()
  const running = run('open', 'running')
  const waiting = [run('open', 'waiting'), run('create', 'waiting too')]
  let isClosed = false
  const closing = queues.close().then(() => (isClosed = true))
  for (const result of await Promise.all(waiting)) t.same(expectErr(result), { code: 'hasher_busy' })
  t.same(expectErr(await run('open', 'late')), { code: 'hasher_busy' })
  t.equal(timers.size, 0)
  t.notOk(isClosed)
  await end('running')
  await closing
  t.equal(expectOk(await running), 'running')
  t.strictSame(started, ['running'])
  await queues.close()
})

t.test('close resolves only when the last of several jobs has ended', async (t) => {
  const { queues, enter, end } = makeQueues({ concurrency: 2 })
  enter('open', 'one', 'other')
  let isClosed = false
  const closing = queues.close().then(() => (isClosed = true))
  await end('one')
  t.notOk(isClosed)
  await end('other')
  await closing
  t.ok(isClosed)
})

t.test('by default a job that has been started leaves no timer behind', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const queues = new HashQueues({ concurrency: 1, maxWaitMillis: 60_000 })
  const jobs = [1, 2].map((name) => queues.run({ queue: 'open' }, () => Promise.resolve(name)))
  t.equal(timers(), before + 1)
  t.strictSame(
    (await Promise.all(jobs)).map((result) => expectOk(result)),
    [1, 2],
  )
  t.equal(timers(), before)
})

t.test(
  'the size of the thread pool is that of libuv, which is 4 unless the environment says otherwise',
  (t) => {
    t.intercept(process, 'env', { value: { ...process.env, UV_THREADPOOL_SIZE: '7' } })
    t.equal(defaultConcurrency(16), 6)
    t.intercept(process, 'env', { value: { ...process.env, UV_THREADPOOL_SIZE: undefined } })
    t.equal(defaultConcurrency(16), 3)
    t.end()
  },
)

t.test('by default a processor and a thread of the pool stay free', (t) => {
  t.equal(defaultConcurrency(1, 4), 1)
  t.equal(defaultConcurrency(2, 4), 1)
  t.equal(defaultConcurrency(4, 4), 3)
  t.equal(defaultConcurrency(16, 4), 3, 'three of four threads, however many processors')
  t.equal(defaultConcurrency(16, 19), 15)
  t.equal(defaultConcurrency(16, 1), 1)
  for (const odd of [NaN, 0, -1, 1.5]) t.equal(defaultConcurrency(8, odd), 3, String(odd))
  t.end()
})

t.test('a meter hears how many jobs wait and run, and how long each has waited, by its queue', async (t) => {
  let nowMillis = 5_000
  t.intercept(performance, 'now', { value: () => nowMillis })
  const waits: (readonly [string, string, number])[] = []
  const readings = new Map<string, () => number>()
  const queues = new HashQueues({
    concurrency: 1,
    meter: {
      observe: (what, part, value) => void waits.push([what, part, value]),
      gauge: (what, part, read) => void readings.set(`${what} ${part}`, read),
    },
  })
  const state = () => [...readings.entries()].map(([name, read]) => [name, read()])
  t.same(state(), [
    ['hash_queue_length all', 0],
    ['hashes_running all', 0],
  ])
  const first = Promise.withResolvers<undefined>()
  const jobs = [
    queues.run({ queue: 'open' }, () => first.promise),
    queues.run({ queue: 'create' }, () => Promise.resolve()),
  ]
  t.same(state(), [
    ['hash_queue_length all', 1],
    ['hashes_running all', 1],
  ])
  t.equal(waits.length, 1, 'the one that runs')
  nowMillis += 1_500
  first.resolve(undefined)
  await Promise.all(jobs)
  t.strictSame(waits, [
    ['hash_wait_seconds', 'open', 0],
    ['hash_wait_seconds', 'create', 1.5],
  ])
})

t.test('by default 32 jobs may wait for each that runs at the same time, each for two seconds', async (t) => {
  const waits: number[] = []
  const setTimer = (millis: number) => {
    waits.push(millis)
    return () => undefined
  }
  const queues = new HashQueues({ concurrency: 2, setTimer })
  const never = () => new Promise<never>(() => undefined)
  const accepted = Array.from({ length: 2 + 64 }, () => queues.run({ queue: 'open' }, never))
  t.same(expectErr(await queues.run({ queue: 'open' }, never)), { code: 'hasher_busy' })
  t.strictSame(
    waits,
    Array.from({ length: 64 }, () => 2_000),
  )
  t.equal(accepted.length, 66)
})

t.test('a job waits no longer than its bound says', (t) => {
  const waits: number[] = []
  const setTimer = (millis: number) => {
    waits.push(millis)
    return () => undefined
  }
  const queues = new HashQueues({ concurrency: 1, maxWaitMillis: 50, setTimer })
  const never = () => new Promise<never>(() => undefined)
  const accepted = [queues.run({ queue: 'open' }, never), queues.run({ queue: 'open' }, never)]
  t.strictSame(waits, [50])
  t.equal(accepted.length, 2)
  t.end()
})

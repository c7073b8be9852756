import t from 'tap'
import { defaultConcurrency, HashQueue, type Lane } from '../src/hash-queue.ts'

/** A queue whose jobs end when the test says so, and whose timers go off when the test says so. */
function makeQueue({ concurrency = 1, maxWaiting = 3 } = {}) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const timers = new Set<{ millis: number; run: () => void }>()
  const queue = new HashQueue({
    concurrency,
    maxWaiting,
    setTimer(millis, run) {
      const timer = { millis, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  const run = (lane: Lane, name: string) =>
    queue.run(lane, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  /** The same, for those whose answer nobody waits for. */
  const enter = (lane: Lane, ...names: string[]): void => {
    for (const name of names) void run(lane, name).then((answer) => answer.isOk())
  }
  /** Ends a job and lets everything that follows from it happen. */
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, run, enter, end, started, timers }
}

t.test('no more run at once than allowed, in order of arrival', async (t) => {
  const { run, end, started } = makeQueue({ concurrency: 2 })
  const answers = ['a', 'b', 'c', 'd'].map((name) => run('open', name))
  t.strictSame(started, ['a', 'b'])
  await end('b')
  t.strictSame(started, ['a', 'b', 'c'])
  await end('a')
  t.strictSame(started, ['a', 'b', 'c', 'd'])
  await end('c')
  await end('d')
  t.strictSame(
    (await Promise.all(answers)).map((answer) => answer._unsafeUnwrap()),
    ['a', 'b', 'c', 'd'],
  )
})

t.test('the lanes take turns: a full lane does not keep the other waiting', async (t) => {
  const { enter, end, started } = makeQueue()
  enter('open', 'o1', 'o2', 'o3', 'o4')
  enter('create', 'c1', 'c2')
  for (let round = 0; round < 6; round += 1) await end(started.at(-1)!)
  t.equal(started[0], 'o1')
  t.strictSame(started.toSorted(), ['c1', 'c2', 'o1', 'o2', 'o3', 'o4'])
  t.ok(started.indexOf('c1') <= 2 && started.indexOf('c2') <= 4, started.join(' '))
  t.ok(started.indexOf('o2') <= 2 && started.indexOf('o3') <= 4, started.join(' '))
})

t.test('who waits for two seconds is turned away, and takes no place any more', async (t) => {
  const { run, enter, end, started, timers } = makeQueue()
  enter('open', 'running')
  const late = run('open', 'late')
  const other = run('create', 'other')
  t.strictSame(
    [...timers].map(({ millis }) => millis),
    [2_000, 2_000],
  )
  const [first] = timers
  first?.run()
  t.same((await late)._unsafeUnwrapErr(), { code: 'cipher_busy' })
  await end('running')
  t.strictSame(started, ['running', 'other'])
  await end('other')
  t.equal((await other)._unsafeUnwrap(), 'other')
})

t.test('who is served has no timer left', async (t) => {
  const { run, end, timers } = makeQueue()
  const first = run('open', 'first')
  t.equal(timers.size, 0, 'who does not wait needs none')
  const second = run('open', 'second')
  t.equal(timers.size, 1)
  await end('first')
  t.equal(timers.size, 0)
  await end('second')
  await Promise.all([first, second])
})

t.test('a full lane turns away at once, the other one still takes', async (t) => {
  const { run, enter } = makeQueue({ maxWaiting: 2 })
  enter('open', 'running', 'waiting 1', 'waiting 2')
  t.same((await run('open', 'too many'))._unsafeUnwrapErr(), { code: 'cipher_busy' })
  let answered = false
  void run('create', 'welcome').then(() => (answered = true))
  await new Promise((resolve) => setImmediate(resolve))
  t.notOk(answered)
})

t.test('a job that rejects or throws counts as busy and frees its place', async (t) => {
  const { queue } = makeQueue()
  for (const job of [
    () => Promise.reject(new Error('no memory')),
    () => {
      throw new Error('no memory')
    },
  ]) {
    t.same((await queue.run('open', job))._unsafeUnwrapErr(), { code: 'cipher_busy' })
  }
  t.equal((await queue.run('open', () => Promise.resolve(1)))._unsafeUnwrap(), 1)
})

t.test('close turns away what waits and what comes, and resolves when nothing runs', async (t) => {
  const { queue, run, end, started, timers } = makeQueue()
  const running = run('open', 'running')
  const waiting = [run('open', 'waiting'), run('create', 'waiting too')]
  let closed = false
  const closing = queue.close().then(() => (closed = true))
  for (const answer of await Promise.all(waiting)) t.same(answer._unsafeUnwrapErr(), { code: 'cipher_busy' })
  t.same((await run('open', 'late'))._unsafeUnwrapErr(), { code: 'cipher_busy' })
  t.equal(timers.size, 0)
  t.notOk(closed)
  await end('running')
  await closing
  t.equal((await running)._unsafeUnwrap(), 'running')
  t.strictSame(started, ['running'])
  await queue.close()
})

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

import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createListScheduler, type ListSchedulerOptions } from '../../src/api/list-scheduler.ts'

const never = new AbortController().signal

/** A scheduler whose time passes when the test says so, and the answers to the lists that asked for a place. */
function setUp(options: ListSchedulerOptions = {}) {
  const timers = new Set<{ readonly millis: number; readonly callBack: () => void }>()
  const scheduler = createListScheduler({
    ...options,
    after(millis, callBack) {
      const timer = { millis, callBack }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  const answers: string[] = []
  const frees: (() => void)[] = []
  const ask = (name: string, signal = never) => {
    void scheduler.place(name.slice(0, 1), signal).then((free) => {
      answers.push(`${name} ${free === undefined ? 'refused' : 'placed'}`)
      if (free !== undefined) frees.push(free)
    })
  }
  const since = async () => {
    await nextTurn()
    return answers.splice(0)
  }
  return { scheduler, timers, frees, ask, since }
}

t.test('all lists together read one page in each turn of the event loop, in order', async (t) => {
  const { scheduler } = setUp()
  const read: string[] = []
  const list = async (name: string) => {
    for (let page = 1; page <= 3; page += 1) {
      await scheduler.turn('account')
      read.push(name + String(page))
    }
  }
  const lists = Promise.all(['a', 'b', 'c'].map(list))
  for (let turn = 1; turn <= 9; turn += 1) {
    await nextTurn()
    t.ok(read.length <= turn, `${read.length} pages after ${turn} turns`)
  }
  await lists
  t.same(read, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'])
})

t.test('an account that asks for many lists does not make another one wait for all of them', async (t) => {
  const { scheduler } = setUp()
  const read: string[] = []
  const pages = ['a', 'a', 'a', 'b', 'a'].map((account) =>
    scheduler.turn(account).then(() => read.push(account)),
  )
  await Promise.all(pages)
  t.same(read, ['a', 'b', 'a', 'a', 'a'])
})

t.test('two long lists of an account and four in all are under way, the others wait', async (t) => {
  const { frees, ask, since } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name)
  t.same(await since(), ['a1 placed', 'a2 placed', 'b1 placed', 'b2 placed'])
  frees[0]?.()
  frees[0]?.()
  t.same(await since(), ['c1 placed'], 'the account that has none, and only one')
  frees[1]?.()
  t.same(await since(), ['a3 placed'])
})

t.test('a place that an account may not take stays free for another', async (t) => {
  const { frees, ask, since } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) ask(name)
  await since()
  frees[0]?.()
  t.same(await since(), ['a3 placed'])
  frees[2]?.()
  frees[3]?.()
  t.same(await since(), ['b3 placed'])
  ask('c1')
  t.same(await since(), ['c1 placed'])
})

t.test('a list that gets no place within 10 s is refused, and no longer waits', async (t) => {
  const { timers, frees, ask, since } = setUp({ inAll: 1 })
  ask('a1')
  ask('b1')
  ask('c1')
  t.same(await since(), ['a1 placed'])
  t.same(
    [...timers].map(({ millis }) => millis),
    [10_000, 10_000],
  )
  const [first] = timers
  first?.callBack()
  t.same(await since(), ['b1 refused'])
  frees[0]?.()
  t.same(await since(), ['c1 placed'])
  t.equal(timers.size, 0, 'no timer is left')
})

t.test('a list whose client is gone leaves the queue', async (t) => {
  const { timers, frees, ask, since } = setUp({ inAll: 1 })
  const client = new AbortController()
  ask('a1')
  ask('b1', client.signal)
  ask('c1')
  await since()
  client.abort()
  t.same(await since(), ['b1 refused'])
  frees[0]?.()
  t.same(await since(), ['c1 placed'])
  ask('d1', client.signal)
  t.same(await since(), ['d1 refused'])
  t.equal(timers.size, 0)
})

t.test('beyond a bound of waiting lists further ones are refused at once', async (t) => {
  const { timers, ask, since } = setUp({ inAll: 1, waitingMax: 2 })
  for (const name of ['a1', 'b1', 'c1', 'd1']) ask(name)
  t.same(await since(), ['a1 placed', 'd1 refused'])
  t.equal(timers.size, 2)
})

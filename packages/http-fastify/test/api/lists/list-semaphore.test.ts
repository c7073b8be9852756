import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import {
  createListSemaphore,
  type ListPermit,
  type ListSemaphoreOptions,
} from '../../../src/api/lists/list-semaphore.ts'

const never = new AbortController().signal

/** Permits whose time passes when the test says so, and the answers to the lists that asked for a permit. */
function setUp(options: ListSemaphoreOptions = {}) {
  const timers = new Set<{ readonly millis: number; readonly callBack: () => void }>()
  const lists = createListSemaphore({
    ...options,
    after(millis, callBack) {
      const timer = { millis, callBack }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  const answers: string[] = []
  const permits: ListPermit[] = []
  const ask = (name: string, signal = never) => {
    void lists.acquire(name.slice(0, 1), signal).then((permit) => {
      answers.push(`${name} ${permit === undefined ? 'refused' : 'acquired'}`)
      if (permit !== undefined) permits.push(permit)
    })
  }
  /** Ends the waits of some length. */
  const passTime = (millis: number) => {
    for (const timer of [...timers]) {
      if (timer.millis !== millis) continue
      timers.delete(timer)
      timer.callBack()
    }
  }
  const since = async () => {
    await nextTurn()
    return answers.splice(0)
  }
  return { lists, timers, permits, ask, since, passTime }
}

t.test('two long lists of an account and four in all are under way, the others wait', async (t) => {
  const { permits, ask, since } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name)
  t.same(await since(), ['a1 acquired', 'a2 acquired', 'b1 acquired', 'b2 acquired'])
  permits[0]?.release()
  permits[0]?.release()
  t.same(await since(), ['c1 acquired'], 'the account that has none, and only one')
  permits[1]?.release()
  t.same(await since(), ['a3 acquired'])
})

t.test('a permit that an account may not take stays free for another', async (t) => {
  const { permits, ask, since } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) ask(name)
  await since()
  permits[0]?.release()
  t.same(await since(), ['a3 acquired'])
  permits[2]?.release()
  permits[3]?.release()
  t.same(await since(), ['b3 acquired'])
  ask('c1')
  t.same(await since(), ['c1 acquired'])
})

t.test('a list that gets no permit within 10 s is refused, and no longer waits', async (t) => {
  const { timers, permits, ask, since } = setUp({ inAll: 1 })
  ask('a1')
  ask('b1')
  ask('c1')
  t.same(await since(), ['a1 acquired'])
  t.same(
    [...timers].map(({ millis }) => millis),
    [10_000, 10_000],
  )
  const [first] = timers
  first?.callBack()
  t.same(await since(), ['b1 refused'])
  permits[0]?.release()
  t.same(await since(), ['c1 acquired'])
  t.equal(timers.size, 0, 'no timer is left')
})

t.test('a list whose client is gone leaves the queue', async (t) => {
  const { timers, permits, ask, since } = setUp({ inAll: 1 })
  const client = new AbortController()
  ask('a1')
  ask('b1', client.signal)
  ask('c1')
  await since()
  client.abort()
  t.same(await since(), ['b1 refused'])
  permits[0]?.release()
  t.same(await since(), ['c1 acquired'])
  ask('d1', client.signal)
  t.same(await since(), ['d1 refused'])
  t.equal(timers.size, 0)
})

t.test('beyond a bound of waiting lists further ones are refused immediately', async (t) => {
  const { timers, ask, since } = setUp({ inAll: 1, waitingMax: 2 })
  for (const name of ['a1', 'b1', 'c1', 'd1']) ask(name)
  t.same(await since(), ['a1 acquired', 'd1 refused'])
  t.equal(timers.size, 2)
})

t.test('it is full for an account with lists under way when too many lists wait', async (t) => {
  const { lists, ask, since } = setUp({ inAll: 1, waitingMax: 2 })
  for (const name of ['a1', 'b1']) ask(name)
  await since()
  t.notOk(lists.isFull('a'), 'one more may wait')
  ask('c1')
  await since()
  t.ok(lists.isFull('a'))
  t.notOk(lists.isFull('b'), 'its list may be a short one')
})

t.test('it is full for an account whose list was refused, until another list may wait', async (t) => {
  const { lists, permits, ask, since } = setUp({ inAll: 1, waitingMax: 2 })
  for (const name of ['a1', 'b1', 'c1']) ask(name)
  await since()
  t.notOk(lists.isFull('d'), 'its list may be a short one')
  ask('d1')
  t.same(await since(), ['d1 refused'])
  t.ok(lists.isFull('d'))
  t.ok(lists.isBusy('d'))
  permits[0]?.release()
  await since()
  t.notOk(lists.isFull('d'))
  t.notOk(lists.isBusy('d'))
})

t.test('an account with lists under way or waiting is busy', async (t) => {
  const { lists, permits, ask, since } = setUp()
  ask('a1')
  await since()
  t.ok(lists.isBusy('a'))
  t.notOk(lists.isBusy('b'))
  for (const name of ['a2', 'a3']) ask(name)
  await since()
  for (const at of [0, 1]) permits[at]?.release()
  await since()
  t.ok(lists.isBusy('a'), 'the third has its permit now')
  permits[2]?.release()
  t.notOk(lists.isBusy('a'))
})

t.test('an account is busy while its only list waits', async (t) => {
  const { lists, ask, since } = setUp({ inAll: 1 })
  for (const name of ['a1', 'b1']) ask(name)
  await since()
  t.ok(lists.isBusy('b'))
})

t.test('a free permit is given immediately, and none to a client that is gone', (t) => {
  const { lists } = setUp({ inAll: 1 })
  t.equal(lists.tryAcquire('a', AbortSignal.abort()), undefined)
  const permit = lists.tryAcquire('a', never)
  t.ok(permit)
  t.equal(lists.tryAcquire('b', never), undefined)
  permit?.release()
  t.ok(lists.tryAcquire('b', never))
  t.end()
})

t.test(
  'a list whose client takes nothing for 5 s gives its permit up, and waits for another one',
  async (t) => {
    const { permits, ask, since, passTime } = setUp({ inAll: 1 })
    ask('a1')
    ask('b1')
    t.same(await since(), ['a1 acquired'])
    permits[0]?.pause(() => t.fail('it is not cut off'))
    t.same(await since(), [], 'not immediately')
    passTime(5_000)
    t.same(await since(), ['b1 acquired'])
    const resumed = permits[0]?.resume()
    permits[1]?.release()
    t.equal(await resumed, true)
    ask('c1')
    t.same(await since(), [], 'it has the permit')
  },
)

t.test('a list that goes on within 5 s keeps its permit', async (t) => {
  const { timers, permits, ask, since, passTime } = setUp({ inAll: 1 })
  ask('a1')
  ask('b1')
  await since()
  permits[0]?.pause(() => t.fail('it is not cut off'))
  t.equal(await permits[0]?.resume(), true)
  passTime(5_000)
  t.same(await since(), [])
  t.same(
    [...timers].map(({ millis }) => millis),
    [10_000],
    'only the list that waits has a timer',
  )
})

t.test('a list that gave its permit up and gets none within 10 s does not go on', async (t) => {
  const { permits, ask, since, passTime } = setUp({ inAll: 1, waitingMax: 1 })
  ask('a1')
  ask('b1')
  await since()
  permits[0]?.pause(() => undefined)
  passTime(5_000)
  ask('c1')
  t.same(await since(), ['b1 acquired'])
  const resumed = permits[0]?.resume()
  passTime(10_000)
  t.equal(await resumed, false)
})

t.test('of the lists whose clients take nothing, the oldest is cut off beyond a bound', async (t) => {
  const { permits, ask, since, passTime } = setUp({ pausedMax: 2 })
  const cut: string[] = []
  for (const name of ['a1', 'b1', 'c1', 'd1']) ask(name)
  await since()
  permits[0]?.pause(() => cut.push('a1'))
  passTime(5_000)
  await permits[0]?.resume()
  permits[0]?.pause(() => cut.push('a1 again'))
  for (const [at, name] of ['b1', 'c1'].entries()) permits[at + 1]?.pause(() => cut.push(name))
  passTime(5_000)
  t.same(cut, ['a1 again'])
  permits[3]?.pause(() => cut.push('d1'))
  passTime(5_000)
  t.same(cut, ['a1 again', 'b1'])
})

t.test('a client that goes while its list pauses leaves nothing behind', async (t) => {
  const { lists, timers, passTime } = setUp({ inAll: 1, pausedMax: 0 })
  const client = new AbortController()
  const permit = await lists.acquire('a', client.signal)
  permit?.pause(() => t.fail('it is not cut off'))
  client.abort()
  passTime(5_000)
  t.equal(timers.size, 0)
  t.equal(await permit?.resume(), false)
  t.ok(lists.tryAcquire('b', never))
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import {
  createPlaces,
  type ListPlace,
  type ListPlacesOptions,
} from '../../../src/api/lists/list-semaphore.ts'

const never = new AbortController().signal

/** Places whose time passes when the test says so, and the answers to the lists that asked for a place. */
function setUp(options: ListPlacesOptions = {}) {
  const timers = new Set<{ readonly millis: number; readonly callBack: () => void }>()
  const lists = createPlaces({
    ...options,
    after(millis, callBack) {
      const timer = { millis, callBack }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  const answers: string[] = []
  const places: ListPlace[] = []
  const ask = (name: string, signal = never) => {
    void lists.place(name.slice(0, 1), signal).then((place) => {
      answers.push(`${name} ${place === undefined ? 'refused' : 'placed'}`)
      if (place !== undefined) places.push(place)
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
  return { lists, timers, places, ask, since, passTime }
}

t.test('two long lists of an account and four in all are under way, the others wait', async (t) => {
  const { places, ask, since } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name)
  t.same(await since(), ['a1 placed', 'a2 placed', 'b1 placed', 'b2 placed'])
  places[0]?.free()
  places[0]?.free()
  t.same(await since(), ['c1 placed'], 'the account that has none, and only one')
  places[1]?.free()
  t.same(await since(), ['a3 placed'])
})

t.test('a place that an account may not take stays free for another', async (t) => {
  const { places, ask, since } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) ask(name)
  await since()
  places[0]?.free()
  t.same(await since(), ['a3 placed'])
  places[2]?.free()
  places[3]?.free()
  t.same(await since(), ['b3 placed'])
  ask('c1')
  t.same(await since(), ['c1 placed'])
})

t.test('a list that gets no place within 10 s is refused, and no longer waits', async (t) => {
  const { timers, places, ask, since } = setUp({ inAll: 1 })
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
  places[0]?.free()
  t.same(await since(), ['c1 placed'])
  t.equal(timers.size, 0, 'no timer is left')
})

t.test('a list whose client is gone leaves the queue', async (t) => {
  const { timers, places, ask, since } = setUp({ inAll: 1 })
  const client = new AbortController()
  ask('a1')
  ask('b1', client.signal)
  ask('c1')
  await since()
  client.abort()
  t.same(await since(), ['b1 refused'])
  places[0]?.free()
  t.same(await since(), ['c1 placed'])
  ask('d1', client.signal)
  t.same(await since(), ['d1 refused'])
  t.equal(timers.size, 0)
})

t.test('beyond a bound of waiting lists further ones are refused immediately', async (t) => {
  const { timers, ask, since } = setUp({ inAll: 1, waitingMax: 2 })
  for (const name of ['a1', 'b1', 'c1', 'd1']) ask(name)
  t.same(await since(), ['a1 placed', 'd1 refused'])
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
  const { lists, places, ask, since } = setUp({ inAll: 1, waitingMax: 2 })
  for (const name of ['a1', 'b1', 'c1']) ask(name)
  await since()
  t.notOk(lists.isFull('d'), 'its list may be a short one')
  ask('d1')
  t.same(await since(), ['d1 refused'])
  t.ok(lists.isFull('d'))
  t.ok(lists.isBusy('d'))
  places[0]?.free()
  await since()
  t.notOk(lists.isFull('d'))
  t.notOk(lists.isBusy('d'))
})

t.test('an account with lists under way or waiting is busy', async (t) => {
  const { lists, places, ask, since } = setUp()
  ask('a1')
  await since()
  t.ok(lists.isBusy('a'))
  t.notOk(lists.isBusy('b'))
  for (const name of ['a2', 'a3']) ask(name)
  await since()
  for (const at of [0, 1]) places[at]?.free()
  await since()
  t.ok(lists.isBusy('a'), 'the third has its place now')
  places[2]?.free()
  t.notOk(lists.isBusy('a'))
})

t.test('an account is busy while its only list waits', async (t) => {
  const { lists, ask, since } = setUp({ inAll: 1 })
  for (const name of ['a1', 'b1']) ask(name)
  await since()
  t.ok(lists.isBusy('b'))
})

t.test('a free place is given immediately, and none to a client that is gone', (t) => {
  const { lists } = setUp({ inAll: 1 })
  t.equal(lists.placeNow('a', AbortSignal.abort()), undefined)
  const place = lists.placeNow('a', never)
  t.ok(place)
  t.equal(lists.placeNow('b', never), undefined)
  place?.free()
  t.ok(lists.placeNow('b', never))
  t.end()
})

t.test(
  'a list whose client takes nothing for 5 s gives its place up, and waits for another one',
  async (t) => {
    const { places, ask, since, passTime } = setUp({ inAll: 1 })
    ask('a1')
    ask('b1')
    t.same(await since(), ['a1 placed'])
    places[0]?.pause(() => t.fail('it is not cut off'))
    t.same(await since(), [], 'not immediately')
    passTime(5_000)
    t.same(await since(), ['b1 placed'])
    const resumed = places[0]?.resume()
    places[1]?.free()
    t.equal(await resumed, true)
    ask('c1')
    t.same(await since(), [], 'it has the place')
  },
)

t.test('a list that goes on within 5 s keeps its place', async (t) => {
  const { timers, places, ask, since, passTime } = setUp({ inAll: 1 })
  ask('a1')
  ask('b1')
  await since()
  places[0]?.pause(() => t.fail('it is not cut off'))
  t.equal(await places[0]?.resume(), true)
  passTime(5_000)
  t.same(await since(), [])
  t.same(
    [...timers].map(({ millis }) => millis),
    [10_000],
    'only the list that waits has a timer',
  )
})

t.test('a list that gave its place up and gets none within 10 s does not go on', async (t) => {
  const { places, ask, since, passTime } = setUp({ inAll: 1, waitingMax: 1 })
  ask('a1')
  ask('b1')
  await since()
  places[0]?.pause(() => undefined)
  passTime(5_000)
  ask('c1')
  t.same(await since(), ['b1 placed'])
  const resumed = places[0]?.resume()
  passTime(10_000)
  t.equal(await resumed, false)
})

t.test('of the lists whose clients take nothing, the oldest is cut off beyond a bound', async (t) => {
  const { places, ask, since, passTime } = setUp({ pausedMax: 2 })
  const cut: string[] = []
  for (const name of ['a1', 'b1', 'c1', 'd1']) ask(name)
  await since()
  places[0]?.pause(() => cut.push('a1'))
  passTime(5_000)
  await places[0]?.resume()
  places[0]?.pause(() => cut.push('a1 again'))
  for (const [at, name] of ['b1', 'c1'].entries()) places[at + 1]?.pause(() => cut.push(name))
  passTime(5_000)
  t.same(cut, ['a1 again'])
  places[3]?.pause(() => cut.push('d1'))
  passTime(5_000)
  t.same(cut, ['a1 again', 'b1'])
})

t.test('a client that goes while its list pauses leaves nothing behind', async (t) => {
  const { lists, timers, passTime } = setUp({ inAll: 1, pausedMax: 0 })
  const client = new AbortController()
  const place = await lists.place('a', client.signal)
  place?.pause(() => t.fail('it is not cut off'))
  client.abort()
  passTime(5_000)
  t.equal(timers.size, 0)
  t.equal(await place?.resume(), false)
  t.ok(lists.placeNow('b', never))
})

import t from 'tap'
import { usualConcurrency } from '../../src/notifications/notifier.ts'
import { leaseOf, startTestNotifier } from '../support/notifier.ts'

const minuteMillis = 60_000

t.test('what is queued when it starts is sent, events first', async (t) => {
  const { queue, timers, stop } = startTestNotifier({ events: 45 })
  queue.leases.push(leaseOf('1', 'mail'), leaseOf('2'))
  await timers.advance(0)
  t.equal(queue.events, 0, 'in parts of 20, so that other writes do not wait long')
  t.equal(queue.count('distribute'), 3)
  t.ok(queue.calls.includes('delivered 1') && queue.calls.includes('delivered 2'))
  await stop()
})

t.test('what is queued later is sent as soon as somebody wakes it', async (t) => {
  const { queue, timers, wake, stop } = startTestNotifier()
  await timers.advance(1)
  queue.events = 1
  wake()
  queue.leases.push(leaseOf('1'))
  t.notOk(queue.calls.includes('deliver 1'), 'not before the caller has ended')
  await timers.advance(0)
  t.ok(queue.calls.includes('delivered 1'))
  await stop()
})

t.test('many wakes lead to one more step', async (t) => {
  const { queue, timers, wake, stop } = startTestNotifier()
  await timers.advance(1)
  const before = queue.count('distribute')
  for (let i = 0; i < 100; i++) wake()
  await timers.advance(0)
  t.equal(queue.count('distribute'), before + 1)
  await stop()
})

t.test('what another process has queued is found within 5 seconds', async (t) => {
  const { queue, timers, stop } = startTestNotifier()
  await timers.advance(1)
  queue.leases.push(leaseOf('1', 'mail'), leaseOf('2'))
  queue.events = 1
  await timers.advance(5_000)
  t.equal(queue.events, 0)
  t.ok(queue.calls.includes('delivered 1') && queue.calls.includes('delivered 2'))
  await stop()
})

t.test('a message is sent when it is due, not at the next look', async (t) => {
  const { queue, timers, stop } = startTestNotifier()
  queue.nextDueMicros = timers.nowMicros() + 1_200_000
  await timers.advance(0)
  queue.leases.push(leaseOf('1'))
  await timers.advance(1_199)
  t.notOk(queue.calls.includes('deliver 1'))
  await timers.advance(1)
  t.ok(queue.calls.includes('deliver 1'))
  await stop()
})

t.test('a message that is due and cannot be leased is not asked for all the time', async (t) => {
  const { queue, timers, stop } = startTestNotifier()
  queue.nextDueMicros = timers.nowMicros() - 1_000_000
  await timers.advance(1_000)
  t.ok(queue.count('lease webhook') <= 12, String(queue.count('lease webhook')))
  await stop()
})

t.test('a mail server that hangs delays no webhook', async (t) => {
  const { queue, timers, stop } = startTestNotifier()
  const mails = Array.from({ length: 20 }, (_, at) => leaseOf(`mail ${at}`, 'mail'))
  mails.forEach(({ id }) => queue.hanging.add(id))
  queue.leases.push(...mails, ...Array.from({ length: 100 }, (_, at) => leaseOf(String(at))))
  await timers.advance(0)
  t.equal(queue.calls.filter((call) => call.startsWith('delivered')).length, 100)
  t.equal(queue.calls.filter((call) => call.startsWith('deliver mail')).length, usualConcurrency.mail.sends)
  await timers.advance(5_000)
  t.notOk(
    queue.calls.some((call) => call.startsWith('lease mail 0')),
    'nothing is leased while none is free',
  )
  queue.hanging.clear()
  await timers.advance(0)
  t.equal(queue.leases.length, 0)
  await stop()
})

// Promise (Notifications): Targets that hang delay no other one
t.test('targets that hang with many messages delay no other one', async (t) => {
  const { queue, timers, wake, stop } = startTestNotifier()
  const slow = Array.from({ length: 200 }, (_, at) => leaseOf(`slow ${at}`, 'webhook', 100))
  slow.forEach(({ id }) => queue.hanging.add(id))
  queue.leases.push(...slow)
  await timers.advance(0)
  queue.leases.push(...Array.from({ length: 50 }, (_, at) => leaseOf(String(at))))
  wake()
  await timers.advance(5_000)
  t.equal(queue.leases.length, 0)
  t.notOk(queue.calls.includes('delivered slow 0'))
  queue.hanging.clear()
  await stop()
})

t.test('half of what is sent at the same time is for targets that have one message of it each', async (t) => {
  const few = { sends: 8, perTarget: 2 }
  const { queue, timers, stop } = startTestNotifier({ concurrency: { mail: few, webhook: few } })
  const slow = Array.from({ length: 9 }, (_, at) => leaseOf(`slow ${at}`, 'webhook', 5))
  slow.forEach(({ id }) => queue.hanging.add(id))
  queue.leases.push(...slow)
  await timers.advance(0)
  t.ok(queue.calls.includes('lease webhook 2 × 2'))
  t.ok(queue.calls.includes('lease webhook 4 × 1'))
  t.equal(queue.calls.filter((call) => call.startsWith('deliver')).length, 6)
  queue.hanging.clear()
  await timers.advance(0)
  t.equal(queue.leases.length, 0)
  await stop()
})

t.test('nothing is leased of a kind that cannot be sent', async (t) => {
  const { queue, timers, stop } = startTestNotifier({ kinds: ['webhook'] })
  queue.nextDueMicros = 0
  queue.leases.push(leaseOf('1', 'mail'), leaseOf('2'))
  await timers.advance(10_000)
  t.equal(queue.count('lease mail'), 0)
  t.ok(queue.calls.includes('delivered 2'))
  await stop()
})

// Promise (Notifications): The server stops within 10 seconds, whatever a receiver does: and starts no further work
t.test('at the end nothing more is leased, and what is being sent is waited for', async (t) => {
  const { queue, timers, wake, stop } = startTestNotifier()
  queue.hanging.add('1')
  queue.leases.push(leaseOf('1'))
  await timers.advance(0)
  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  queue.leases.push(leaseOf('2'))
  wake()
  await timers.advance(6_000)
  t.notOk(isStopped)
  queue.release('1')
  await timers.advance(0)
  t.ok(isStopped)
  await stopped
  t.strictSame(queue.calls.slice(-1), ['delivered 1, stopping'])
})

t.test('a message that does not end is left after 9 seconds, and what is logged later is not', async (t) => {
  const { queue, timers, log, stop } = startTestNotifier()
  queue.hanging.add('1')
  queue.leases.push(leaseOf('1'))
  await timers.advance(0)
  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  await timers.advance(8_999)
  t.notOk(isStopped)
  await timers.advance(1)
  await stopped
  queue.isBroken = true
  queue.release('1')
  await timers.advance(10_000)
  t.strictSame(log, [])
})

// Promise (Notifications): A failing storage is queried less and less often
t.test('while the storage fails it is asked less and less, whoever wakes the notifier', async (t) => {
  const { queue, timers, log, wake, stop } = startTestNotifier()
  queue.isBroken = true
  for (let second = 0; second < 600; second++) {
    wake()
    await timers.advance(1_000)
  }
  // After 0, 1, 3, 7, 15, 31 and 63 seconds, then every minute.
  for (const call of ['distribute', 'lease mail', 'lease webhook'])
    t.ok(queue.count(call) >= 12 && queue.count(call) <= 18, `${call}: ${queue.count(call)}`)
  t.match(log[0], /^notifications could not be read or recorded.*disk I\/O error/)
  t.ok(log.length < 80, String(log.length))

  queue.isBroken = false
  queue.leases.push(leaseOf('1'))
  await timers.advance(minuteMillis)
  t.ok(queue.calls.includes('delivered 1'))
  await stop()
})

t.test('a lease whose outcome cannot be recorded makes its kind wait', async (t) => {
  const { queue, timers, log, stop } = startTestNotifier()
  queue.hanging.add('1')
  queue.leases.push(leaseOf('1'))
  await timers.advance(0)
  queue.isBroken = true
  queue.release('1')
  await timers.advance(0)
  queue.isBroken = false
  t.equal(log.length, 1)
  const before = queue.count('lease webhook')
  await timers.advance(999)
  t.equal(queue.count('lease webhook'), before)
  await timers.advance(1)
  t.equal(queue.count('lease webhook'), before + 1)
  await stop()
})

// Promise (Notifications): The log warns of a queue that does not drain
t.test('the log says once an hour that messages wait for more than 15 minutes', async (t) => {
  const { queue, timers, log, stop } = startTestNotifier()
  queue.oldestMicros = timers.nowMicros()
  await timers.advance(15 * minuteMillis)
  t.strictSame(log, [])
  await timers.advance(minuteMillis)
  t.match(log, [/^notifications wait for more than 15 minutes.*"waiting":0,"dead":2,"oldest":"2023-11-14T/])
  await timers.advance(59 * minuteMillis)
  t.equal(log.length, 1)
  await timers.advance(minuteMillis)
  t.equal(log.length, 2)
  queue.oldestMicros = undefined
  await timers.advance(120 * minuteMillis)
  t.equal(log.length, 2)
  await stop()
})

import Fastify from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import { createLater, waitingMax, type LaterOptions } from '../../src/shared/later.ts'
import type { After } from '@sotto/http-fastify/plugin'

/** Timers that a test lets pass. */
function timers() {
  const pending = new Map<() => void, number>()
  const after: After = (millis, callBack) => {
    pending.set(callBack, millis)
    return () => void pending.delete(callBack)
  }
  const pass = (millis: number): void => {
    for (const [callBack, due] of pending)
      if (due <= millis && pending.delete(callBack)) callBack()
      else pending.set(callBack, due - millis)
  }
  return { pending, after, pass }
}

function start(t: Test, options: Partial<LaterOptions> = {}) {
  const app = Fastify()
  t.teardown(() => app.close())
  const { after, ...others } = timers()
  return { app, later: createLater(app, { after, ...options }), ...others }
}

// Promise (The owner's pages): What follows an answer begins at a time that does not depend on the account
t.test('work begins after its time, whatever it is, and not with what called it', (t) => {
  const waits = [5, 3, 4]
  const { later, pass, pending } = start(t, { waitMillis: () => waits.shift() ?? 0 })
  const begun: string[] = []
  for (const name of ['one', 'two', 'three']) later(() => Promise.resolve(begun.push(name)))
  t.strictSame(begun, [])
  pass(2)
  t.strictSame(begun, [])
  pass(1)
  t.strictSame(begun, ['two'])
  pass(2)
  t.strictSame(begun.toSorted(), ['one', 'three', 'two'])
  t.equal(pending.size, 0)
  t.end()
})

t.test('by default it waits for 2 to 12 seconds, each work for another time', (t) => {
  const { later, pending } = start(t)
  for (let nr = 0; nr < 200; nr += 1) later(() => Promise.resolve())
  const waits = [...pending.values()]
  t.ok(waits.every((millis) => millis >= 2_000 && millis < 12_000))
  t.ok(new Set(waits).size > 100)
  t.end()
})

t.test('beyond the bound the oldest begins', (t) => {
  const { later } = start(t)
  const begun: number[] = []
  for (let nr = 0; nr <= waitingMax; nr += 1) later(() => Promise.resolve(begun.push(nr)))
  t.strictSame(begun, [0])
  t.end()
})

t.test('closing begins what waits, and waits for it, but not for ever', async (t) => {
  const { app, later, pass } = start(t)
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let begun = 0
  later(() => {
    begun += 1
    return promise
  })
  let closed = 0
  const closing = app.close().then(() => (closed += 1))
  while (begun === 0) await new Promise(setImmediate)
  await new Promise(setImmediate)
  t.equal(closed, 0)
  resolve(undefined)
  await closing

  const other = start(t)
  other.later(() => new Promise(() => undefined))
  const hanging = other.app.close()
  while (other.pending.size === 0 || [...other.pending.values()].every((millis) => millis !== 5_000))
    await new Promise(setImmediate)
  other.pass(5_000)
  await hanging
  pass(0)
})

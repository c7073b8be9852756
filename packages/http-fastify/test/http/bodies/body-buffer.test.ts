import t from 'tap'
import { createBodyBuffer } from '../../../src/http/bodies/bodies.ts'
import type { BodyBudget } from '../../../src/http/bodies/server-limits.ts'

/** A budget that tells how much of it is held. */
function watchedBudget(maxBytes = Infinity): BodyBudget & { held: number } {
  return {
    held: 0,
    resize(from, to) {
      if (this.held - from + to > maxBytes) return false
      this.held += to - from
      return true
    },
  }
}

t.test('chunks of any length become the bytes that were sent', async (t) => {
  const sent = Buffer.from(Array.from({ length: 5_000 }, (_, n) => n % 251))
  for (const length of [1, 7, 64, 4_999, 5_000]) {
    const buffer = createBodyBuffer(5_000, watchedBudget())
    for (let at = 0; at < sent.length; at += length) buffer.add(sent.subarray(at, at + length))
    t.ok(sent.equals(buffer.bytes() ?? Buffer.alloc(0)), `${length}`)
  }
  t.equal(createBodyBuffer(10, watchedBudget()).bytes()?.length, 0)
})

t.test(
  'it takes bytes of the budget for what has arrived, at most twice as much, and never more than it may hold',
  async (t) => {
    const budget = watchedBudget()
    const buffer = createBodyBuffer(1_000, budget)
    t.equal(budget.held, 0)
    for (let length = 1; length <= 1_000; length += 1) {
      buffer.add(Uint8Array.of(1))
      t.ok(budget.held >= length && budget.held <= Math.min(2 * length, 1_000), `${length}: ${budget.held}`)
    }
    buffer.release()
    t.equal(budget.held, 0)
    buffer.release()
    t.equal(budget.held, 0, 'a second release gives nothing back')
  },
)

t.test('a refusal is final, and gives all bytes back', async (t) => {
  const budget = watchedBudget(100)
  const other = createBodyBuffer(1_000, budget)
  other.add(new Uint8Array(60))
  const long = createBodyBuffer(30, budget)
  t.equal(long.add(new Uint8Array(30)), undefined)
  t.equal(long.add(new Uint8Array(1)), 'too_large')
  const late = createBodyBuffer(1_000, budget)
  t.equal(late.add(new Uint8Array(41)), 'no_room')
  for (const refused of [long, late]) {
    t.type(refused.add(new Uint8Array(1)), 'string')
    t.equal(refused.bytes(), undefined)
  }
  t.equal(budget.held, 60)
})

t.test('when the bytes have become a text, as many of them are counted, until the release', async (t) => {
  const budget = watchedBudget()
  const buffer = createBodyBuffer(1_000, budget)
  buffer.add(Buffer.alloc(100))
  buffer.add(Buffer.alloc(1))
  t.equal(budget.held, 200)
  buffer.becomeText()
  t.equal(budget.held, 101)
  t.equal(buffer.bytes(), undefined)
  t.equal(buffer.add(Buffer.alloc(1)), 'broken_off')
  buffer.release()
  t.equal(budget.held, 0)
})

t.test('what arrives after the release takes no bytes of the budget, and is no body', async (t) => {
  const budget = watchedBudget()
  const buffer = createBodyBuffer(1_000, budget)
  buffer.add(new Uint8Array(60))
  buffer.release()
  t.type(buffer.add(new Uint8Array(40)), 'string')
  t.equal(budget.held, 0)
  t.equal(buffer.bytes(), undefined)
})

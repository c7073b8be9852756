import t from 'tap'
import { createBodyBudget, createByteBudget, startBytes } from '../../../src/http/bodies/server-limits.ts'

t.test('no more is taken than the budget has, and what is given back can be taken again', async (t) => {
  const budget = createByteBudget(10)
  t.equal(budget.take(6), true)
  t.equal(budget.take(5), false)
  t.equal(budget.take(4), true, 'a refusal takes nothing')
  t.equal(budget.take(-4), true)
  t.equal(budget.take(4), true)
  t.equal(budget.take(1), false)
})

t.test('a part takes its bytes from the whole, and only as much as it may', async (t) => {
  const whole = createByteBudget(10)
  const part = createByteBudget(4, whole)
  t.equal(part.take(5), false)
  t.equal(whole.take(7), true)
  t.equal(part.take(4), false, 'the whole has 3 left')
  t.equal(part.take(3), true, 'a refusal takes nothing from either')
  t.equal(whole.take(1), false)
  part.take(-3)
  t.equal(whole.take(3), true)
})

t.test('long bodies leave the bytes for the starts of others', async (t) => {
  const starts = createByteBudget(10 * startBytes)
  const bodies = createBodyBudget(starts, createByteBudget(1_000))
  t.equal(bodies.resize(0, startBytes + 900), true)
  t.equal(bodies.resize(0, startBytes + 101), false)
  t.equal(bodies.resize(0, startBytes), true)
  t.equal(bodies.resize(startBytes, startBytes + 101), false)
  t.equal(bodies.resize(startBytes, startBytes + 100), true, 'a refusal takes nothing of the rest')
  t.equal(starts.take(8 * startBytes), true, 'a refusal takes nothing of the starts')
  t.equal(bodies.resize(0, 1), false, 'no bytes are left for a start')
  t.equal(bodies.resize(startBytes + 900, 0), true)
  t.equal(bodies.resize(0, startBytes + 900), true, 'all of it was given back')
})

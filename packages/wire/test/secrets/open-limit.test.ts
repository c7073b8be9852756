import t from 'tap'
import { fromWireOpenLimit, toWireOpenLimit } from '../../src/secrets/open-limit.ts'

// Promise (The JSON API): open_limit 0 disables the limit: and so does -0
t.test('0 on the wire, the negative zero included, is no limit in the core', async (t) => {
  t.equal(fromWireOpenLimit(0), undefined)
  t.equal(fromWireOpenLimit(JSON.parse('-0') as number), undefined)
  t.equal(fromWireOpenLimit(JSON.parse('0e5') as number), undefined)
  t.equal(toWireOpenLimit(undefined), 0)
})

t.test('every other limit is the same on both sides, invalid ones included', async (t) => {
  for (const limit of [1, 2, 1_000_000, 1_000_001, -1]) {
    t.equal(fromWireOpenLimit(limit), limit)
    t.equal(toWireOpenLimit(limit), limit)
  }
})

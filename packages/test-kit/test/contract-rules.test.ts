import assert from 'node:assert/strict'
import t from 'tap'
import { contractOf } from '../src/contract.ts'

const harness = { supports: [], open: async () => ({ dispose: async () => {} }) }

t.test('a failure names its rule, then what was seen', async (t) => {
  const [equal, throwing] = contractOf([
    { id: 'a', rule: 'One is two.', run: async () => assert.equal(1, 2, 'seen: 1') },
    { id: 'b', rule: 'It never throws.', run: () => Promise.reject(new RangeError('boom')) },
  ])
  await t.rejects(equal!.run(harness), { name: 'AssertionError', message: 'One is two.\nseen: 1', actual: 1 })
  await t.rejects(throwing!.run(harness), { message: 'It never throws.\nit threw RangeError: boom' })
})

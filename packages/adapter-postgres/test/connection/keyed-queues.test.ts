import { ok } from 'neverthrow'
import { test } from 'tap'
import { createBatches, type Waiting } from '../../src/connection/batches.ts'
import { createKeyedQueues } from '../../src/connection/keyed-queues.ts'
import { expectErr, expectOk } from '@sotto/test-kit'

const keyOf = (call: string) => call.charAt(0)

test('a key with many calls makes another one wait for no more than a batch', async (t) => {
  const queues = createKeyedQueues({ keyOf, sizeMax: 3, perKeyMax: 2 })
  for (const call of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1']) queues.add(call)
  const batches: (readonly string[])[] = []
  while (queues.isReady()) {
    const batch = queues.take()
    batches.push(batch)
    queues.done(batch, [])
  }
  t.same(batches, [
    ['a1', 'a2', 'b1'],
    ['c1', 'a3', 'a4'],
    ['a5', 'a6'],
  ])
})

test('a key is in one batch at a time', async (t) => {
  const queues = createKeyedQueues({ keyOf, sizeMax: 3, perKeyMax: 1 })
  for (const call of ['a1', 'a2', 'b1']) queues.add(call)
  const batch = queues.take()
  t.same(batch, ['a1', 'b1'])
  queues.add('b2')
  t.equal(queues.isReady(), false)
  queues.add('c1')
  t.same(queues.take(), ['c1'])
  queues.done(batch, [])
  t.same(queues.take(), ['a2', 'b2'])
})

test('calls that run again come before later calls of their key, and after those of other keys', async (t) => {
  const queues = createKeyedQueues({ keyOf, sizeMax: 2, perKeyMax: 2 })
  for (const call of ['a1', 'a2', 'a3', 'b1', 'b2']) queues.add(call)
  const batch = queues.take()
  t.same(batch, ['a1', 'a2'])
  queues.done(batch, ['a1', 'a2'])
  t.same(queues.take(), ['b1', 'b2'])
  t.same(queues.take(), ['a1', 'a2'])
})

test('the calls that a batch resolves to are run again, and only those', async (t) => {
  const seen: (readonly string[])[] = []
  const submit = createBatches<string, number, never>({
    queue: createKeyedQueues({
      keyOf: ({ input }: Waiting<string, number, never>) => keyOf(input),
      sizeMax: 9,
      perKeyMax: 9,
    }),
    ...{ atOnce: 1, sizeMax: 9 },
    run: async (batch) => {
      seen.push(batch.map(({ input }) => input))
      const again = batch.filter(({ input }) => input === 'b1' && seen.length < 3)
      for (const call of batch) if (!again.includes(call)) call.answer(ok(seen.length))
      return Promise.resolve(again)
    },
  })
  const answers = await Promise.all(['a1', 'b1', 'a2'].map((call) => submit(call)))
  t.same(seen, [['a1', 'a2', 'b1'], ['b1'], ['b1']])
  t.same(
    answers.map((answer) => expectOk(answer)),
    [1, 3, 1],
  )
})

test('every call of a batch that fails is answered, and the next batch runs', async (t) => {
  let batches = 0
  const submit = createBatches<string, number, never>({
    sizeMax: 2,
    atOnce: 1,
    run: async (batch) => {
      batches += 1
      if (batches === 1) throw new RangeError('a confidential text')
      for (const { answer } of batch) answer(ok(batches))
      return Promise.resolve()
    },
  })
  const [first, second, third] = await Promise.all(['a', 'b', 'c'].map((call) => submit(call)))
  for (const failed of [first, second])
    t.same(failed && expectErr(failed), { code: 'storage_failed', detail: 'RangeError' })
  t.equal(third && expectOk(third), 2)
})

test('a call is refused as busy while as many wait as may', async (t) => {
  const submit = createBatches<string, string, never>({
    sizeMax: 1,
    atOnce: 1,
    waitingMax: 2,
    run: async (batch) => {
      for (const { input, answer } of batch) answer(ok(input))
      return Promise.resolve()
    },
  })
  const answers = await Promise.all(['a', 'b', 'c'].map((call) => submit(call)))
  t.same(
    answers.map((answer) => answer.isOk()),
    [true, true, false],
  )
})

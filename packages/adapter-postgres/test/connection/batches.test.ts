import type { StorageError } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { ok, type Result } from 'neverthrow'
import { test, type Test } from 'tap'
import { createBatches, type Waiting } from '../../src/connection/batches.ts'

const textOf = (answer: Result<string, StorageError>): string => expectOk(answer)

/** Batches of two calls at most that are under way until the test ends them. */
function createHeld(t: Test, patienceMillis: number) {
  const held: (() => void)[] = []
  const batches: string[] = []
  const begun: (() => void)[] = []
  const submit = createBatches<string, string, never>({
    ...{ sizeMax: 2, atOnce: 2, patienceMillis },
    run: async (batch: readonly Waiting<string, string, never>[]) => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      batches.push(batch.map(({ input }) => input).join(''))
      held.push(() => resolve(undefined))
      begun.shift()?.()
      await promise
      for (const { input, answer } of batch) answer(ok(input))
    },
  })
  t.teardown(() => held.forEach((end) => end()))
  /** Resolves when the next batch begins. */
  const next = () => new Promise<void>((resolve) => void begun.push(resolve))
  return { batches, submit, next, endAll: () => held.forEach((end) => end()) }
}

test('a call waits for the batch that is under way, and shares the next one with those that come until then', async (t) => {
  const { batches, submit, next, endAll } = createHeld(t, 60_000)
  const first = next()
  const one = submit('a')
  await first
  const two = submit('b')
  await new Promise((resolve) => setImmediate(resolve))
  t.same(batches, ['a'])
  const second = next()
  endAll()
  t.equal(expectOk(await one), 'a')
  await second
  endAll()
  t.equal(expectOk(await two), 'b')
  t.same(batches, ['a', 'b'])
})

test('calls that fill a batch do not wait for the one that is under way', async (t) => {
  const { batches, submit, next, endAll } = createHeld(t, 60_000)
  const first = next()
  const calls = [submit('a')]
  await first
  const second = next()
  calls.push(submit('b'), submit('c'))
  await second
  t.same(batches, ['a', 'bc'])
  endAll()
  t.same((await Promise.all(calls)).map(textOf), ['a', 'b', 'c'])
})

test('a batch that takes long holds up no call for longer than a moment', async (t) => {
  const { batches, submit, next, endAll } = createHeld(t, 1)
  const first = next()
  const calls = [submit('a')]
  await first
  const second = next()
  calls.push(submit('b'))
  await second
  t.same(batches, ['a', 'b'])
  endAll()
  t.same((await Promise.all(calls)).map(textOf), ['a', 'b'])
})

test('never more batches are under way than may', async (t) => {
  const { batches, submit, next, endAll } = createHeld(t, 0)
  const [first, second] = [next(), next()]
  const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => submit(name))
  await Promise.all([first, second])
  await new Promise((resolve) => setImmediate(resolve))
  t.same(batches, ['ab', 'cd'])
  const third = next()
  endAll()
  await third
  endAll()
  t.same((await Promise.all(calls)).map(textOf), ['a', 'b', 'c', 'd', 'e', 'f'])
})

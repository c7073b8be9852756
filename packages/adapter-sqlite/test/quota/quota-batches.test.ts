import type { StorageError } from '@sotto/core'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { err, ResultAsync, type Result } from 'neverthrow'
import { test } from 'tap'
import type { Connections } from '../../src/connection/connections.ts'
import { busy } from '../../src/connection/errors.ts'
import { batchCalls, type QuotaCall } from '../../src/quota/quota-batches.ts'

type Job = () => Result<unknown, unknown>

/** Batches whose jobs run when a test says so, and how many calls each job has counted. */
function createBatches() {
  const jobs: { job: Job; answer: (result: Result<unknown, StorageError>) => void }[] = []
  const counted: number[] = []
  const write = (job: Job) => {
    const { promise, resolve } = Promise.withResolvers<Result<unknown, StorageError>>()
    jobs.push({ job, answer: resolve })
    return new ResultAsync(promise)
  }
  const take = batchCalls({ write: write as Connections['write'] }, ({ length }) => {
    counted.push(length)
    return ({ nowMicros }, at) => ({
      taken: true,
      minute: { startedAtMicros: nowMicros, count: at + 1 },
      day: { startedAtMicros: nowMicros, count: at + 1 },
    })
  })
  const run = () => {
    for (const { job, answer } of jobs.splice(0)) answer(job() as Result<unknown, StorageError>)
  }
  return { jobs, counted, take, run }
}

const call: QuotaCall = {
  bucket: 'account/a',
  nowMicros: noonMicros,
  perMinute: 9,
  perDay: 9,
  addressesMax: 9,
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('calls of a bucket in one turn are one job, and each has an answer of its own', async (t) => {
  const { counted, take, run } = createBatches()
  const answers = [take(call), take({ ...call, nowMicros: noonMicros + 5 }), take(call)]
  run()
  const given = (await Promise.all(answers)).map((answer) => expectOk(answer))
  t.same(counted, [2, 1], 'a call whose time is earlier than the one before it is a job of its own')
  t.same(
    given.map(({ minute }) => minute),
    [
      { startedAtMicros: noonMicros, count: 1 },
      { startedAtMicros: noonMicros + 5, count: 2 },
      { startedAtMicros: noonMicros, count: 1 },
    ],
  )
})

test('calls with another bucket or other limits are other jobs', async (t) => {
  for (const other of [{ bucket: 'account/b' }, { perMinute: 8 }, { perDay: 8 }, { addressesMax: 8 }]) {
    const { counted, take, run } = createBatches()
    const answers = [call, { ...call, ...other }].map(take)
    run()
    for (const answer of await Promise.all(answers)) expectOk(answer)
    t.same(counted, [1, 1], JSON.stringify(other))
  }
})

test('a job counts 64 calls at most', async (t) => {
  const { counted, take, run } = createBatches()
  const answers = Array.from({ length: 130 }, () => take(call))
  run()
  for (const answer of await Promise.all(answers)) expectOk(answer)
  t.same(counted, [64, 64, 2])
})

test('a call does not join a job that has run, and one that runs again counts the same calls', async (t) => {
  const { jobs, counted, take, run } = createBatches()
  const first = take(call)
  t.ok(jobs[0]?.job().isOk())
  const second = take(call)
  run()
  for (const answer of await Promise.all([first, second])) t.equal(expectOk(answer).minute.count, 1)
  t.same(counted, [1, 1, 1])
})

test('a call does not join one of an earlier turn, which has waited for a lock', async (t) => {
  const { counted, take, run } = createBatches()
  const first = take(call)
  await nextTurn()
  const answers = [first, take(call), take(call)]
  run()
  for (const answer of await Promise.all(answers)) expectOk(answer)
  t.same(counted, [1, 2])
})

test('every call of a job is answered with its error', async (t) => {
  const { jobs, take } = createBatches()
  const answers = [take(call), take(call)]
  const full = { code: 'storage_unavailable', reason: 'full' } as const
  for (const { answer } of jobs) answer(err(full))
  for (const answer of await Promise.all(answers)) t.same(expectErr(answer), full)
})

test('a job that is refused takes further calls of its turn only', async (t) => {
  const { jobs, take, run } = createBatches()
  const first = take(call)
  for (const { answer } of jobs.splice(0)) answer(err(busy))
  t.same(expectErr(await first), busy)
  await nextTurn()
  const second = take(call)
  run()
  t.equal(expectOk(await second).minute.count, 1)
})

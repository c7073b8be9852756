import { errAsync, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { StorageError } from '@sotto/core'
import t from 'tap'
import { createReadiness, readyMillis } from '../../src/shared/readiness.ts'
import { createTestTimers } from '../support/timers.ts'

const full = { code: 'storage_unavailable', reason: 'full' } as const

/** A storage whose writes are answered when a test says so. */
function fixture() {
  const timers = createTestTimers()
  const writes: ((answer: Result<void, StorageError>) => void)[] = []
  const upkeep = {
    canWrite: () => {
      const { promise, resolve } = Promise.withResolvers<Result<void, StorageError>>()
      writes.push(resolve)
      return new ResultAsync(promise)
    },
  }
  const ready = createReadiness({ upkeep, clock: { nowMicros: timers.nowMicros }, timers })
  return { timers, writes, ready }
}

t.test('an answer is shared for a second', async (t) => {
  const { timers, writes, ready } = fixture()
  const [one, other] = [ready(), ready()]
  writes[0]?.(await okAsync())
  t.ok((await one).isOk() && (await other).isOk())
  await timers.advance(999)
  t.ok((await ready()).isOk())
  t.equal(writes.length, 1)
  await timers.advance(1)
  const next = ready()
  writes[1]?.(await errAsync(full))
  t.strictSame((await next)._unsafeUnwrapErr(), full)
})

t.test(
  'a write without an answer is an Err after five seconds, and no other is asked for meanwhile',
  async (t) => {
    const { timers, writes, ready } = fixture()
    const first = ready()
    await timers.advance(readyMillis)
    t.match((await first)._unsafeUnwrapErr(), { reason: 'busy', detail: /longer than 5 s/ })
    await timers.advance(60_000)
    t.ok((await ready()).isErr(), 'it is still under way')
    t.equal(writes.length, 1)
    writes[0]?.(await okAsync())
    await timers.advance(0)
    const next = ready()
    t.equal(writes.length, 2, 'once it is answered, the next one is asked for')
    writes[1]?.(await okAsync())
    t.ok((await next).isOk())
  },
)

import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers'
import type { HasherBusy, PasswordHasher, PasswordHashJob, PasswordHashParams } from '@sotto/core'
import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'

/** What `createFakePasswordHasher` takes. */
export interface FakePasswordHasherOptions {
  /** What a new password costs; as little as possible by default. */
  readonly params?: PasswordHashParams
  /** How many jobs may wait in each queue. 32 by default. */
  readonly maxWaiting?: number
}

/** A hasher without cost, to be closed as a real one. */
export interface FakePasswordHasher extends PasswordHasher {
  /** Refuses the jobs that wait, and all jobs from then on, with `hasher_busy`. */
  close(): void
}

/** Hashes passwords with SHA-256, so anyone can guess them fast. For tests only. Serves its queues in turn, one job at a time. */
export function createFakePasswordHasher({
  params = { memoryKiB: 8, passes: 1, parallelism: 1 },
  maxWaiting = 32,
}: FakePasswordHasherOptions = {}): FakePasswordHasher {
  const queues = new Map<string, Waiting[]>()
  let isClosed = false
  let isRunning = false
  const runNext = (): void => {
    const [next] = queues
    isRunning = next !== undefined
    if (next === undefined) return
    const [queue, [first, ...others]] = next
    // A queue that is served goes to the end of the map.
    queues.delete(queue)
    if (others.length > 0) queues.set(queue, others)
    setImmediate(() => {
      first?.resolve(ok(fakeHash(first.job)))
      runNext()
    })
  }
  return {
    params,
    hash(job) {
      const waiting = queues.get(job.queue) ?? []
      if (isClosed || waiting.length >= maxWaiting) return errAsync(busy)
      const promise = new Promise<Result<Uint8Array, HasherBusy>>((resolve) => {
        queues.set(job.queue, [...waiting, { job, resolve }])
      })
      if (!isRunning) runNext()
      return new ResultAsync(promise)
    },
    close() {
      isClosed = true
      for (const { resolve } of [...queues.values()].flat()) resolve(err(busy))
      queues.clear()
    },
  }
}

interface Waiting {
  readonly job: PasswordHashJob
  resolve(result: Result<Uint8Array, HasherBusy>): void
}

const busy: HasherBusy = { code: 'hasher_busy' }

function fakeHash({ password, salt, params }: PasswordHashJob): Uint8Array {
  const { memoryKiB, passes, parallelism } = params
  const hash = createHash('sha256').update(JSON.stringify([memoryKiB, passes, parallelism]))
  return new Uint8Array(hash.update(salt).update(password).digest())
}

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

/**
 * Hashes passwords with SHA-256, so anyone can guess them fast. For tests only. Serves its queues, and the owners in each, in turn, one job at
 * a time.
 */
export function createFakePasswordHasher({
  params = { memoryKiB: 8, passes: 1, parallelism: 1 },
  maxWaiting = 32,
}: FakePasswordHasherOptions = {}): FakePasswordHasher {
  const queues = new Map<string, OwnersOfQueue>()
  let isClosed = false
  let isRunning = false
  const runNext = (): void => {
    const [next] = queues
    isRunning = next !== undefined
    if (next === undefined) return
    const [queue, owners] = next
    const first = takeNext(owners)
    // A queue that is served goes to the end of the map.
    queues.delete(queue)
    if (owners.size > 0) queues.set(queue, owners)
    setImmediate(() => {
      first?.resolve(ok(fakeHash(first.job)))
      runNext()
    })
  }
  return {
    params,
    hash(job) {
      const { queue, owner = '' } = job
      const owners = queues.get(queue) ?? new Map<string, readonly Waiting[]>()
      if (isClosed || [...owners.values()].flat().length >= maxWaiting) return errAsync(busy)
      const promise = new Promise<Result<Uint8Array, HasherBusy>>((resolve) => {
        queues.set(queue, owners.set(owner, [...(owners.get(owner) ?? []), { job, resolve }]))
      })
      if (!isRunning) runNext()
      return new ResultAsync(promise)
    },
    close() {
      isClosed = true
      for (const owners of queues.values())
        for (const { resolve } of [...owners.values()].flat()) resolve(err(busy))
      queues.clear()
    },
  }
}

interface Waiting {
  readonly job: PasswordHashJob
  resolve(result: Result<Uint8Array, HasherBusy>): void
}

/** The jobs that wait in one queue, by their owner. */
type OwnersOfQueue = Map<string, readonly Waiting[]>

function takeNext(owners: OwnersOfQueue): Waiting | undefined {
  const [next] = owners
  if (next === undefined) return undefined
  const [owner, [first, ...others]] = next
  owners.delete(owner)
  if (others.length > 0) owners.set(owner, others)
  return first
}

const busy: HasherBusy = { code: 'hasher_busy' }

function fakeHash({ password, salt, params }: PasswordHashJob): Uint8Array {
  const { memoryKiB, passes, parallelism } = params
  const hash = createHash('sha256').update(JSON.stringify([memoryKiB, passes, parallelism]))
  return new Uint8Array(hash.update(salt).update(password).digest())
}

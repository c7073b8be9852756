import type { PasswordHashJob } from '@sotto/core'
import {
  createFakePasswordHasher,
  type FakePasswordHasher,
  type PasswordHasherHarness,
} from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import { fakePasswordHasherHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

export const brokenPasswordHashers: readonly Broken<PasswordHasherHarness>[] = [
  hasher('gives 16 bytes', ['password-hasher/gives-32-bytes'], (real) => ({
    hash: (job) => real.hash(job).map((hash) => hash.slice(0, 16)),
  })),
  hasher('refuses an empty password', ['password-hasher/gives-32-bytes'], (real) => ({
    hash: (job) => (job.password === '' ? errAsync({ code: 'hasher_busy' }) : real.hash(job)),
  })),
  hasher('makes its own salt', ['password-hasher/is-deterministic'], (real) => {
    let made = 0
    return { hash: (job) => real.hash({ ...job, salt: Uint8Array.of((made += 1)) }) }
  }),
  hasher('hashes the name of the queue', ['password-hasher/is-deterministic'], (real) => ({
    hash: (job) => real.hash({ ...job, password: job.queue + job.password }),
  })),
  hashing('ignores the salt', (job) => ({ ...job, salt: new Uint8Array(16) })),
  hashing('ignores the parameters', (job) => ({
    ...job,
    params: { memoryKiB: 8, passes: 1, parallelism: 1 },
  })),
  hashing('ignores the parallelism', (job) => ({ ...job, params: { ...job.params, parallelism: 1 } })),
  hashing('uses 72 bytes of a password', (job) => ({ ...job, password: job.password.slice(0, 72) })),
  hashing('ignores the case of a password', (job) => ({ ...job, password: job.password.toLowerCase() })),
  hashing('trims a password', (job) => ({ ...job, password: job.password.trim() })),
  hasher('gives the same array each time', ['password-hasher/gives-the-callers-own-array'], (real) => {
    const known = new Map<string, Uint8Array>()
    return {
      hash: (job) =>
        real.hash(job).map((hash) => {
          const key = JSON.stringify({ ...job, salt: [...job.salt] })
          known.set(key, known.get(key) ?? hash)
          return known.get(key) ?? hash
        }),
    }
  }),
  hasher('clears the salt', ['password-hasher/gives-the-callers-own-array'], (real) => ({
    hash: (job) =>
      real.hash({ ...job, salt: job.salt.slice() }).map((hash) => {
        job.salt.fill(0)
        return hash
      }),
  })),
  hasher('has too little memory for its lanes', ['password-hasher/has-parameters'], () => ({
    params: { memoryKiB: 8, passes: 1, parallelism: 2 },
  })),
  hasher('makes no pass', ['password-hasher/has-parameters'], () => ({
    params: { memoryKiB: 8, passes: 0, parallelism: 1 },
  })),
  hasher('has one queue for all', ['password-hasher/queues-are-served-in-turn'], () => {
    const one = createFakePasswordHasher({ maxWaiting: 1_000 })
    return { hash: (job) => one.hash({ ...job, queue: 'all' }) }
  }),
  hasher('serves the jobs of a queue in order', ['password-hasher/owners-are-served-in-turn'], (real) => ({
    hash: (job) => real.hash({ ...job, owner: undefined }),
  })),
  hasher('is busy when any queue is full', ['password-hasher/queues-are-served-in-turn'], () => {
    const one = createFakePasswordHasher({ maxWaiting: 10 })
    return { hash: (job) => one.hash({ ...job, queue: 'all' }) }
  }),
  hasher('has its own pepper', ['password-hasher/is-the-same-everywhere'], (real) => {
    const pepper = `${(opened += 1)}`
    return { hash: (job) => real.hash({ ...job, password: pepper + job.password }) }
  }),
  {
    flaw: 'computes SHA-256',
    breaks: ['password-hasher/is-argon2id'],
    harness: fakePasswordHasherHarness((real) => real, ['argon2id', 'close']),
  },
  hasher('hashes on when it is closed', ['password-hasher/closed-hasher-is-busy'], () => ({
    close: () => undefined,
  })),
  hasher('throws when it is closed', ['password-hasher/closed-hasher-is-busy'], (real) => {
    let isClosed = false
    return {
      hash(job) {
        if (isClosed) throw new RangeError('closed')
        return real.hash(job)
      },
      close() {
        isClosed = true
        real.close()
      },
    }
  }),
  hasher('answers an empty hash when it is closed', ['password-hasher/closed-hasher-is-busy'], (real) => ({
    hash: (job) => real.hash(job).orElse(() => okAsync(new Uint8Array(32))),
  })),
]

let opened = 0

function hasher(
  flaw: string,
  breaks: readonly string[],
  change: (real: FakePasswordHasher) => Partial<FakePasswordHasher>,
): Broken<PasswordHasherHarness> {
  return { flaw, breaks, harness: fakePasswordHasherHarness((real) => ({ ...real, ...change(real) })) }
}

/** A hasher that hashes another job than the given one. */
function hashing(
  flaw: string,
  hashed: (job: PasswordHashJob) => PasswordHashJob,
): Broken<PasswordHasherHarness> {
  return hasher(flaw, ['password-hasher/depends-on-the-whole-job'], (real) => ({
    hash: (job) => real.hash(hashed(job)),
  }))
}

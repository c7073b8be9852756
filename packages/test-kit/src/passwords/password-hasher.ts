import assert from 'node:assert/strict'
import type { PasswordHasher, PasswordHashJob } from '@sotto/core'
import {
  caseOf,
  caseOfTwo,
  casesOf,
  contractOf,
  type CaseOf,
  type ContractCase,
  type Harness,
  type Unit,
  type UnnamedCase,
} from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same, spelled } from '../contract/compare.ts'

/**
 * What a hasher can do beyond the minimum:
 * - `argon2id`: it computes real Argon2id. Only a fake does not.
 * - `close`: its disposal closes it, and a closed hasher answers `hasher_busy`.
 */
export type PasswordHasherCapability = 'argon2id' | 'close'

/** A password hasher, for its contract. */
export interface PasswordHasherUnderTest extends Unit {
  readonly hasher: PasswordHasher
}

/** Makes the hasher that the contract is run on. */
export type PasswordHasherHarness = Harness<PasswordHasherUnderTest, PasswordHasherCapability>

/** The cheapest job that Argon2 allows, so that the cases are fast. */
const cheap: PasswordHashJob = {
  queue: 'one',
  password: 'Correct horse, battery stäple 🐎',
  salt: Uint8Array.from({ length: 16 }, (_, at) => at),
  params: { memoryKiB: 8, passes: 1, parallelism: 1 },
}

/** Argon2id, version 0x13, of the cheap job: OpenSSL (Node.js) and the argon2 crate (@node-rs/argon2) agree on it. */
const cheapHash = '42d416ddcf8a6f867bf412de98e0d2242f90d62b0eef5b9356b55fb704f22b1d'

/** The contract of the password hasher. */
export const passwordHasherContract: readonly ContractCase<PasswordHasherHarness>[] = contractOf(
  casesOf({
    'password-hasher/gives-32-bytes': hasherCase({
      rule: 'A hash has 32 bytes, whatever the password.',
      async check(hasher) {
        for (const password of ['', 'x', cheap.password, 'p'.repeat(1_024)]) {
          const hash = expectOk(await hasher.hash({ ...cheap, password }))
          assert.ok(hash instanceof Uint8Array, 'not a Uint8Array')
          same(hash.length, 32)
        }
      },
    }),
    'password-hasher/is-deterministic': hasherCase({
      rule: 'The same password, salt and parameters give the same hash, in any queue.',
      async check(hasher) {
        const hash = expectOk(await hasher.hash(cheap))
        same(expectOk(await hasher.hash(cheap)), hash)
        same(expectOk(await hasher.hash({ ...cheap, queue: 'another' })), hash, 'in another queue')
      },
    }),
    'password-hasher/depends-on-the-whole-job': hasherCase({
      rule: 'Another password, salt, memory, number of passes or parallelism gives another hash.',
      async check(hasher) {
        const { params, password, salt } = cheap
        const jobs: readonly PasswordHashJob[] = [
          cheap,
          { ...cheap, password: `${password} ` },
          { ...cheap, password: password.toLowerCase() },
          { ...cheap, password: `${'p'.repeat(1_023)}a` },
          { ...cheap, password: `${'p'.repeat(1_023)}b` },
          { ...cheap, salt: salt.map((byte, at) => (at === 15 ? byte ^ 1 : byte)) },
          { ...cheap, params: { ...params, memoryKiB: 16 } },
          { ...cheap, params: { ...params, passes: 2 } },
          { ...cheap, params: { ...params, memoryKiB: 16, parallelism: 2 } },
        ]
        const hashes = new Set<string>()
        for (const job of jobs) hashes.add(spelled(expectOk(await hasher.hash(job))))
        same(hashes.size, jobs.length, 'how many hashes differ')
      },
    }),
    'password-hasher/gives-the-callers-own-array': hasherCase({
      rule: "The array is the caller's own: writing to it changes no other hash, and the job is not changed.",
      async check(hasher) {
        const salt = Uint8Array.from(cheap.salt)
        const first = expectOk(await hasher.hash({ ...cheap, salt }))
        const copy = Uint8Array.from(first)
        first.fill(0)
        same(expectOk(await hasher.hash({ ...cheap, salt })), copy)
        same(first, new Uint8Array(32), 'the first array after a second call')
        same(salt, cheap.salt, 'the salt')
      },
    }),
    'password-hasher/has-parameters': hasherCase({
      rule: 'params are positive whole numbers that Argon2 allows: at least 8 KiB of memory for each lane.',
      check({ params: { memoryKiB, passes, parallelism } }) {
        for (const value of [memoryKiB, passes, parallelism])
          assert.ok(Number.isSafeInteger(value) && value > 0)
        assert.ok(memoryKiB >= 8 * parallelism, `${memoryKiB} KiB are too little for ${parallelism} lanes`)
      },
    }),
    'password-hasher/queues-are-served-in-turn': hasherCase({
      rule: 'A job is hashed before a longer queue than its own is done, and a full queue does not make another one busy.',
      async check(hasher) {
        let finished = 0
        const long = Array.from({ length: 100 }, async () => {
          const result = await hasher.hash(cheap)
          if (result.isOk()) finished += 1
          else same(result.error, { code: 'hasher_busy' })
        })
        expectOk(await hasher.hash({ ...cheap, queue: 'another' }), 'the job in the other queue')
        const finishedBefore = finished
        await Promise.all(long)
        assert.ok(finished > 0, 'no job of the long queue was hashed')
        assert.ok(finishedBefore < finished, 'the job waited for the whole long queue')
      },
    }),
    'password-hasher/owners-are-served-in-turn': hasherCase({
      rule: 'A job is hashed before the many jobs of another owner in its queue are done.',
      async check(hasher) {
        let finished = 0
        const many = Array.from({ length: 16 }, async () => {
          expectOk(await hasher.hash({ ...cheap, owner: 'one' }), 'a job of the owner of many')
          finished += 1
        })
        expectOk(await hasher.hash({ ...cheap, owner: 'another' }), 'the job of the other owner')
        const finishedBefore = finished
        await Promise.all(many)
        assert.ok(finishedBefore < finished, 'the job waited for all jobs of another owner')
      },
    }),
    'password-hasher/is-the-same-everywhere': caseOfTwo({
      rule: 'Two hashers give the same hash for the same job.',
      async check({ hasher: one }: PasswordHasherUnderTest, { hasher: other }: PasswordHasherUnderTest) {
        same(expectOk(await one.hash(cheap)), expectOk(await other.hash(cheap)))
      },
    }),
    'password-hasher/is-argon2id': hasherCase({
      rule: 'A hash is Argon2id, version 0x13, of the password in UTF-8 (RFC 9106).',
      needs: ['argon2id'],
      async check(hasher) {
        same(Buffer.from(expectOk(await hasher.hash(cheap))).toString('hex'), cheapHash)
      },
    }),
    'password-hasher/closed-hasher-is-busy': {
      rule: 'Once closed, a hasher answers hasher_busy, also for jobs that wait; none throws, rejects or hangs.',
      needs: ['close'],
      async run(harness) {
        const unit = await harness.open()
        const { hasher } = unit
        const jobs = Array.from({ length: 20 }, () => hasher.hash(cheap))
        await unit.dispose()
        for (const result of await Promise.all(jobs)) {
          if (result.isErr()) same(result.error, { code: 'hasher_busy' })
        }
        expectErr(await hasher.hash(cheap), 'hasher_busy')
      },
    },
  }),
)

function hasherCase({
  check,
  ...about
}: Omit<CaseOf<PasswordHasherUnderTest, PasswordHasherCapability>, 'check'> & {
  check(hasher: PasswordHasher): Promise<void> | void
}): UnnamedCase<PasswordHasherHarness> {
  return caseOf({ ...about, check: ({ hasher }: PasswordHasherUnderTest) => check(hasher) })
}

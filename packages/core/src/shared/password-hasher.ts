import type { ResultAsync } from 'neverthrow'
import type { HasherBusy } from './errors.ts'

/** What one password hash costs (RFC 9106, section 3.1). */
export interface PasswordHashParams {
  /** Memory in KiB. */
  readonly memoryKiB: number
  /** Passes over the memory. */
  readonly passes: number
  /** Lanes of the algorithm, which may run in parallel. */
  readonly parallelism: number
}

/** One password to hash. */
export interface PasswordHashJob {
  /** The queue that the job waits in. Queues are served in turn, so that a full one does not delay the others. */
  readonly queue: string
  /**
   * The owner of the job, such as the id of an account. The owners in a queue are served in turn, so that one owner's many jobs do not keep
   * those of the others waiting. Jobs without one have the same owner.
   */
  readonly owner?: string | undefined
  /** Normalised by `normalizePassword`. */
  readonly password: string
  /** 16 bytes. */
  readonly salt: Uint8Array
  readonly params: PasswordHashParams
}

/** Hashes passwords with Argon2id (RFC 9106), off the event loop, a few at a time. */
export interface PasswordHasher {
  /** What a password that is set from now on costs. Stored hashes keep the parameters they were made with. */
  readonly params: PasswordHashParams

  /**
   * Argon2id, version 0x13, of the password in UTF-8: 32 bytes, in a new array. The same job gives the same bytes.
   * Never throws or rejects.
   * @errors `hasher_busy` when too many jobs wait in this queue, the wait is too long, or the hasher is closed
   */
  hash(job: PasswordHashJob): ResultAsync<Uint8Array, HasherBusy>
}

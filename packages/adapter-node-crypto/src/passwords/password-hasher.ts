import { hashRaw, type Algorithm, type Version } from '@node-rs/argon2'
import { ResultAsync } from 'neverthrow'
import type { PasswordHasher, PasswordHashJob, PasswordHashParams } from '@sotto/core'
import { HashQueues, type HashQueuesOptions } from './hash-queues.ts'

/** What a hash costs, how many are made at the same time, and how long a job may wait. */
export interface PasswordHasherOptions extends HashQueuesOptions {
  /** What a password that is set from now on costs. By default {@link defaultPasswordHashParams}. */
  readonly params?: Partial<PasswordHashParams> | undefined
}

/** The `PasswordHasher` port, and the method that ends it. */
export interface NodePasswordHasher extends PasswordHasher {
  /** Refuses every password that waits and every later one. Resolves when none is being hashed any more. */
  close(): Promise<void>
}

/** 64 MiB, 3 passes, 1 lane: more than OWASP's minimum (19 MiB, 2 passes, 1 lane). About 0.1 s of a processor in 2026. */
export const defaultPasswordHashParams: PasswordHashParams = { memoryKiB: 65_536, passes: 3, parallelism: 1 }

export const saltLength = 16
const hashLength = 32

/** The names are const enums of a declaration file, which cannot be used where types are merely stripped. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- see above */
const argon2id: Algorithm = 2
const version19: Version = 1
/* eslint-enable @typescript-eslint/no-unsafe-enum-assignment */

/**
 * Hashes passwords on threads of libuv's pool. The program chooses the names of queues, never a request: each queue may fill up. Throws a
 * `TypeError` when parameters are out of bounds.
 */
export function createPasswordHasher(options: PasswordHasherOptions = {}): NodePasswordHasher {
  return createHasherWith(argon2, options)
}

/** Hashes one password. */
export type HashPassword = (job: PasswordHashJob) => Promise<Uint8Array>

/** A hasher with another function than Argon2id. */
export function createHasherWith(
  hashPassword: HashPassword,
  options: PasswordHasherOptions,
): NodePasswordHasher {
  const params = { ...defaultPasswordHashParams, ...options.params }
  checkParams(params)
  const queues = new HashQueues(options)
  return {
    params,
    hash(job) {
      checkParams(job.params)
      return new ResultAsync(queues.run(job, () => hashPassword(job)))
    },
    close: () => queues.close(),
  }
}

/** Whether a password may be hashed with these parameters: Argon2 permits them, and a server can afford them. */
export function arePasswordHashParamsSound({ memoryKiB, passes, parallelism }: PasswordHashParams): boolean {
  return (
    isWithin(parallelism, 1, 16) && isWithin(passes, 1, 16) && isWithin(memoryKiB, 8 * parallelism, 1_048_576)
  )
}

const argon2: HashPassword = async ({ password, salt, params }) => {
  const bytes = Buffer.from(password, 'utf8')
  try {
    return await hashRaw(bytes, {
      algorithm: argon2id,
      version: version19,
      memoryCost: params.memoryKiB,
      timeCost: params.passes,
      parallelism: params.parallelism,
      outputLen: hashLength,
      salt,
    })
  } finally {
    bytes.fill(0)
  }
}

function checkParams(params: PasswordHashParams): void {
  if (!arePasswordHashParamsSound(params)) throw new TypeError('the Argon2 parameters are out of bounds')
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}

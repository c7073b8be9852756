import { setImmediate } from 'node:timers/promises'
import type {
  FakeCipher,
  MemoryQuota,
  MemoryStorage,
  StorageHarness,
  QuotaHarness,
  CipherHarness,
} from '@sotto/test-kit'
import { ResultAsync, type Result } from 'neverthrow'
import { fakeCipherHarness, memoryQuotaHarness, memoryStorageHarness } from '../harnesses.ts'

/** A fake with one fault, and the cases that have to notice it. */
export interface Broken<H> {
  /** The fault, as a sentence about the fake. */
  readonly fault: string
  /** The ids of cases that fail on it. */
  readonly breaks: readonly string[]
  readonly harness: H
  /** What the cases reject with; an `AssertionError` unless told otherwise. */
  readonly thrown?: new (message?: string) => Error
}

/** A memory storage of which `change` replaces some stores. */
export function brokenStorage(
  fault: string,
  breaks: readonly string[],
  change: (storage: MemoryStorage) => Partial<MemoryStorage>,
): Broken<StorageHarness> {
  const harness = memoryStorageHarness({ change: (storage) => ({ ...storage, ...change(storage) }) })
  return { fault, breaks, harness }
}

/** A memory quota of which `change` replaces some methods. */
export function brokenQuota(
  fault: string,
  breaks: readonly string[],
  change: (quota: MemoryQuota) => Partial<MemoryQuota>,
): Broken<QuotaHarness> {
  const harness = memoryQuotaHarness({ change: (quota) => ({ ...quota, ...change(quota) }) })
  return { fault, breaks, harness }
}

/** Fake ciphers of which `change` replaces some. */
export function brokenCipher(
  fault: string,
  breaks: readonly string[],
  change: (cipher: FakeCipher) => Partial<FakeCipher>,
): Broken<CipherHarness> {
  const harness = fakeCipherHarness({ change: (cipher) => ({ ...cipher, ...change(cipher) }) })
  return { fault, breaks, harness }
}

/** An answer that takes its time: others come between its steps. */
export function slowly<T, E>(steps: () => Promise<Result<T, E>>): ResultAsync<T, E> {
  return new ResultAsync(steps())
}

/** Lets all others go first. */
export async function pause(): Promise<void> {
  await setImmediate()
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

/** Times as they are when only whole milliseconds are kept. */
export function toMillis(micros: number): number {
  return Math.floor(micros / 1_000) * 1_000
}

import type { FullStorage } from '@sotto/identity'
import { setImmediate } from 'node:timers/promises'
import type {
  FakeCipher,
  MemoryData,
  MemoryQuota,
  MemoryStorage,
  StorageHarness,
  QuotaHarness,
  CipherHarness,
} from '@sotto/test-kit'
import { ResultAsync, type Result } from 'neverthrow'
import { fakeCipherHarness, memoryQuotaHarness, memoryStorageHarness } from '../harnesses.ts'

/** A fake with one flaw, and the cases that must notice it. */
export interface Broken<H> {
  /** The flaw, as a sentence about the fake. */
  readonly flaw: string
  /** The ids of cases that fail on it. */
  readonly breaks: readonly string[]
  readonly harness: H
}

/** A memory storage of which `change` replaces some stores. */
export function brokenStorage(
  flaw: string,
  breaks: readonly string[],
  change: (storage: MemoryStorage) => Partial<MemoryStorage>,
): Broken<StorageHarness> {
  const harness = memoryStorageHarness({ change: (storage) => ({ ...storage, ...change(storage) }) })
  return { flaw, breaks, harness }
}

/** Makes the function that describes memory storages of which one store is changed in part. */
export function brokenStore<Name extends keyof FullStorage>(name: Name) {
  return (
    flaw: string,
    breaks: readonly string[],
    change: (store: FullStorage[Name], data: MemoryData) => Partial<FullStorage[Name]>,
  ): Broken<StorageHarness> =>
    brokenStorage(flaw, breaks, (storage) => ({
      [name]: { ...storage[name], ...change(storage[name], storage.data) },
    }))
}

/** A memory quota of which `change` replaces some methods. */
export function brokenQuota(
  flaw: string,
  breaks: readonly string[],
  change: (quota: MemoryQuota) => Partial<MemoryQuota>,
): Broken<QuotaHarness> {
  const harness = memoryQuotaHarness({ change: (quota) => ({ ...quota, ...change(quota) }) })
  return { flaw, breaks, harness }
}

/** Fake ciphers of which `change` replaces some. */
export function brokenCipher(
  flaw: string,
  breaks: readonly string[],
  change: (cipher: FakeCipher) => Partial<FakeCipher>,
): Broken<CipherHarness> {
  const harness = fakeCipherHarness({ change: (cipher) => ({ ...cipher, ...change(cipher) }) })
  return { flaw, breaks, harness }
}

/** A result of several asynchronous steps, between which other calls can come. */
export function slowly<T, E>(steps: () => Promise<Result<T, E>>): ResultAsync<T, E> {
  return new ResultAsync(steps())
}

/** Lets all other calls go first. */
export async function pause(): Promise<void> {
  await setImmediate()
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

/** In-memory fakes of the core's ports, and the contract of every port as data for those who write adapters. */

// Contracts
export type { ContractCase, Harness, Unit } from './contract.ts'
export { skipReason } from './contract.ts'
export { cipherContract } from './contracts/cipher.ts'
export type {
  CipherCapability,
  CipherCase,
  CipherHarness,
  CipherUnderTest,
} from './contracts/cipher-harness.ts'
export type { ClockCapability, ClockHarness, ClockUnderTest } from './contracts/clock.ts'
export { clockContract } from './contracts/clock.ts'
export { quotaContract } from './contracts/quota.ts'
export type { QuotaCapability, QuotaCase, QuotaHarness, QuotaUnderTest } from './contracts/quota-harness.ts'
export type { RandomHarness, RandomUnderTest } from './contracts/random.ts'
export { randomContract } from './contracts/random.ts'
export { storageContract } from './contracts/storage.ts'
export type {
  StorageCapability,
  StorageCase,
  StorageHarness,
  StorageUnderTest,
} from './contracts/storage-harness.ts'

// Fakes
export type { Faults } from './fakes/failing.ts'
export { failing } from './fakes/failing.ts'
export type { FakeCipher, FakeCipherOptions } from './fakes/fake-cipher.ts'
export { createFakeCipher } from './fakes/fake-cipher.ts'
export type { FakeKeyFile, FakeKeyRing } from './fakes/fake-key-ring.ts'
export { createFakeKeyRing } from './fakes/fake-key-ring.ts'
export type { ManualClock } from './fakes/manual-clock.ts'
export { createManualClock } from './fakes/manual-clock.ts'
export type { MemoryData } from './fakes/memory-data.ts'
export type { MemoryQuota } from './fakes/memory-quota.ts'
export { createMemoryQuota } from './fakes/memory-quota.ts'
export type { MemoryStorage, MemoryStorageOptions, StorageStores } from './fakes/memory-storage.ts'
export { createMemoryStorage } from './fakes/memory-storage.ts'
export { createSeededRandom } from './fakes/seeded-random.ts'

// Samples
export type { Samples } from './samples.ts'
export { createSamples, noonMicros } from './samples.ts'

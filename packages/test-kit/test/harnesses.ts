import type { Clock, Random, StorageDriver } from '@sotto/core'
import {
  createFakeCipher,
  createFakeKeyRing,
  createFakePasswordHasher,
  createManualClock,
  createMemoryDriver,
  createMemoryQuota,
  createMemoryStorage,
  createSeededRandom,
  noonMicros,
  type CipherHarness,
  type CipherUnderTest,
  type ClockHarness,
  type FakeCipher,
  type FakeKeyFile,
  type FakePasswordHasher,
  type MemoryBackups,
  type MemoryData,
  type MemoryQuota,
  type MemoryStorage,
  type PasswordHasherHarness,
  type QuotaHarness,
  type QuotaUnderTest,
  type RandomHarness,
  type StorageDriverHarness,
  type StorageHarness,
  type StorageUnderTest,
} from '@sotto/test-kit'

/** What may be changed about a fake, to break it. */
export interface Changes<Fake, Data> {
  /** Applied each time the fake is opened. */
  readonly change?: (fake: Fake) => Fake
  /** The data that `reopen` opens. */
  readonly reopened?: (data: Data) => Data
  /** The data that `beside` opens. */
  readonly beside?: (data: Data) => Data
}

export function memoryStorageHarness({
  change = (storage) => storage,
  reopened = (data) => data,
  beside = (data) => data,
}: Changes<MemoryStorage, MemoryData> = {}): StorageHarness {
  const underTest = (storage: MemoryStorage): StorageUnderTest => ({
    ...storage,
    async dispose() {
      await storage.close()
    },
    async reopen() {
      await storage.close()
      return underTest(change(createMemoryStorage({ data: reopened(storage.data) })))
    },
    beside: async () => underTest(change(createMemoryStorage({ data: beside(storage.data) }))),
  })
  return {
    supports: ['together', 'reopen', 'beside'],
    open: async () => underTest(change(createMemoryStorage())),
  }
}

export function memoryQuotaHarness({
  change = (quota) => quota,
  reopened = (data) => data,
  beside = (data) => data,
}: Changes<MemoryQuota, MemoryQuota['data']> = {}): QuotaHarness {
  const underTest = (quota: MemoryQuota): QuotaUnderTest => ({
    quota,
    async dispose() {
      quota.close()
    },
    async reopen() {
      quota.close()
      return underTest(change(createMemoryQuota(reopened(quota.data))))
    },
    beside: async () => underTest(change(createMemoryQuota(beside(quota.data)))),
  })
  return { supports: ['reopen', 'beside'], open: async () => underTest(change(createMemoryQuota())) }
}

export function fakeCipherHarness({
  change = (cipher) => cipher,
  beside = (file) => file,
}: Omit<Changes<FakeCipher, FakeKeyFile>, 'reopened'> = {}): CipherHarness {
  let installations = 0
  const underTest = (file: FakeKeyFile, installation: string): CipherUnderTest => ({
    ...change(createFakeCipher({ keyRing: createFakeKeyRing(file), installation })),
    async dispose() {},
    beside: async () => underTest(beside(file), installation),
    async spoil() {
      file.usable = false
    },
  })
  return {
    supports: ['beside', 'spoil'],
    async open() {
      installations += 1
      return underTest({ kids: [1], activeKid: 1, nextKid: 2, usable: true }, `installation ${installations}`)
    },
  }
}

export function fakePasswordHasherHarness(
  change: (hasher: FakePasswordHasher) => FakePasswordHasher = (hasher) => hasher,
  supports: PasswordHasherHarness['supports'] = ['close'],
): PasswordHasherHarness {
  return {
    supports,
    async open() {
      const hasher = change(createFakePasswordHasher())
      return { hasher, dispose: async () => hasher.close() }
    },
  }
}

/** @param change gets the backups that all drivers of a unit share */
export function memoryDriverHarness(
  change: (driver: StorageDriver, backups: MemoryBackups) => StorageDriver = (driver) => driver,
): StorageDriverHarness {
  return {
    supports: ['backup'],
    async open() {
      const backups: MemoryBackups = new Map()
      const newDriver = () => change(createMemoryDriver({ backups }), backups)
      let named = 0
      return {
        driver: newDriver(),
        newDriver,
        newBackupFile: () => `backup ${(named += 1)}`,
        async dispose() {},
      }
    },
  }
}

export function clockHarness(
  open: () => Clock = () => createManualClock(noonMicros),
  supports: ClockHarness['supports'] = [],
): ClockHarness {
  return { supports, open: async () => ({ clock: open(), async dispose() {} }) }
}

/** @param open gets the number of generators that were opened so far, including this one */
export function randomHarness(open: (seed: number) => Random = createSeededRandom): RandomHarness {
  let opened = 0
  return { supports: [], open: async () => ({ random: open((opened += 1)), async dispose() {} }) }
}

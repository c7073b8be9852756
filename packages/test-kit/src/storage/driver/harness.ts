import assert from 'node:assert/strict'
import type { OpenStorageOptions } from '@sotto/core'
import type { FullOpenStorage, FullStorageDriver } from '@sotto/identity'
import {
  caseOf,
  type ContractCase,
  type Harness,
  type Unit,
  type UnnamedCase,
} from '../../contract/contract.ts'
import { expectOk } from '../../contract/expect.ts'
import { createSamples, type Samples } from '../../shared/samples.ts'
import { kids, sampleKey } from '../../stores/harness.ts'

/**
 * What a driver or its harness can do beyond the minimum: `backup`, the driver backs up and restores; `move`, there can be other places
 * to move to; `unreachable`, there can be a place that gives no answer; `displace`, the data is in files that somebody can move away.
 */
export type StorageDriverCapability = 'backup' | 'move' | 'unreachable' | 'displace'

/** The driver of a place where there is nothing yet. */
export interface StorageDriverUnderTest extends Unit {
  readonly driver: FullStorageDriver

  /** Closes what is still open there, and removes the place and everything that the methods below named. */
  dispose(): Promise<void>

  /** The path, for `backup`, of a backup where there is nothing yet. Another one each time. */
  newBackupFile?(): string

  /** The driver, for `backup` and `move`, of another place where there is nothing yet. Another one each time. */
  newDriver?(): FullStorageDriver

  /** The driver, for `unreachable`, of a place that gives no answer. */
  newUnreachableDriver?(): FullStorageDriver

  /** Moves, for `displace`, the data of the driver away, while it is open. Call what it returns to put it back. */
  displace?(): () => void
}

/** Makes the storage drivers that the contract is run on. */
export type StorageDriverHarness = Harness<StorageDriverUnderTest, StorageDriverCapability>

/** One case of the contract of a storage driver. */
export type StorageDriverCase = ContractCase<StorageDriverHarness>

/** A case on a place where there is nothing yet. */
export function driverCase({
  check,
  ...about
}: Pick<StorageDriverCase, 'rule'> & {
  check(driver: FullStorageDriver, make: Samples): Promise<void>
}): UnnamedCase<StorageDriverHarness> {
  return caseOf({
    ...about,
    check: ({ driver }: StorageDriverUnderTest) => check(driver, createSamples(kids.writable)),
  })
}

/** What a case of backups works with. */
export interface BackupPlaces {
  readonly driver: FullStorageDriver
  readonly make: Samples
  newBackupFile(): string
  newDriver(): FullStorageDriver
}

/** A case that backs up and restores. */
export function backupCase({
  check,
  ...about
}: Pick<StorageDriverCase, 'rule'> & {
  check(places: BackupPlaces): Promise<void>
}): UnnamedCase<StorageDriverHarness> {
  return caseOf({
    ...about,
    needs: ['backup'],
    async check(unit: StorageDriverUnderTest) {
      const { newBackupFile, newDriver } = unit
      assert.ok(newBackupFile && newDriver, 'the harness supports backup, but its unit lacks a method for it')
      await check({
        driver: unit.driver,
        make: createSamples(kids.writable),
        newBackupFile: () => newBackupFile.call(unit),
        newDriver: () => newDriver.call(unit),
      })
    },
  })
}

/** What a case of moves works with. */
export type TransferPlaces = Omit<BackupPlaces, 'newBackupFile'>

/** A case that moves an installation. */
export function transferCase({
  check,
  ...about
}: Pick<StorageDriverCase, 'rule'> & {
  check(places: TransferPlaces): Promise<void>
}): UnnamedCase<StorageDriverHarness> {
  return caseOf({
    ...about,
    needs: ['move'],
    async check(unit: StorageDriverUnderTest) {
      const { newDriver } = unit
      assert.ok(newDriver, 'the harness supports move, but its unit lacks the method for it')
      const make = createSamples(kids.writable)
      await check({ driver: unit.driver, make, newDriver: () => newDriver.call(unit) })
    },
  })
}

/** How the cases open a storage. */
export const openOptions: OpenStorageOptions = {
  log: () => undefined,
  onFatal(error) {
    throw new Error('the storage reported a fatal error', { cause: error })
  },
}

/** Opens the storage, adds the keys of the cases if it lacks them, and closes it after the work. */
export async function withStorage<T>(
  driver: FullStorageDriver,
  work: (storage: FullOpenStorage) => Promise<T>,
): Promise<T> {
  expectOk(await driver.prepare(), 'preparing the place')
  const storage = expectOk(await driver.open(openOptions), 'opening the storage')
  try {
    for (const kid of [kids.writable, kids.spare]) {
      expectOk(await storage.keys.add(sampleKey(kid)), 'adding a key')
    }
    return await work(storage)
  } finally {
    await storage.close()
  }
}

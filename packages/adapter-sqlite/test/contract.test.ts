import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  quotaContract,
  runContract,
  storageContract,
  storageDriverContract,
  type QuotaHarness,
  type QuotaUnderTest,
  type StorageDriverHarness,
  type StorageHarness,
  type StorageUnderTest,
} from '@sotto/test-kit'
import { test } from 'tap'
import { sqliteDriver } from '../src/index.ts'
import { copyAsCrashed, open, openQuotaIn } from './support/helpers.ts'

const storageHarness: StorageHarness = {
  supports: ['together', 'reopen', 'beside'],
  open() {
    const dir = newDir()
    return storageIn(dir, () => remove(dir))
  },
}

async function storageIn(dir: string, cleanUp: () => void): Promise<StorageUnderTest> {
  const database = await open(dir)
  return {
    ...database,
    async dispose() {
      await database.close()
      cleanUp()
    },
    beside: () => storageIn(dir, () => undefined),
    async reopen() {
      const copy = newDir()
      copyAsCrashed(dir, copy, 'sotto.sqlite')
      await database.close()
      cleanUp()
      return storageIn(copy, () => remove(copy))
    },
  }
}

const quotaHarness: QuotaHarness = {
  supports: ['reopen', 'beside'],
  open() {
    const dir = newDir()
    return quotaIn(dir, () => remove(dir))
  },
}

async function quotaIn(dir: string, cleanUp: () => void): Promise<QuotaUnderTest> {
  const opened = await openQuotaIn(dir)
  return {
    quota: opened.quota,
    async dispose() {
      await opened.close()
      cleanUp()
    },
    beside: () => quotaIn(dir, () => undefined),
    async reopen() {
      const copy = newDir()
      copyAsCrashed(dir, copy, 'quota.sqlite')
      await opened.close()
      cleanUp()
      return quotaIn(copy, () => remove(copy))
    },
  }
}

const driverHarness: StorageDriverHarness = {
  supports: ['backup', 'move', 'displace'],
  async open() {
    const dir = newDir()
    let made = 0
    const newPath = () => join(dir, `new-${(made += 1)}`)
    const newDriver = () => sqliteDriver({ dataDir: newPath() })
    const driver = newDriver()
    const displace = () => {
      const away = newPath()
      renameSync(driver.location, away)
      return () => renameSync(away, driver.location)
    }
    return { driver, newDriver, newBackupFile: newPath, displace, dispose: async () => remove(dir) }
  },
}

function newDir(): string {
  return mkdtempSync(join(tmpdir(), 'sotto-contract-'))
}

function remove(dir: string): void {
  rmSync(dir, { recursive: true, force: true })
}

runContract(test, storageContract, storageHarness)
runContract(test, quotaContract, quotaHarness)
runContract(test, storageDriverContract, driverHarness)

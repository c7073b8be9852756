import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  quotaContract,
  skipReason,
  storageContract,
  type QuotaHarness,
  type QuotaUnderTest,
  type StorageHarness,
  type StorageUnderTest,
} from '@sotto/test-kit'
import { test } from 'tap'
import { copyAsCrashed, open, openQuotaIn } from './helpers.ts'

const storageHarness: StorageHarness = {
  supports: ['reopen', 'beside'],
  open() {
    const dir = newDir()
    return storageIn(dir, () => remove(dir))
  },
}

async function storageIn(dir: string, clearAway: () => void): Promise<StorageUnderTest> {
  const database = await open(dir)
  return {
    ...database,
    async dispose() {
      await database.close()
      clearAway()
    },
    beside: () => storageIn(dir, () => undefined),
    async reopen() {
      const copy = newDir()
      copyAsCrashed(dir, copy, 'sotto.sqlite')
      await database.close()
      clearAway()
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

async function quotaIn(dir: string, clearAway: () => void): Promise<QuotaUnderTest> {
  const opened = await openQuotaIn(dir)
  return {
    quota: opened.quota,
    async dispose() {
      await opened.close()
      clearAway()
    },
    beside: () => quotaIn(dir, () => undefined),
    async reopen() {
      const copy = newDir()
      copyAsCrashed(dir, copy, 'quota.sqlite')
      await opened.close()
      clearAway()
      return quotaIn(copy, () => remove(copy))
    },
  }
}

function newDir(): string {
  return mkdtempSync(join(tmpdir(), 'sotto-contract-'))
}

function remove(dir: string): void {
  rmSync(dir, { recursive: true, force: true })
}

for (const each of storageContract) {
  test(each.id, { skip: skipReason(storageHarness, each) }, async (t) => {
    await each.run(storageHarness)
    t.pass(each.rule)
  })
}

for (const each of quotaContract) {
  test(each.id, { skip: skipReason(quotaHarness, each) }, async (t) => {
    await each.run(quotaHarness)
    t.pass(each.rule)
  })
}

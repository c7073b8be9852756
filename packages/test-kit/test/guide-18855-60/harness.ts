import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QuotaHarness, QuotaUnderTest } from '@sotto/test-kit'
import { openQuota } from './quota.ts'

/** What the contract opens. It says here what the adapter can do: counts survive its process, and several processes share them. */
export const harness: QuotaHarness = {
  supports: ['reopen', 'beside'],
  open: async () => openIn(newFolder()),
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'quota-'))

/** A store in a folder. Its disposal removes the folder, unless it is another store's. */
function openIn(folder: string, isShared = false): QuotaUnderTest {
  const quota = openQuota(join(folder, 'quota.sqlite'))
  const dispose = async () => {
    quota.close()
    if (!isShared) rmSync(folder, { recursive: true })
  }
  return {
    quota,
    dispose,
    reopen: async () => {
      const copy = newFolder()
      cpSync(folder, copy, { recursive: true }) // what `kill -9` would leave
      await dispose()
      return openIn(copy)
    },
    beside: async () => openIn(folder, true),
  }
}

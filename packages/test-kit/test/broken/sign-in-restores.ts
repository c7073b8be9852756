import type { OpenStorage } from '@sotto/core'
import type { MemoryBackups, MemoryData, MemoryStorage, StorageDriverHarness } from '@sotto/test-kit'
import type { Broken } from './broken.ts'
import { driver, silent } from './drivers.ts'

/** Flaws of restores that bring back what was ended since the backup. */
export const brokenSignInRestores: readonly Broken<StorageDriverHarness>[] = [
  ...(['sessions', 'welcomes', 'signInAttempts'] as const).map((name) =>
    bringingBack(`brings the ${name} back`, (from, to) => {
      const rows: Map<string, unknown> = to[name]
      for (const [key, row] of from[name]) rows.set(key, row)
    }),
  ),
  bringingBack('brings known addresses back', (from, to) => {
    to.knownAddresses = from.knownAddresses
  }),
  bringingBack('brings no password back', (_, to) => to.passwords.clear()),
]

/** A driver that adds rows of the data that was backed up to what it restores. */
function bringingBack(
  flaw: string,
  bringBack: (from: MemoryData, to: MemoryData) => void,
): Broken<StorageDriverHarness> {
  const backedUp = new Map<MemoryBackups, MemoryData>()
  const dataOf = (storage: OpenStorage): MemoryData => (storage as MemoryStorage).data
  return driver(flaw, ['storage-driver/restore-signs-everybody-out'], (real, backups) => ({
    backUp: (options) =>
      real.backUp(options).andThen((backup) =>
        real.open(silent).map((storage) => {
          backedUp.set(backups, dataOf(storage))
          return backup
        }),
      ),
    restore: (options) =>
      real.restore(options).map(async (report) => {
        const storage = await real.open(silent)
        const from = backedUp.get(backups)
        if (storage.isOk() && from) bringBack(from, dataOf(storage.value))
        return report
      }),
  }))
}

import type { OpenStorage, StorageDriver } from '@sotto/core'
import { errAsync, ok, okAsync, ResultAsync } from 'neverthrow'
import { backedUp, restored, type MemoryBackups } from './memory-backup.ts'
import { createMemoryData, type MemoryData } from './memory-data.ts'
import { createMemoryStorage } from './memory-storage.ts'

/** What `createMemoryDriver` takes. */
export interface MemoryDriverOptions {
  /** Where backups are, by path. Drivers with the same map can restore each other's backups. An empty map by default. */
  readonly backups?: MemoryBackups
}

const location = 'memory'

/** A place for a storage in memory. Backups are in memory too; nothing is read from or written to any file. */
export function createMemoryDriver({ backups = new Map() }: MemoryDriverOptions = {}): StorageDriver {
  let data: MemoryData | undefined
  return {
    hasData: () => data !== undefined,

    prepare: () => ok(),

    open({ create = true }) {
      if (data === undefined && !create) return errAsync({ code: 'database_missing', location })
      data ??= createMemoryData([])
      return okAsync<OpenStorage>(createMemoryStorage({ data }))
    },

    examine: () => [{ check: 'place', ok: true, text: 'it is in memory' }],

    backUp({ file, nowMicros }) {
      if (data === undefined) return errAsync({ code: 'database_missing', location })
      if (backups.has(file)) return errAsync({ code: 'backup_exists', path: file })
      const { bytes, backup } = backedUp(data, nowMicros)
      backups.set(file, bytes)
      return okAsync(backup)
    },

    restore(options) {
      if (data !== undefined) return errAsync({ code: 'database_exists', location })
      const bytes = backups.get(options.file)
      if (bytes === undefined) {
        return errAsync({ code: 'backup_unreadable', path: options.file, detail: 'there is no such backup' })
      }
      const result = restored(bytes, options).map(({ data: copy, report }) => {
        data = copy
        return report
      })
      return new ResultAsync(Promise.resolve(result))
    },
  }
}

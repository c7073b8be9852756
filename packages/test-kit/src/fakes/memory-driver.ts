import type { OpenStorage, StorageDriver } from '@sotto/core'
import { errAsync, okAsync, ResultAsync } from 'neverthrow'
import { backedUp, restored, type MemoryBackups } from './memory-backup.ts'
import { createMemoryData, type MemoryData } from './memory-data.ts'
import { createMemoryStorage } from './memory-storage.ts'

/** What `createMemoryDriver` takes. */
export interface MemoryDriverOptions {
  /** Where backups are, by path. Drivers with the same map can restore each other's backups. An empty map by default. */
  readonly backups?: MemoryBackups
  /** Whether the place answers, asked at each call. It always does by default. */
  readonly isReachable?: () => boolean
}

const location = 'memory'
const unreachable = { code: 'database_unreachable', location, detail: 'it does not answer' } as const

/** A place for a storage in memory. Backups are in memory too; nothing is read from or written to any file. */
export function createMemoryDriver({
  backups = new Map(),
  isReachable = () => true,
}: MemoryDriverOptions = {}): StorageDriver {
  let data: MemoryData | undefined
  return {
    location,

    hasData: () => (isReachable() ? okAsync(data !== undefined) : errAsync(unreachable)),

    prepare: () => (isReachable() ? okAsync() : errAsync(unreachable)),

    open({ create = true }) {
      if (!isReachable()) return errAsync(unreachable)
      if (data === undefined && !create) return errAsync({ code: 'database_missing', location })
      data ??= createMemoryData([])
      return okAsync<OpenStorage>(createMemoryStorage({ data }))
    },

    examine: () =>
      Promise.resolve([
        isReachable()
          ? { check: 'place', ok: true, text: 'it is in memory' }
          : { check: 'place', ok: false, text: unreachable.detail },
      ]),

    backUp({ file, nowMicros }) {
      if (!isReachable()) return errAsync(unreachable)
      if (data === undefined) return errAsync({ code: 'database_missing', location })
      if (backups.has(file)) return errAsync({ code: 'backup_exists', path: file })
      const { bytes, backup } = backedUp(data, nowMicros)
      backups.set(file, bytes)
      return okAsync(backup)
    },

    restore(options) {
      if (!isReachable()) return errAsync({ ...unreachable, code: 'restore_not_written' })
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

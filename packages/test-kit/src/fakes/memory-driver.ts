import type { MoveSource, MoveTarget, OpenStorage, StorageDriver } from '@sotto/core'
import { errAsync, okAsync, ResultAsync } from 'neverthrow'
import { backedUp, restored, type MemoryBackups } from './memory-backup.ts'
import { createMemoryData, equalBytes, type MemoryData } from './memory-data.ts'
import { addMovedRows, movedRowsIn } from './memory-move.ts'
import { createMemoryStorage } from './memory-storage.ts'

/** What `createMemoryDriver` takes. */
export interface MemoryDriverOptions {
  /** Where backups are, by path. Drivers with the same map can restore each other's backups. An empty map by default. */
  readonly backups?: MemoryBackups
  /** Whether the place answers, asked at each call. It always does by default. */
  readonly isReachable?: () => boolean
  /** Whether the data is where it was opened, asked at each call. It always is by default. */
  readonly isInPlace?: () => boolean
}

const location = 'memory'
const unreachable = { code: 'database_unreachable', location, detail: 'it does not answer' } as const

/** A place for a storage in memory. Backups are in memory too; nothing is read from or written to any file. */
export function createMemoryDriver({
  backups = new Map(),
  isReachable = () => true,
  isInPlace,
}: MemoryDriverOptions = {}): StorageDriver {
  let data: MemoryData | undefined
  /** How many have the data open. */
  let users = 0
  /** Where the data was moved to, or that it is a copy that is not finished. */
  let state: { readonly movedTo?: string; readonly isIncomplete?: boolean } = {}

  function openUsed(storage: OpenStorage): OpenStorage {
    let isClosed = false
    users += 1
    return {
      ...storage,
      close() {
        if (!isClosed) users -= 1
        isClosed = true
        return storage.close()
      },
    }
  }

  /** Ends a side of a move. */
  function closeMove(): Promise<void> {
    users = 0
    return Promise.resolve()
  }

  return {
    location,

    hasData: () => (isReachable() ? okAsync(data !== undefined) : errAsync(unreachable)),

    prepare: () => (isReachable() ? okAsync() : errAsync(unreachable)),

    open({ create = true }) {
      if (!isReachable()) return errAsync(unreachable)
      if (data === undefined && !create) return errAsync({ code: 'database_missing', location })
      if (state.isIncomplete === true) return errAsync({ code: 'database_incomplete', location })
      if (state.movedTo !== undefined)
        return errAsync({ code: 'database_moved', location, to: state.movedTo })
      data ??= createMemoryData([])
      return okAsync<OpenStorage>(openUsed(createMemoryStorage({ data, isInPlace })))
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

    openMoveSource({ to }) {
      if (!isReachable()) return errAsync(unreachable)
      if (data === undefined) return errAsync({ code: 'database_missing', location })
      if (users > 0) return errAsync({ code: 'database_in_use', location })
      if (state.isIncomplete === true) return errAsync({ code: 'database_incomplete', location })
      const { movedTo } = state
      if (movedTo !== undefined && movedTo !== to)
        return errAsync({ code: 'database_moved', location, to: movedTo })
      users = 1
      const { instanceId, lastSweepMicros: sweptAtMicros } = data
      return okAsync<MoveSource>({
        ...movedRowsIn(data),
        instanceId,
        sweptAtMicros,
        isLeft: movedTo !== undefined,
        leave() {
          state = { movedTo: to }
          return okAsync()
        },
        close: closeMove,
      })
    },

    openMoveTarget({ instanceId, sweptAtMicros, create }) {
      if (!isReachable()) return errAsync(unreachable)
      if (users > 0) return errAsync({ code: 'database_in_use', location })
      if (data === undefined && !create) return errAsync({ code: 'database_missing', location })
      const isSame = data !== undefined && equalBytes(data.instanceId, instanceId)
      if (data !== undefined && !(isSame && state.isIncomplete === true)) {
        const isCopy = isSame && state.isIncomplete !== true && state.movedTo === undefined
        return errAsync({ code: 'move_target_used', location, isCopy })
      }
      const copy = (data ??= { ...createMemoryData([]), instanceId })
      users = 1
      state = { isIncomplete: true }
      return okAsync<MoveTarget>({
        ...movedRowsIn(copy),
        add(table, rows) {
          addMovedRows(copy, table, rows)
          return okAsync()
        },
        finish() {
          copy.lastSweepMicros = sweptAtMicros
          state = {}
          return okAsync()
        },
        close: closeMove,
      })
    },
  }
}

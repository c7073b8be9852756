import { sqliteDriver } from '@sotto/adapter-sqlite'
import type { StorageDriver } from '@sotto/core'
import type { Settings } from './config/settings.ts'

/** The settings that say where the data is. */
export type StorageSettings = Pick<Settings, 'dataDir'>

/** Chooses the storage adapter: the only place in this package that names one. */
export function storageDriverOf({ dataDir }: StorageSettings): StorageDriver {
  return sqliteDriver({ dataDir })
}

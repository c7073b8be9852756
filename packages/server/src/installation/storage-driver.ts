import type { FullStorageDriver } from '@sotto/identity'
import { type CheckpointTurn } from '@sotto/adapter-sqlite'
import { sqliteDriver } from '@sotto/adapter-sqlite/identity'
import type { Settings } from '../config/settings.ts'

export type { CheckpointTurn }

/** The settings that say where the data is. */
export type StorageSettings = Pick<Settings, 'dataDir' | 'database'>

/**
 * Chooses the storage adapter: the only place in this package that names one. PostgreSQL's is loaded only where there is a URL, because
 * most installations never need it. `checkpoints` is for SQLite alone: PostgreSQL makes its own.
 */
export async function storageDriverOf(
  { dataDir, database }: StorageSettings,
  { checkpoints }: { readonly checkpoints?: CheckpointTurn | undefined } = {},
): Promise<FullStorageDriver> {
  if (database === undefined) return sqliteDriver({ dataDir, checkpoints })
  const { postgresDriver } = await import('@sotto/adapter-postgres/identity')
  return postgresDriver(database)
}

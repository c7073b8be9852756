/**
 * Sotto's storage on SQLite. Begin with `sqliteDriver`: it opens, checks, backs up and restores the databases of one data directory.
 */

import type { StorageDriver } from '@sotto/core'
import { sqliteDriver as driverWithIdentity } from './driver.ts'
import type { SqliteDriverOptions } from './driver-options.ts'

/**
 * The driver of a storage on SQLite: one directory that holds two databases, and the contents of files. That of
 * `@sotto/adapter-sqlite/identity` is the same, and its type has the stores of `@sotto/identity`.
 */
export function sqliteDriver(options: SqliteDriverOptions): StorageDriver {
  return driverWithIdentity(options)
}

export type { SqliteDriverOptions } from './driver-options.ts'
export type { CheckpointTurn } from './connection/checkpoint-turn.ts'
export type { Timer, Timers } from './connection/timers.ts'

/**
 * Sotto's storage ports on SQLite: `openDatabase` for everything that has to survive a power cut, `openQuota` for the counters of the
 * quota, which have a file of their own. Both make what is missing, and refuse with an error value what they cannot vouch for.
 */

export type { Backup, BackupError, BackupOptions } from './backup.ts'
export { backUpDatabase } from './backup.ts'
export type { BackupFileError } from './backup-file.ts'
export type { Contents } from './contents.ts'
export type { CopyProgress } from './copy-online.ts'
export type { Database, Erasure, OpenDatabaseOptions } from './database.ts'
export { openDatabase } from './database.ts'
export type { Log, OnFatal } from './log.ts'
export { leftoversIn } from './new-file.ts'
export type { Quota } from './open-quota.ts'
export { openQuota } from './open-quota.ts'
export type { OpenError } from './opening.ts'
export type { Restored, RestoredKeys, RestoreError, RestoreOptions } from './restore.ts'
export { restoreDatabase } from './restore.ts'
export type { Timer, Timers } from './timers.ts'
export type { Inspection, Upkeep } from './upkeep.ts'

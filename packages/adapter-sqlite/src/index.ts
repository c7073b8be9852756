/**
 * Sotto's storage on SQLite. Begin with `sqliteDriver`: it opens, checks, backs up and restores the databases of one data directory.
 */

export type { SqliteDriverOptions } from './driver.ts'
export { sqliteDriver } from './driver.ts'
export type { CheckpointTurn } from './connection/checkpoint-turn.ts'
export type { Timer, Timers } from './connection/timers.ts'

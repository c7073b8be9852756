/** Sotto's storage on SQLite with the stores of `@sotto/identity`, which this path needs. */

export { sqliteDriver } from './driver.ts'

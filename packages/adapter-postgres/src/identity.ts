/** The storage of Sotto on PostgreSQL with the stores of `@sotto/identity`, which this path needs. */

export { postgresDriver } from './driver.ts'

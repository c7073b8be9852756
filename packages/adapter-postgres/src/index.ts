/**
 * The storage of Sotto on PostgreSQL 15 or later.
 * @packageDocumentation
 */
export { postgresDriver, type PostgresDriverOptions } from './driver.ts'

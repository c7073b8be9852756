/**
 * The storage of Sotto on PostgreSQL 15 or later.
 * @packageDocumentation
 */

import type { StorageDriver } from '@sotto/core'
import { postgresDriver as driverWithIdentity } from './driver.ts'
import type { PostgresDriverOptions } from './driver-options.ts'

/**
 * The driver of a storage on PostgreSQL: one database that several processes and machines share. That of
 * `@sotto/adapter-postgres/identity` is the same, and its type has the stores of `@sotto/identity`.
 */
export function postgresDriver(options: PostgresDriverOptions): StorageDriver {
  return driverWithIdentity(options)
}

export type { PostgresDriverOptions } from './driver-options.ts'

import { ownerTables } from './owner-tables.ts'
import { queueTables } from './queue-tables.ts'
import { quotaTables } from './quota-tables.ts'
import { secretTables } from './secret-tables.ts'

/**
 * The tables. All ids are UUIDs, all times whole microseconds since the epoch in UTC, all ciphertexts bytes that begin with their version.
 * `kid` is the number of the key that a row's ciphertexts are under; its foreign key refuses a row under a key that is not (or no longer) in
 * `keys`, and refuses to delete a key from there while a row is under it.
 *
 * The schema checks the shape of rows, not the rules of the service. It uses only what engines that speak PostgreSQL's protocol have, too:
 * no sequences, triggers, functions or partial unique indexes.
 */
export const versionOne: readonly string[] = [...ownerTables, ...secretTables, ...queueTables, ...quotaTables]

import { randomBytes } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import type { Schema } from './file/migrations.ts'
import { ownerTables } from './owner-tables.ts'
import { queueTables } from './queue-tables.ts'
import { secretTables } from './secret-tables.ts'

/**
 * The main file. All ids are UUIDs as 16 bytes, all times whole microseconds since the epoch in UTC, all ciphertexts BLOBs that begin with
 * their version. `kid` is the number of the key that a row's ciphertexts are under. Its foreign key refuses a row under a key that is not
 * (or no longer) in `keys`, and refuses to delete a key from there while a row is under it.
 *
 * The schema checks the shape of rows, not the rules of the service: how long a secret lives, and how often it may be opened, is decided
 * by the core.
 */
export const mainSchema: Schema = {
  applicationId: 0x536f7474, // "Sott"
  steps: [versionOne],
}

function versionOne(db: Sqlite.Database): void {
  for (const table of [meta, keys, ...ownerTables, ...secretTables, ...queueTables]) db.exec(table)
  db.prepare('INSERT INTO meta (one, instance_id) VALUES (1, ?)').run(randomBytes(32))
}

/**
 * One row about the file itself.
 * - `instance_id`: 32 random bytes, made with the file: the salt of every key that is derived for it.
 * - `swept_at`: when expired rows were last erased; NULL before the first time.
 * - `backed_up_at`: in a backup, when it was made; NULL in a database that is used, so that the two are never confused.
 */
const meta = `
  CREATE TABLE meta (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    instance_id BLOB NOT NULL CHECK (length(instance_id) = 32),
    swept_at INTEGER,
    backed_up_at INTEGER
  ) STRICT`

/**
 * The keys that rows may be written under. Never a key itself.
 * - `check_value`: lets a process check that its key of this number is the right one.
 */
const keys = `
  CREATE TABLE keys (
    kid INTEGER PRIMARY KEY CHECK (kid > 0),
    check_value BLOB NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`

import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allTables, createTable, tables, type TableDialect } from '@sotto/storage-sql'
import type Sqlite from 'better-sqlite3'
import { sqliteDialect } from '../engine/engine.ts'
import type { Schema } from '../connection/migrations.ts'
import { contentPath, filesName } from '../files/file-store.ts'
import { recountFiles } from '../files/recount.ts'
import { answersIndex, ownTables } from './secret-tables.ts'
import { erasingTriggers, textsTable } from './texts.ts'

/**
 * The main file. Each change of its tables is a step of its own and has a number, and no step ever changes: what an installation holds is
 * kept.
 *
 * All ids are UUIDs as 16 bytes, all times whole microseconds since the epoch in UTC, all ciphertexts BLOBs that begin with
 * their version. `kid` is the number of the key that a row's ciphertexts are under. Its foreign key refuses a row under a key that is not
 * (or no longer) in `keys`. It refuses to delete a key from there while a row is under it.
 *
 * A fresh file gets the tables as `@sotto/storage-sql` describes them now. A file of an earlier version gets the same by the steps; a test
 * compares the two. The version of a file is its `PRAGMA user_version`.
 */
export const mainSchema: Schema = {
  applicationId: 0x536f7474, // "Sott"
  create,
  steps: [
    toVersionTwo,
    toVersionThree,
    toVersionFour,
    toVersionFive,
    toVersionSix,
    toVersionSeven,
    toVersionEight,
    toVersionNine,
    toVersionTen,
    toVersionEleven,
  ],
}

function create(db: Sqlite.Database): void {
  db.exec(meta)
  db.prepare('INSERT INTO meta (one, instance_id) VALUES (1, ?)').run(randomBytes(32))
  db.exec(textsTable)
  for (const table of allTables) {
    for (const statement of ownTables[table.name] ?? createTable(tableDialect, table)) db.exec(statement)
    for (const trigger of erasingTriggers(table)) db.exec(trigger)
  }
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

const tableDialect: TableDialect = {
  types: {
    id: 'BLOB',
    integer: 'INTEGER',
    text: 'TEXT',
    bytes: 'BLOB',
    flag: 'INTEGER',
    encrypted: 'INTEGER',
  },
  textColumn: (name) => sqliteDialect.texts.column(name),
  namesConstraints: false,
  hasCoveringIndexes: true,
  no: '0',
  checkOf(name, { type, references }) {
    if (type === 'flag') return `${name} IN (0, 1)`
    return type === 'id' && references === undefined ? `length(${name}) = 16` : undefined
  },
  optionsOf: ({ isSmall }) => (isSmall === true ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
}

/** Targets and deliveries as PostgreSQL has them, so that both databases share the statements. They hold nothing confidential. */
function toVersionTwo(db: Sqlite.Database): void {
  db.exec('ALTER TABLE targets RENAME TO targets_1; ALTER TABLE deliveries RENAME TO deliveries_1')
  const indexes = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('targets_1', 'deliveries_1') AND sql IS NOT NULL",
    )
    .pluck()
  for (const index of indexes.all()) db.exec(`DROP INDEX ${index}`)
  for (const table of [tables.targets, tables.deliveries])
    for (const statement of createTable(tableDialect, table)) db.exec(statement)
  const target = "iif(t.kind = 'mail', t.account_id, t.webhook_id)"
  const same = Object.keys(tables.deliveries.columns).filter((name) => !name.startsWith('target_'))
  db.exec(`
    INSERT INTO targets (kind, id, account_id, due_at, lease_id, leased_until)
      SELECT t.kind, ${target}, t.account_id, t.due_at, t.lease_id, t.leased_until FROM targets_1 t;
    INSERT INTO deliveries (target_kind, target_id, ${same.join(', ')})
      SELECT t.kind, ${target}, ${same.map((name) => `d.${name}`).join(', ')}
      FROM deliveries_1 d JOIN targets_1 t ON t.nr = d.target_nr;
    DROP TABLE deliveries_1;
    DROP TABLE targets_1`)
}

/** Changes of email addresses that wait for their link. */
function toVersionThree(db: Sqlite.Database): void {
  for (const statement of createTable(tableDialect, tables.email_changes)) db.exec(statement)
}

/** Display names, names of sessions, and what an owner chose last about hearing of opens. */
function toVersionFour(db: Sqlite.Database): void {
  for (const statement of createTable(tableDialect, tables.display_names)) db.exec(statement)
  db.exec(`
    ALTER TABLE accounts ADD COLUMN notifies INTEGER NOT NULL DEFAULT 0 CHECK (notifies IN (0, 1));
    ALTER TABLE sessions ADD COLUMN kid INTEGER REFERENCES keys (kid);
    ALTER TABLE sessions ADD COLUMN name_nr INTEGER;
    CREATE INDEX sessions_by_kid ON sessions (kid, id)`)
  for (const table of [tables.display_names, tables.sessions])
    for (const trigger of erasingTriggers(table)) db.exec(trigger)
}

/** Adds which key is the active one, and which servers hold which keys. */
function toVersionFive(db: Sqlite.Database): void {
  for (const statement of createTable(tableDialect, tables.servers)) db.exec(statement)
  db.exec(`
    ALTER TABLE keys ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0 CHECK (read_only IN (0, 1));
    UPDATE keys SET read_only = 1 WHERE kid < (SELECT max(kid) FROM keys)`)
}

/** Requests, and the forms that have answered them. */
function toVersionSix(db: Sqlite.Database): void {
  for (const table of [tables.requests, tables.answered_forms]) {
    for (const statement of createTable(tableDialect, table)) db.exec(statement)
    for (const trigger of erasingTriggers(table)) db.exec(trigger)
  }
}

/** Identities of an identity provider, passkeys, and what a session was begun with. */
function toVersionSeven(db: Sqlite.Database): void {
  for (const table of [tables.identities, tables.passkeys, tables.used_tokens])
    for (const statement of [...createTable(tableDialect, table), ...erasingTriggers(table)])
      db.exec(statement)
  db.exec(`
    ALTER TABLE sessions ADD COLUMN way_in_id BLOB CHECK (length(way_in_id) = 16);
    ALTER TABLE sessions ADD COLUMN provider_session BLOB CHECK (length(provider_session) = 32);
    CREATE INDEX sessions_of_provider ON sessions (provider_session) WHERE provider_session IS NOT NULL`)
}

/** Files of secrets, the sums of accounts, and tickets. Their contents are files beside this one. */
function toVersionEight(db: Sqlite.Database): void {
  for (const table of [tables.files, tables.file_sums, tables.file_tickets])
    for (const statement of [...createTable(tableDialect, table), ...erasingTriggers(table)])
      db.exec(statement)
}

/** Accounts whose owner has to be allowed at every sign-in, and one-time links that somebody asked for. */
function toVersionNine(db: Sqlite.Database): void {
  db.exec(`
    ALTER TABLE accounts ADD COLUMN held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1));
    UPDATE accounts SET held = 1 WHERE id IN (SELECT account_id FROM identities WHERE origin = 'allowed');
    ALTER TABLE welcomes ADD COLUMN asked INTEGER NOT NULL DEFAULT 0 CHECK (asked IN (0, 1))`)
}

/** What each file counts, and contents that arrive. The sums were those of plain bytes; a content that is missing counts as little as one may. */
function toVersionTen(db: Sqlite.Database): void {
  for (const statement of createTable(tableDialect, tables.file_uploads)) db.exec(statement)
  // The eighth step makes the table as it is described now.
  const hasBytes = db.prepare("SELECT 1 FROM pragma_table_info('files') WHERE name = 'bytes'").get()
  if (hasBytes === undefined)
    db.exec('ALTER TABLE files ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0)')
  const directory = join(dirname(db.name), filesName)
  recountFiles(db, (id) => statSync(contentPath(directory, id), { throwIfNoEntry: false })?.size ?? 0)
}

/** What an owner has not looked at yet, which secrets are answers, and whether these may carry files. */
function toVersionEleven(db: Sqlite.Database): void {
  db.exec(`
    ALTER TABLE secrets ADD COLUMN news INTEGER NOT NULL DEFAULT 0 CHECK (news >= 0);
    ALTER TABLE secrets ADD COLUMN answers_request BLOB CHECK (length(answers_request) = 16);
    ${answersIndex}`)
  // The sixth step makes the table as it is described now.
  const takesFiles = db
    .prepare("SELECT 1 FROM pragma_table_info('requests') WHERE name = 'takes_files'")
    .get()
  if (takesFiles === undefined)
    db.exec(
      'ALTER TABLE requests ADD COLUMN takes_files INTEGER NOT NULL DEFAULT 0 CHECK (takes_files IN (0, 1))',
    )
}

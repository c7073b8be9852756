import { allTables, createTable, tables, type TableDialect } from '@sotto/storage-sql'
import { fileTables } from './file-tables.ts'
import { quotaTables } from './quota-tables.ts'
import { answersIndex, ownTables } from './secret-tables.ts'

/** A version of the tables, and with it of the program. */
export interface TablesVersion {
  /**
   * Makes these tables of those of the version before. Servers of versions from {@link readableFrom} on work while this runs, and wait for the tables
   * that it locks: so each statement is quick: it writes no row of the tables
   * that grow without bound.
   */
  readonly statements: readonly string[]

  /** Makes the tables of this version in a fresh database; the versions before it are not needed then. */
  readonly whole?: readonly string[]

  /**
   * Statements that only make the tables faster. They run last, each behind a SAVEPOINT, and an engine that does not know one goes on without it.
   * A table that another program has locked refuses them as it refuses {@link statements}.
   */
  readonly tuning?: readonly string[]

  /**
   * The oldest version of the program that can work with the tables then. A version that adds to the tables (expands) keeps that of the
   * version before: columns have a default, and what a program of the version before writes is complete. One that removes what
   * no program needs any more (contracts) raises it, and is not reached while a server of an older one uses the database.
   */
  readonly readableFrom: number
}

const tableDialect: TableDialect = {
  types: { id: 'uuid', integer: 'bigint', text: 'text', bytes: 'bytea', flag: 'boolean', encrypted: 'bytea' },
  textColumn: (name) => name,
  namesConstraints: true,
  hasCoveringIndexes: false,
  no: 'false',
  checkOf: () => undefined,
  optionsOf: () => '',
}

/**
 * All versions, the first one first. None ever changes, not even before it is released: some database has its number by then. Another change
 * of the tables is another version.
 *
 * All ids are UUIDs, all times whole microseconds since the epoch in UTC, all ciphertexts bytes that begin with their version.
 * `kid` is the number of the key that a row's ciphertexts are under; its foreign key refuses a row under a key that is not (or no longer)
 * in `keys`. It refuses to delete a key from there while a row is under it.
 *
 * The schema checks the shape of rows, not the rules of the service. It uses only what engines that speak PostgreSQL's protocol have, too:
 * no sequences, triggers, functions or partial unique indexes.
 */
export const versions: readonly TablesVersion[] = [
  // What a database of version 1 has is what the fixture of that version has.
  { statements: [], readableFrom: 1 },
  // Changes of email addresses that wait for their link.
  { statements: createTable(tableDialect, tables.email_changes), readableFrom: 1 },
  // Display names, names of sessions, and what an owner chose last about hearing of opens.
  {
    statements: [
      ...createTable(tableDialect, tables.display_names),
      'ALTER TABLE accounts ADD COLUMN notifies boolean NOT NULL DEFAULT false',
      'ALTER TABLE sessions ADD COLUMN kid bigint CONSTRAINT sessions_kid_fkey REFERENCES keys (kid), ADD COLUMN name bytea',
      'CREATE INDEX sessions_by_kid ON sessions (kid, id)',
    ],
    readableFrom: 1,
  },
  // The key that is active, and the servers with the keys that they hold. A server of an earlier version adds keys that are active.
  {
    statements: [
      ...createTable(tableDialect, tables.servers),
      'ALTER TABLE keys ADD COLUMN read_only boolean NOT NULL DEFAULT false',
      'UPDATE keys SET read_only = true WHERE kid < (SELECT max(kid) FROM keys)',
    ],
    readableFrom: 1,
  },
  // Requests, and the forms that have answered them.
  {
    statements: [tables.requests, tables.answered_forms].flatMap((table) => createTable(tableDialect, table)),
    readableFrom: 1,
  },
  // Identities of an identity provider, passkeys, and what a session was begun with.
  {
    statements: [
      ...[tables.identities, tables.passkeys, tables.used_tokens].flatMap((table) =>
        createTable(tableDialect, table),
      ),
      'ALTER TABLE sessions ADD COLUMN way_in_id uuid, ADD COLUMN provider_session bytea CHECK (length(provider_session) = 32)',
      'CREATE INDEX sessions_of_provider ON sessions (provider_session) WHERE provider_session IS NOT NULL',
    ],
    readableFrom: 1,
  },
  // Files: their contents, the rows of secrets that have some, the sums of accounts, and tickets.
  {
    statements: [
      ...[tables.files, tables.file_sums, tables.file_tickets].flatMap((table) =>
        createTable(tableDialect, table),
      ),
      ...fileTables,
    ],
    readableFrom: 1,
  },
  // Accounts whose owner has to be allowed at every sign-in, and one-time links that somebody asked for.
  {
    statements: [
      'ALTER TABLE accounts ADD COLUMN held boolean NOT NULL DEFAULT false',
      "UPDATE accounts SET held = true WHERE id IN (SELECT account_id FROM identities WHERE origin = 'allowed')",
      'ALTER TABLE welcomes ADD COLUMN asked boolean NOT NULL DEFAULT false',
    ],
    readableFrom: 1,
  },
  // What each file counts, and contents that arrive. The sums were those of plain bytes. All rows of files are written anew.
  {
    statements: [
      ...createTable(tableDialect, tables.file_uploads),
      'LOCK TABLE file_sums IN EXCLUSIVE MODE',
      // The version with files makes the table as it is described now.
      'ALTER TABLE files ADD COLUMN IF NOT EXISTS bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0)',
      `UPDATE files SET bytes = greatest(4096, (SELECT length FROM file_contents c WHERE c.id = files.id))`,
      `UPDATE file_sums SET bytes = (SELECT coalesce(sum(bytes), 0) FROM files f WHERE f.account_id = file_sums.account_id)`,
    ],
    readableFrom: 1,
  },
  // What an owner has not looked at yet, which secrets are answers, and whether these may carry files.
  {
    statements: [
      `ALTER TABLE secrets ADD COLUMN news bigint NOT NULL DEFAULT 0 CHECK (news >= 0), ADD COLUMN answers_request uuid`,
      answersIndex,
      // The version with requests makes the table as it is described now.
      'ALTER TABLE requests ADD COLUMN IF NOT EXISTS takes_files boolean NOT NULL DEFAULT false',
    ],
    whole: createAll(),
    readableFrom: 1,
  },
  // PostgreSQL no longer tries to compress long ciphertexts: for a row of a file that took a quarter to a half of the time of writing it.
  {
    statements: [],
    tuning: [
      'ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL',
      'ALTER TABLE secrets ALTER COLUMN note SET STORAGE EXTERNAL',
    ],
    readableFrom: 1,
  },
]

function createAll(): readonly string[] {
  const stores = allTables.flatMap((table) => ownTables[table.name] ?? createTable(tableDialect, table))
  return [...stores, ...fileTables, ...quotaTables]
}

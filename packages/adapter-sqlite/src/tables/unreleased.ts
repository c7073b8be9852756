import { createHash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'

/** Tables that are not those of version 1, though the file has its number. */
export interface UnreleasedTables {
  /** The last commit of this repository that made and read such tables; `undefined` when that is not known. */
  readonly commit: string | undefined
}

/** The tables of version 1. Others, which another program has added, do not count. */
const tables = [
  ...['meta', 'keys', 'texts', 'accounts', 'folders', 'access_tokens', 'passwords', 'sessions', 'welcomes'],
  ...['sign_in_attempts', 'known_addresses', 'idempotency_keys', 'webhooks', 'secrets', 'ciphertexts'],
  ...['long_notes', 'opened_forms', 'outbox', 'targets', 'deliveries'],
]

/** {@link digestOf} a file of version 1. */
const versionOne = 'c12058f4e6c09ee0'

/**
 * The last commits before version 1 was fixed, when files with other tables had its number, too: for each {@link digestOf} such a file, the
 * last commit of this repository that made and read it.
 */
const lastCommits: Readonly<Record<string, string>> = {
  '925cb8fc2bdd3cfa': '80f12b8',
  '5c393df6c0fb6d2b': '298fd31',
  '83abebed189cbc73': '4fc8f0f',
  '4d5c65e366cd9a8d': '80c2c01',
  '435636dd6ac2977f': '8d8956f',
  '7f2f656d9bc6f0cc': '43a58a4',
}

/**
 * Whether a file has the number of version 1 and other tables; `undefined` when it has not. Every later version is reached by steps that never
 * change.
 * @throws what SQLite throws
 */
export function unreleasedTablesIn(db: Sqlite.Database): UnreleasedTables | undefined {
  if (db.pragma('user_version', { simple: true }) !== 1) return undefined
  const digest = digestOf(db)
  return digest === versionOne ? undefined : { commit: lastCommits[digest] }
}

/** A digest of the names of the tables and of their columns. */
function digestOf(db: Sqlite.Database): string {
  const names = db
    .prepare<string[], string>(
      `SELECT t.name || '.' || c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND t.name IN (${tables.map(() => '?').join(', ')})`,
    )
    .pluck()
    .all(...tables)
  return createHash('sha256').update(names.sort().join()).digest('hex').slice(0, 16)
}

import { createHash } from 'node:crypto'

/** The tables of version 1. Others beside them do not count. */
const tables = [
  ...['sotto', 'keys', 'accounts', 'folders', 'access_tokens', 'passwords', 'sessions', 'welcomes'],
  ...['sign_in_attempts', 'known_addresses', 'idempotency_keys', 'webhooks', 'secrets', 'opened_forms'],
  ...['outbox', 'targets', 'deliveries', 'quota'],
]

/**
 * Part of a statement: the names of the tables and of their columns, as one text. Types are left out: other engines that speak PostgreSQL's
 * protocol give them other names.
 */
export const namesOfTables = `(
  SELECT string_agg(c.relname || '.' || a.attname, ',') FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('sotto'))
    AND c.relname IN (${tables.map((table) => `'${table}'`).join(', ')}) AND a.attnum > 0 AND NOT a.attisdropped
)`

/** {@link digestOf} the names of version 1. */
const versionOne = '8c0db4a1fb047755'

/**
 * The last commits before version 1 was fixed, when a database with other tables had its number, too: for each {@link digestOf} their
 * names, the last commit of this repository that made and read them.
 */
const lastCommits: Readonly<Record<string, string>> = { c15021639882b1bd: '8f4119f' }

/** Thrown when the tables are not those of version 1, though the database has its number. */
export class UnreleasedTables extends Error {
  override readonly name = 'UnreleasedTables'
  /** The last commit of this repository that made and read them; `undefined` when it is not known. */
  readonly commit: string | undefined

  constructor(commit: string | undefined) {
    super('the tables are of no released version')
    this.commit = commit
  }
}

/** Throws {@link UnreleasedTables} when a commit from before version 1 was fixed has made tables of these names. */
export function refuseUnreleased(names: string): void {
  const commit = lastCommits[digestOf(names)]
  if (commit !== undefined) throw new UnreleasedTables(commit)
}

/** Throws {@link UnreleasedTables} unless version 1 has tables of these names. */
export function refuseOthers(names: string): void {
  if (digestOf(names) !== versionOne) throw new UnreleasedTables(undefined)
}

function digestOf(names: string): string {
  return createHash('sha256').update(names.split(',').sort().join()).digest('hex').slice(0, 16)
}

import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** How many accounts own the secrets. */
const accounts = 1_000

const rows = 'WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)'
/** A UUID of version 7 for a time in microseconds, as 16 bytes. */
const uuidAt = (micros: string) =>
  `unhex(format('%012x7%03x8', ${micros} / 1000, ${micros} % 1000) || substr(hex(randomblob(8)), 2))`
/** A link's lookup: 4 bytes with the Unix second in which its token was made, then 28 bytes of a digest. */
const lookupAt = (micros: string) => `unhex(format('%08x', ${micros} / 1000000) || hex(randomblob(28)))`

/**
 * Fills a store with secrets of other accounts, created within the last 29 days. Their ciphertexts are random bytes of the usual length,
 * because nobody decrypts them. Writes directly to the tables: a million secrets take half a minute and about a gigabyte, like a real
 * store of that size. The store must not be in use.
 */
export function fill(dataDir: string, count: number): void {
  const db = new Sqlite(join(dataDir, 'sotto.sqlite'))
  // No other process uses it, and after a crash it is filled again. A log would double the bytes that are written.
  for (const pragma of [
    'journal_mode = DELETE',
    'journal_mode = OFF',
    'synchronous = OFF',
    'cache_size = -2000000',
  ])
    db.pragma(pragma)
  db.pragma('foreign_keys = OFF')
  db.transaction(() => fillTables(db, count))()
  db.close()
}

function fillTables(db: Sqlite.Database, count: number): void {
  const lifeMicros = 29 * 86_400 * 1_000_000
  // better-sqlite3 binds numbers as floats; these are divided as integers.
  const start = BigInt(Date.now() * 1000 - lifeMicros)
  const kid = db.prepare('SELECT kid FROM keys').pluck().get()
  const first = Number(db.prepare('SELECT coalesce(max(nr), 0) + 1 FROM ciphertexts').pluck().get())
  const run = (sql: string, values: object) => db.prepare(sql).run(values)

  db.exec('CREATE TEMP TABLE owners (i INTEGER PRIMARY KEY, account BLOB, folder BLOB)')
  run(`${rows} INSERT INTO owners SELECT i, ${uuidAt('(:start + i)')}, ${uuidAt('(:start + i)')} FROM n`, {
    count: accounts,
    start,
  })
  const owner = { kid, at: start }
  const firstText = Number(db.prepare('SELECT coalesce(max(nr), 0) + 1 FROM texts').pluck().get())
  run(`${rows} INSERT INTO texts SELECT :firstText + n.i, randomblob(97) FROM n`, {
    firstText,
    count: 2 * accounts,
  })
  run(
    `INSERT INTO accounts (id, created_at, mails_enabled, mails_name_labels, kid, name_index, name_nr)
     SELECT account, :at, 1, 0, :kid, randomblob(32), :firstText + i FROM owners`,
    { ...owner, firstText },
  )
  run(
    `INSERT INTO folders (id, account_id, created_at, kid, label_nr)
     SELECT folder, account, :at, :kid, :firstText + :accounts + i FROM owners`,
    { ...owner, firstText, accounts },
  )
  const secrets = { count, first, start, step: BigInt(Math.floor(lifeMicros / count)), kid, accounts }
  run(
    `${rows} INSERT INTO ciphertexts SELECT :first + n.i, randomblob(130), randomblob(61), randomblob(289) FROM n`,
    { count, first },
  )
  run(
    `${rows} INSERT INTO secrets (nr, id, account_id, folder_id, created_at, link_created_at, expires_at, open_limit,
       notify, has_password, kid, lookup)
     SELECT :first + n.i, ${uuidAt('(:start + n.i * :step)')}, account, folder, :start + n.i * :step,
       :start + n.i * :step, :start + n.i * :step + 2592000000000, NULL, 0, 0, :kid,
       ${lookupAt('(:start + n.i * :step)')}
     FROM n JOIN owners ON owners.i = (n.i * 7919) % :accounts`,
    secrets,
  )
}

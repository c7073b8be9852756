import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Among how many accounts the filling is spread. */
const accounts = 1_000

const rows = 'WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)'
/** A UUID of version 7 for a moment in microseconds, as 16 bytes. */
const uuidAt = (micros: string) =>
  `unhex(format('%012x7%03x8', ${micros} / 1000, ${micros} % 1000) || substr(hex(randomblob(8)), 2))`

/**
 * Fills a store with other people's secrets, made within the last 29 days: random bytes of the length that real ciphertexts have,
 * because nobody is going to decrypt them. Straight into the tables: a million takes half a minute, and a gigabyte or so, as a real
 * store of that many would. The store must not be in use.
 */
export function fill(dataDir: string, count: number): void {
  const db = new Sqlite(join(dataDir, 'sotto.sqlite'))
  // Nobody else is there, and what is lost in a crash is made anew. A log would double what is written.
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
  // Numbers beyond 32 bits are bound as floats; these are to be divided as integers.
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
  run(
    `INSERT INTO accounts SELECT account, :at, NULL, :kid, randomblob(32), randomblob(97) FROM owners`,
    owner,
  )
  run(`INSERT INTO folders SELECT folder, account, :at, :kid, randomblob(97) FROM owners`, owner)
  const secrets = { count, first, start, step: BigInt(Math.floor(lifeMicros / count)), kid, accounts }
  run(
    `${rows} INSERT INTO ciphertexts SELECT :first + n.i, randomblob(130), randomblob(61), randomblob(289) FROM n`,
    { count, first },
  )
  run(
    `${rows} INSERT INTO secrets (nr, id, account_id, folder_id, created_at, link_created_at, expires_at, open_limit,
       notify, has_password, kid, lookup)
     SELECT :first + n.i, ${uuidAt('(:start + n.i * :step)')}, account, folder, :start + n.i * :step,
       :start + n.i * :step, :start + n.i * :step + 2592000000000, 0, 0, 0, :kid, randomblob(32)
     FROM n JOIN owners ON owners.i = (n.i * 7919) % :accounts`,
    secrets,
  )
}

import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { open, openQuotaIn, temporaryDir } from './support/helpers.ts'

/** Tables that never hold more than a few rows. */
const tiny = /^SCAN (?:meta|keys|k)\b/

/** What `DeliveryStore.state` and `Upkeep.countRows` count by reading every entry of one index, and no row. */
const counted =
  /^SCAN (?:CONSTANT ROW|(?:outbox|deliveries|accounts|folders|secrets|access_tokens) USING COVERING INDEX \w+)$/

test('every statement finds its rows by an index and sorts nothing', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const quota = await recordStatements(async () => (await openQuotaIn(dir)).close())
  t.ok(main.length > 40, 'the statements of all stores were recorded')
  for (const [file, statements] of [
    ['sotto.sqlite', main],
    ['quota.sqlite', quota],
  ] as const) {
    const db = new Sqlite(join(dir, file))
    for (const sql of statements) {
      const steps = planOf(db, sql).filter((step) => /^SCAN|TEMP B-TREE/.test(step) && !tiny.test(step))
      const isCount =
        /^SELECT\s+(?:count\(\*\) FROM (?:outbox$|deliveries INDEXED BY)|\(SELECT count\(\*\) FROM accounts\))/.test(
          sql,
        )
      const slow = isCount ? steps.filter((step) => !counted.test(step)) : steps
      t.same(slow, [], sql)
    }
    db.close()
  }
})

test('every list of secrets and drafts is read in its order from one index', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  for (const [where, order, index] of [
    [
      'WHERE account_id = ? AND expires_at >',
      'ORDER BY link_created_at DESC, id DESC',
      'secrets_by_account (account_id=? AND (link_created_at,id)<(?,?))',
    ],
    [
      'WHERE account_id = ? AND +folder_id = ? AND expires_at >',
      'ORDER BY link_created_at DESC, id DESC',
      'secrets_by_account (account_id=? AND (link_created_at,id)<(?,?))',
    ],
    [
      'WHERE account_id = ? AND expires_at IS NULL',
      'ORDER BY created_at, id',
      'drafts_by_account (account_id=? AND (created_at,id)>(?,?))',
    ],
    [
      'WHERE account_id = ? AND +folder_id = ? AND expires_at IS NULL',
      'ORDER BY created_at, id',
      'drafts_by_account (account_id=? AND (created_at,id)>(?,?))',
    ],
  ] as const) {
    const list = main.find((sql) => sql.includes(where) && sql.includes(order)) ?? ''
    t.match(planOf(db, list)[0], `SEARCH s USING INDEX ${index}`, where)
  }
  db.close()
})

test('a page is found by its position in an index, however many rows are before it', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  // Rows that are skipped are read: the end of a list of 43,200 would take longer than its beginning.
  for (const sql of main) if (sql.startsWith('SELECT')) t.notMatch(sql, /\bOFFSET\b/i)
  for (const [from, order, position] of [
    ['secrets s', 'link_created_at DESC, id DESC', '(account_id=? AND (link_created_at,id)<(?,?))'],
    ['secrets s', 'created_at, id', '(account_id=? AND (created_at,id)>(?,?))'],
    ['folders', 'created_at, id', '(account_id=? AND (created_at,id)>(?,?))'],
    ['access_tokens', 'created_at, id', '(account_id=? AND (created_at,id)>(?,?))'],
    ['sessions', 'created_at, id', '(account_id=? AND (created_at,id)>(?,?))'],
    ['accounts WHERE (', 'created_at, id', '((created_at,id)>(?,?))'],
  ] as const) {
    const pages = main.filter(
      (sql) => sql.includes(`FROM ${from}`) && sql.includes(`ORDER BY ${order} LIMIT`),
    )
    t.ok(pages.length > 0, from)
    for (const sql of pages)
      t.ok(
        planOf(db, sql).some((step) => step.endsWith(position)),
        sql,
      )
  }
  db.close()
})

test('the sweep, rotation and the outbox each read from one index', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  for (const [part, index] of [
    ['WHERE s.expires_at <= ? ORDER BY s.expires_at', 'secrets_by_expiry (expires_at<?)'],
    ['WHERE s.kid = ? AND s.id > ?', 'secrets_by_kid (kid=? AND id>?)'],
    ['FROM accounts\n       WHERE kid = ? AND id > ?', 'accounts_by_kid (kid=? AND id>?)'],
    ['FROM folders\n       WHERE kid = ? AND id > ?', 'folders_by_kid (kid=? AND id>?)'],
    ['FROM access_tokens\n       WHERE kid = ? AND id > ?', 'access_tokens_by_kid (kid=? AND id>?)'],
    ['FROM passwords\n       WHERE kid = ? AND id > ?', 'passwords_by_kid (kid=? AND id>?)'],
    ['FROM webhooks\n       WHERE kid = ? AND id > ?', 'webhooks_by_kid (kid=? AND id>?)'],
    ['FROM outbox WHERE (event_at', 'outbox_by_time ((event_at,event_id)>(?,?))'],
  ] as const) {
    t.match(planOf(db, main.find((sql) => sql.includes(part)) ?? '')[0], `INDEX ${index}`, part)
  }
  db.close()
})

test('to find nothing costs one search of an index and one row of a table, whatever the cause', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  for (const [table, nr, column, count] of [
    ['secrets', 'nr', 'lookup', 3],
    ['secrets', 'nr', 'id', 1],
    ['access_tokens', 'rowid', 'digest', 1],
  ] as const) {
    const found = `(SELECT ${nr} FROM ${table} WHERE ${column} = ?)`
    const lookUps = main.filter((sql) =>
      sql.includes(`coalesce(${found}, (SELECT min(${nr}) FROM ${table}))`),
    )
    t.equal(lookUps.length, count, column)
    for (const sql of lookUps) {
      const plan = planOf(db, sql)
      t.match(plan[0], /^SEARCH [st] USING INTEGER PRIMARY KEY \(rowid=\?\)$/, sql)
      const searches = plan.filter((step) => step.startsWith(`SEARCH ${table} USING COVERING INDEX`))
      t.equal(searches.length, 1, plan.join('; '))
      const accounts = plan.filter((step) => /^SEARCH accounts USING INDEX \S+ \(id=\?\)$/.test(step))
      t.equal(accounts.length, column === 'id' ? 0 : 1, 'and of the account of that row')
      if (column !== 'id')
        t.match(sql, /FROM accounts WHERE id = [a-z.]*account_id\)\s+& iif\(/, 'in each case')
      t.equal(plan.filter((step) => step === `SEARCH ${table}`).length, 1, 'the first row has no search')
    }
  }
  db.close()
})

test("a folder's secrets and drafts are counted from one index, without the table", async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  const counts = main.find((sql) => sql.includes('FROM folders WHERE account_id = ? AND (')) ?? ''
  const steps = planOf(db, counts).filter((step) => step.includes('secrets'))
  t.equal(steps.length, 2)
  for (const step of steps) t.match(step, 'USING COVERING INDEX secrets_by_folder')
  db.close()
})

test('the rows of an account to erase are each found by an index', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  for (const [part, index] of [
    ['FROM accounts WHERE name_index IS NULL', 'sqlite_autoindex_accounts_2 (name_index=?)'],
    ['s.account_id = ? AND s.expires_at IS NOT NULL', 'secrets_by_account (account_id=?)'],
    ['s.account_id = ? AND s.expires_at IS NULL', 'drafts_by_account (account_id=?)'],
    ['s.folder_id = ? LIMIT', 'secrets_by_folder (folder_id=?)'],
  ] as const) {
    const steps = planOf(db, main.find((sql) => sql.includes(part)) ?? '')
    t.match(steps[0], `INDEX ${index}`, part)
  }
  db.close()
})

test('what is due is found by one search of an index, however much waits', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  const order = 'target_nr=? AND secret_id=? AND dead_at=?'
  for (const [part, plan] of [
    ['FROM targets t WHERE kind = ?', 't USING INDEX targets_by_due (kind=? AND due_at<?)'],
    ['is_head = 1 AND due_at <=', 'deliveries USING INDEX deliveries_by_due (target_nr=? AND due_at<?)'],
    ['SELECT due_at FROM targets', 'targets USING COVERING INDEX targets_by_due (kind=? AND due_at>?)'],
    ['SELECT nr FROM deliveries', `deliveries USING COVERING INDEX deliveries_in_order (${order})`],
    ['was_leased FROM deliveries', `deliveries USING INDEX deliveries_in_order (${order})`],
    ['(SELECT nr FROM deliveries WHERE dead_at', 'deliveries USING INTEGER PRIMARY KEY (rowid=?)'],
  ] as const) {
    const sql = main.find((each) => each.includes(part)) ?? ''
    t.equal(planOf(db, sql)[0], `SEARCH ${plan}`, part)
  }
  const setDue = main.find((each) => each.startsWith('UPDATE targets SET due_at')) ?? ''
  t.match(planOf(db, setDue).join(), 'deliveries USING COVERING INDEX deliveries_by_due (target_nr=?)')
  db.close()
})

test('every list of deliveries is read in its order from one index', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  const after = '(event_at,id)>(?,?)'
  for (const [where, index] of [
    ['WHERE dead_at IS NULL AND count > 0 AND (', `waiting_by_time (${after})`],
    ['WHERE account_id = ? AND dead_at IS NULL AND count', `waiting_of_account (account_id=? AND ${after})`],
    ['WHERE dead_at IS NOT NULL AND count > 0 AND (', `dead_by_time (${after})`],
    ['WHERE account_id = ? AND dead_at IS NOT NULL', `dead_of_account (account_id=? AND ${after})`],
  ] as const) {
    const list = main.find((sql) => sql.includes(where)) ?? ''
    t.equal(planOf(db, list)[0], `SEARCH deliveries USING INDEX ${index}`, where)
  }
  db.close()
})

test('every foreign key is backed by an index, so that deleting a parent row scans no table', async (t) => {
  const dir = temporaryDir(t)
  await (await open(dir)).close()
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  const keys = db
    .prepare<[], { child: string; column: string }>(
      `SELECT m.name AS child, f."from" AS "column" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
       WHERE m.type = 'table' AND f.seq = 0`,
    )
    .all()
  t.equal(keys.length, 18)
  for (const { child, column } of keys) {
    t.match(planOf(db, `SELECT 1 FROM ${child} WHERE ${column} = ?`), [/^SEARCH/], `${child}.${column}`)
  }
  db.close()
})

test('the check of plans can fail', (t) => {
  const db = new Sqlite(':memory:')
  db.exec('CREATE TABLE a (b)')
  t.match(planOf(db, 'SELECT * FROM a WHERE b = ?'), [/^SCAN a/])
  t.match(planOf(db, 'SELECT * FROM a ORDER BY b').join(), 'TEMP B-TREE')
  db.close()
  t.end()
})

/** The statements that are prepared while `run` runs, without pragmas and transactions. */
async function recordStatements(run: () => Promise<void>): Promise<readonly string[]> {
  const seen = new Set<string>()
  const { prepare } = Sqlite.prototype
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    seen.add(sql)
    return prepare.call(this, sql)
  } as typeof prepare
  try {
    await run()
  } finally {
    Sqlite.prototype.prepare = prepare
  }
  return [...seen].filter(
    (sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE)/.test(sql) && !sql.includes('sqlite_schema'),
  )
}

function planOf(db: Sqlite.Database, sql: string): readonly string[] {
  const rows = db
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/[@?]\w*/g, 'NULL')}`)
    .all()
  return rows.map(({ detail }) => detail)
}

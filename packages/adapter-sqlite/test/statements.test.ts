import { join } from 'node:path'
import { nilUuid } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { open, openQuotaIn, temporaryDir } from './support/helpers.ts'
import { planOf, recordPrepared, slowStepsOf } from './support/statements.ts'

// Those that all databases share are checked by contract.test.ts.
test('every statement of the stores that are its own finds its rows by an index and sorts nothing', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const quota = await recordStatements(async () => (await openQuotaIn(dir)).close())
  t.ok(main.length > 20, 'the statements were recorded')
  for (const [file, statements] of [
    ['sotto.sqlite', main],
    ['quota.sqlite', quota],
  ] as const) {
    const db = new Sqlite(join(dir, file))
    for (const sql of statements) {
      t.same(slowStepsOf(db, sql), [], sql)
    }
    db.close()
  }
})

test('every list of secrets and drafts is read in its order from one index', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(() => openAndListDrafts(dir))
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

// Promise (The owner's pages): The end of a long list is found as fast as its beginning
test('a page is found by its position in an index, however many rows are before it', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(() => openAndListDrafts(dir))
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  // Rows that are skipped are read: the end of a list of 43,200 would take longer than its beginning.
  for (const sql of main) if (sql.startsWith('SELECT')) t.notMatch(sql, /\bOFFSET\b/i)
  for (const [from, order, position] of [
    ['secrets s', 'link_created_at DESC, id DESC', '(account_id=? AND (link_created_at,id)<(?,?))'],
    ['secrets s', 'created_at, id', '(account_id=? AND (created_at,id)>(?,?))'],
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

test('the sweep reads from one index', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  for (const [part, index] of [
    ['WHERE s.expires_at <= ? AND NOT EXISTS', 'secrets_by_expiry (expires_at<?)'],
  ] as const) {
    t.match(planOf(db, main.find((sql) => sql.includes(part)) ?? '')[0], `INDEX ${index}`, part)
  }
  db.close()
})

// Promise (Opening a link): Dead links take the same path, whatever the cause: and the same searches in the database
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

test('the rows of an account to erase are each found by an index', async (t) => {
  const dir = temporaryDir(t)
  const main = await recordStatements(async () => (await open(dir)).close())
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  for (const [part, index] of [
    ['s.account_id = ? AND s.expires_at IS NOT NULL', 'secrets_by_account (account_id=?)'],
    ['s.account_id = ? AND s.expires_at IS NULL', 'drafts_by_account (account_id=?)'],
    ['s.folder_id = ? LIMIT', 'secrets_by_folder (folder_id=?)'],
  ] as const) {
    const steps = planOf(db, main.find((sql) => sql.includes(part)) ?? '')
    t.match(steps[0], `INDEX ${index}`, part)
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
  t.equal(keys.length, 30)
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

/** Opens the main file, and reads the lists of drafts: the shared stores prepare a statement when it is needed first. */
async function openAndListDrafts(dir: string): Promise<void> {
  const { drafts, close } = await open(dir)
  for (const filter of [{ accountId: nilUuid }, { accountId: nilUuid, folderId: nilUuid }])
    expectOk(await drafts.page(filter, undefined, 1))
  await close()
}

/** The statements that are prepared while `run` runs. */
async function recordStatements(run: () => Promise<void>): Promise<readonly string[]> {
  const recorded = recordPrepared()
  try {
    await run()
  } finally {
    recorded()
  }
  return recorded()
}

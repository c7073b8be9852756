import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  quotaContract,
  runContract,
  storageContract,
  storageDriverContract,
  type QuotaHarness,
  type QuotaUnderTest,
  type StorageDriverHarness,
  type StorageHarness,
  type StorageUnderTest,
} from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { sqliteDriver } from '../src/identity.ts'
import { copyAsCrashed, open, openQuotaIn, temporaryDir } from './support/helpers.ts'
import { planOf, recordPrepared, slowStepsOf } from './support/statements.ts'

const storageHarness: StorageHarness = {
  supports: ['together', 'reopen', 'beside'],
  histories: { runs: 15 },
  open() {
    const dir = newDir()
    return storageIn(dir, () => remove(dir))
  },
}

async function storageIn(dir: string, cleanUp: () => void): Promise<StorageUnderTest> {
  const database = await open(dir)
  return {
    ...database,
    async dispose() {
      await database.close()
      cleanUp()
    },
    beside: () => storageIn(dir, () => undefined),
    async reopen() {
      const copy = newDir()
      copyAsCrashed(dir, copy, 'sotto.sqlite')
      await database.close()
      cleanUp()
      return storageIn(copy, () => remove(copy))
    },
  }
}

const quotaHarness: QuotaHarness = {
  supports: ['reopen', 'beside'],
  open() {
    const dir = newDir()
    return quotaIn(dir, () => remove(dir))
  },
}

async function quotaIn(dir: string, cleanUp: () => void): Promise<QuotaUnderTest> {
  const opened = await openQuotaIn(dir)
  return {
    quota: opened.quota,
    async dispose() {
      await opened.close()
      cleanUp()
    },
    beside: () => quotaIn(dir, () => undefined),
    async reopen() {
      const copy = newDir()
      copyAsCrashed(dir, copy, 'quota.sqlite')
      await opened.close()
      cleanUp()
      return quotaIn(copy, () => remove(copy))
    },
  }
}

const driverHarness: StorageDriverHarness = {
  supports: ['backup', 'move', 'displace'],
  async open() {
    const dir = newDir()
    let made = 0
    const newPath = () => join(dir, `new-${(made += 1)}`)
    const newDriver = () => sqliteDriver({ dataDir: newPath() })
    const driver = newDriver()
    const displace = () => {
      const away = newPath()
      renameSync(driver.location, away)
      return () => renameSync(away, driver.location)
    }
    return { driver, newDriver, newBackupFile: newPath, displace, dispose: async () => remove(dir) }
  },
}

/** In memory an fsync costs nothing. */
function newDir(): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sotto-contract-'))
}

function remove(dir: string): void {
  rmSync(dir, { recursive: true, force: true })
}

const recorded = recordPrepared()
runContract(test, storageContract, storageHarness)

test('every statement that the contract needs finds its rows by an index and sorts nothing', async (t) => {
  const dir = temporaryDir(t)
  // What `examine` and `doctor` ask reads whole tables: a command calls it, no server.
  const statements = recorded()
    .map((sql) => sql.replaceAll(/\s+/g, ' '))
    .filter((sql) => !/nr NOT IN|AS refused WHERE|GROUP BY rp_id/.test(sql))
  await (await open(dir)).close()
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  t.ok(statements.length > 100, 'the statements of all stores were recorded')
  for (const sql of statements) t.same(slowStepsOf(db, sql), [], sql)

  const [after, page] = ['(event_at,event_id)>(?,?)', '(created_at,id)>(?,?)']
  const chain = 'target_kind=? AND target_id=? AND secret_id=?'
  for (const [part, step] of [
    ['FROM folders WHERE account_id = ? AND (created_at', `folders_by_time (account_id=? AND ${page})`],
    [
      'WHERE account_id = ? AND (created_at, id) > (?, ?) AND EXISTS',
      `access_tokens_by_time (account_id=? AND ${page})`,
    ],
    ['FROM sessions WHERE account_id = ? AND (created_at', `sessions_by_time (account_id=? AND ${page})`],
    ['FROM accounts WHERE (created_at', `accounts_by_time (${page})`],
    ['FROM accounts WHERE name_index IS NULL', 'sqlite_autoindex_accounts_2 (name_index=?)'],
    ['FROM outbox WHERE (event_at', `outbox_by_time (${after})`],
    ...['accounts', 'folders', 'access_tokens', 'passwords', 'webhooks'].map(
      (table) => [`FROM ${table} WHERE kid = ? AND id >`, `${table}_by_kid (kid=? AND id>?)`] as const,
    ),
    ['FROM secrets s WHERE kid = ? AND id >', 'secrets_by_kid (kid=? AND id>?)'],
    ['SELECT kind, id FROM targets WHERE kind = ? AND due_at <=', 'targets_by_due (kind=? AND due_at<?)'],
    ['AND is_head AND due_at <=', 'deliveries_by_due (target_kind=? AND target_id=? AND due_at<?)'],
    ['SELECT due_at FROM targets', 'targets_by_due (kind=? AND due_at>?)'],
    ['AND secret_id = ? AND dead_at IS NULL ORDER BY event_at, event_id', `deliveries_in_order (${chain})`],
    ['was_leased, count FROM deliveries', `deliveries_in_order (${chain})`],
    ['WHERE dead_at IS NULL AND count > 0 AND (event_at', 'waiting_by_time ((event_at,id)>(?,?))'],
    [
      'WHERE dead_at IS NULL AND count > 0 AND account_id',
      'waiting_of_account (account_id=? AND (event_at,id)>(?,?))',
    ],
    ['WHERE dead_at IS NOT NULL AND count > 0 AND (event_at', 'dead_by_time ((event_at,id)>(?,?))'],
    [
      'WHERE dead_at IS NOT NULL AND count > 0 AND account_id',
      'dead_of_account (account_id=? AND (event_at,id)>(?,?))',
    ],
  ] as const) {
    const sql = statements.find((each) => each.includes(part)) ?? ''
    t.match(planOf(db, sql).join('; '), `INDEX ${step}`, part)
  }
  db.close()
})

runContract(test, quotaContract, quotaHarness)
runContract(test, storageDriverContract, driverHarness)

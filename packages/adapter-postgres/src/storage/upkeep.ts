import { randomBytes, randomUUID } from 'node:crypto'
import type { StorageError, Upkeep } from '@sotto/core'
import { latestWrites } from '@sotto/storage-sql'
import { err, ok, type Result } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { examineDatabase } from '../examine/examine.ts'

const touch = {
  name: 'upkeep_touch',
  text: 'UPDATE sotto SET swept_at = swept_at WHERE one = 1 AND instance_id = $1',
}
const tryQuota = {
  name: 'upkeep_try_quota',
  text: `INSERT INTO quota (bucket, minute_start, minute_count, day_start, day_count, taken, is_address)
    VALUES ('upkeep', 0, 0, 0, 0, 0, false) ON CONFLICT (bucket) DO NOTHING`,
}
const undoQuota = { name: 'upkeep_undo_quota', text: `DELETE FROM quota WHERE bucket = 'upkeep'` }

/**
 * What a create writes, in the tables that it writes to: a row of an account, of a folder and of a secret, with a note that is stored apart.
 * So it finds a full disk as a create does, when one of these tables has no room left and cannot grow. Nothing when no key is known yet.
 */
const tryAccount = {
  name: 'upkeep_try_account',
  text: `INSERT INTO accounts (id, created_at, mails_enabled, mails_name_labels, kid, name)
    SELECT $1::uuid, 0, false, false, max(kid), '' FROM keys HAVING count(*) > 0`,
}
const tryFolder = {
  name: 'upkeep_try_folder',
  text: `INSERT INTO folders (id, account_id, created_at, kid, label)
    SELECT id, id, 0, kid, '' FROM accounts WHERE id = $1`,
}
const trySecret = {
  name: 'upkeep_try_secret',
  text: `INSERT INTO secrets (id, account_id, folder_id, created_at, notify, has_password, kid, head, wrap, note)
    SELECT id, account_id, id, 0, false, false, kid, $2::bytea, '', $3::bytea FROM folders WHERE id = $1`,
}
const undo = ['secrets', 'folders', 'accounts'].map((table) => ({
  name: `upkeep_undo_${table}`,
  text: `DELETE FROM ${table} WHERE id = $1`,
}))

const lastSweep = { name: 'upkeep_last_sweep', text: 'SELECT swept_at FROM sotto WHERE one = 1' }
const recordSweep = { name: 'upkeep_record_sweep', text: 'UPDATE sotto SET swept_at = $1 WHERE one = 1' }
const oldestExpiry = {
  name: 'upkeep_oldest_expiry',
  text: 'SELECT min(expires_at) FROM secrets WHERE expires_at IS NOT NULL',
}

const rows = {
  name: 'upkeep_rows',
  text: `SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM folders),
    (SELECT count(*) FROM secrets WHERE expires_at IS NULL),
    (SELECT count(*) FROM secrets WHERE expires_at IS NOT NULL), (SELECT count(*) FROM requests),
    (SELECT count(*) FROM files), (SELECT coalesce(sum(bytes), 0)::bigint FROM file_sums)`,
}

/**
 * There may be very many secrets, so an index finds the latest of each account: the latest link, which is not older than its secret, and
 * the latest draft.
 */
const lastWrite = {
  name: 'upkeep_last_write',
  text: `SELECT max(at) FROM (
    SELECT swept_at AS at FROM sotto
    UNION ALL SELECT (SELECT max(link_created_at) FROM secrets WHERE account_id = a.id) FROM accounts a
    UNION ALL SELECT (SELECT max(created_at) FROM secrets WHERE account_id = a.id AND expires_at IS NULL) FROM accounts a
    ${latestWrites}) AS times`,
}

const moved: StorageError = { code: 'storage_failed', detail: 'the database was replaced by another one' }

export function createUpkeep(db: Database, instanceId: Uint8Array): Upkeep {
  const timeOf = (statement: typeof lastSweep) =>
    db.read(async (sql) => (await sql.row<[number | null]>(statement))?.[0] ?? undefined)

  const canWrite: Upkeep['canWrite'] = () =>
    db.transaction(
      async (sql): Promise<Result<void, StorageError>> => {
        if ((await sql.changes(touch, [instanceId])) === 0) return err(moved)
        await sql.changes(tryQuota)
        await sql.changes(undoQuota)
        const id = randomUUID()
        await sql.changes(tryAccount, [id])
        await sql.changes(tryFolder, [id])
        await sql.changes(trySecret, [id, randomBytes(300), randomBytes(4_096)])
        for (const statement of undo) await sql.changes(statement, [id])
        return ok()
      },
      { isolation: 'READ COMMITTED' },
    )

  return {
    canWrite,

    lastSweep: () => timeOf(lastSweep),

    recordSweep: (atMicros) =>
      db.statement(async (sql) => {
        await sql.changes(recordSweep, [atMicros])
        return ok()
      }),

    lastWrite: () => timeOf(lastWrite),

    oldestExpiry: () => timeOf(oldestExpiry),

    countRows: () =>
      db.read(async (sql) => {
        const [accounts = 0, folders = 0, drafts = 0, secrets = 0, requests = 0, files = 0, fileBytes = 0] =
          (await sql.row<number[]>(rows)) ?? []
        return { accounts, folders, drafts, secrets, requests, files, fileBytes }
      }),

    examine: () => examineDatabase(db, canWrite),
  }
}

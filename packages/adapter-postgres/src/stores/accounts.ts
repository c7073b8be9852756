import {
  parseLanguage,
  type AccountExists,
  type AccountNotFound,
  type AccountStore,
  type KeyRetired,
  type StoredAccount,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Database, WriteOptions } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { createBeginErasure, createEraseBegun } from './account-erasure.ts'
import { ciphertextOf, cursorOf } from './codec.ts'

const columns = 'id, created_at, disabled_at, language, mails_enabled, mails_name_labels, kid, name'

type Row = [
  id: Uuid,
  createdAt: number,
  disabledAt: number | null,
  language: string | null,
  mailsEnabled: boolean,
  mailsNameLabels: boolean,
  kid: number,
  name: Uint8Array,
]

const find = {
  name: 'accounts_find',
  text: `SELECT ${columns} FROM accounts WHERE id = $1 AND name_index IS NOT NULL`,
}
const findByName = {
  name: 'accounts_find_by_name',
  text: `SELECT ${columns} FROM accounts WHERE name_index = ANY ($1::bytea[])`,
}
const page = {
  name: 'accounts_page',
  text: `SELECT ${columns} FROM accounts WHERE (created_at, id) > ($1, $2) AND name_index IS NOT NULL
    ORDER BY created_at, id LIMIT $3`,
}
const disable = {
  name: 'accounts_disable',
  text: `UPDATE accounts SET disabled_at = coalesce(disabled_at, $2) WHERE id = $1 AND name_index IS NOT NULL`,
}
const setLanguage = {
  name: 'accounts_set_language',
  text: 'UPDATE accounts SET language = $2 WHERE id = $1 AND name_index IS NOT NULL',
}
const setMails = {
  name: 'accounts_set_mails',
  text: `UPDATE accounts SET mails_enabled = $2, mails_name_labels = $3 WHERE id = $1 AND name_index IS NOT NULL`,
}

export function createAccounts(db: Database): AccountStore {
  const change = (statement: typeof disable, values: Parameters<Sql['changes']>[1]) =>
    db.statement(async (sql) => ok((await sql.changes(statement, values)) > 0))
  return {
    insert: createInsert(db),

    find: (id) =>
      db.read(async (sql) => {
        const row = await sql.row<Row>(find, [id])
        return row && accountOf(row)
      }),

    findByName: (nameIndexes) =>
      db.read(async (sql) => {
        const row = await sql.row<Row>(findByName, [nameIndexes])
        return row && accountOf(row)
      }),

    page: (after, limit) =>
      db.read(async (sql) => (await sql.rows<Row>(page, [...cursorOf(after), limit])).map(accountOf)),

    disable: (id, atMicros) => change(disable, [id, atMicros]),

    rename: createRename(db),

    setLanguage: (id, language) => change(setLanguage, [id, language]),

    setMails: (id, { enabled, nameLabels }) => change(setMails, [id, enabled, nameLabels]),

    beginErasure: createBeginErasure(db),

    eraseBegun: createEraseBegun(db),
  }
}

/** What a row of `accounts` under a retired key, or under a name that is taken, breaks. */
const violation: NonNullable<WriteOptions<AccountExists | KeyRetired>['violation']> = (constraint) => {
  if (constraint === 'accounts_kid_fkey') return { code: 'key_retired' }
  return constraint === 'accounts_name_index_key' ? { code: 'account_exists' } : undefined
}

const insert = {
  name: 'accounts_insert',
  text: `INSERT INTO accounts (id, created_at, disabled_at, language, mails_enabled, mails_name_labels, kid, name, name_index)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}

function createInsert(db: Database): AccountStore['insert'] {
  return ({ id, createdAtMicros, disabledAtMicros, language, mails, name }, nameIndexes) =>
    db.transaction(
      async (sql): Promise<Result<void, AccountExists | KeyRetired>> => {
        if ((await sql.row(findByName, [nameIndexes])) !== undefined) return err({ code: 'account_exists' })
        const { enabled, nameLabels } = mails
        const fixed = [id, createdAtMicros, disabledAtMicros, language, enabled, nameLabels]
        await sql.changes(insert, [...fixed, name.kid, name.ciphertext, nameIndexes[0]])
        return ok()
      },
      { violation },
    )
}

const rename = {
  name: 'accounts_rename',
  text: 'UPDATE accounts SET kid = $2, name = $3, name_index = $4 WHERE id = $1',
}
const eraseWelcome = { name: 'accounts_rename_welcome', text: 'DELETE FROM welcomes WHERE account_id = $1' }
const findOther = {
  name: 'accounts_find_other',
  text: 'SELECT 1 FROM accounts WHERE name_index = ANY ($2::bytea[]) AND id <> $1',
}

function createRename(db: Database): AccountStore['rename'] {
  return (id, { kid, ciphertext }, nameIndexes) =>
    db.transaction(
      async (sql): Promise<Result<void, AccountNotFound | AccountExists | KeyRetired>> => {
        if (!(await isAccount(sql, id))) return err({ code: 'account_not_found' })
        if ((await sql.row(findOther, [id, nameIndexes])) !== undefined)
          return err({ code: 'account_exists' })
        await sql.changes(rename, [id, kid, ciphertext, nameIndexes[0]])
        await sql.changes(eraseWelcome, [id])
        return ok()
      },
      { violation },
    )
}

const exists = {
  name: 'accounts_exists',
  text: 'SELECT 1 FROM accounts WHERE id = $1 AND name_index IS NOT NULL',
}

const isInUse = { name: 'accounts_is_enabled', text: `${exists.text} AND disabled_at IS NULL` }

/** Whether there is an account with this id. One whose erasure has begun has no index of its name any more. */
export async function isAccount(sql: Sql, id: Uuid): Promise<boolean> {
  return (await sql.row(exists, [id])) !== undefined
}

/** The same, unless it is disabled. */
export async function isEnabledAccount(sql: Sql, id: Uuid): Promise<boolean> {
  return (await sql.row(isInUse, [id])) !== undefined
}

function accountOf(row: Row): StoredAccount {
  const [id, createdAtMicros, disabledAt, language, enabled, nameLabels, kid, name] = row
  return {
    id,
    name: { kid, ciphertext: ciphertextOf(name) },
    createdAtMicros,
    disabledAtMicros: disabledAt ?? undefined,
    language: language === null ? undefined : parseLanguage(language),
    mails: { enabled, nameLabels },
  }
}

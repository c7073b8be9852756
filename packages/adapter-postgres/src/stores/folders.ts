import type { AccountNotFound, FolderStore, KeyRetired, StoredFolderWithCounts, Uuid } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Database, WriteOptions } from '../connection/database.ts'
import { createFoldedReads, type FoldedReads } from '../connection/folded-reads.ts'
import { unnest } from '../connection/sql.ts'
import { isAccount } from './accounts.ts'
import { ciphertextOf, cursorOf } from './codec.ts'
import { createEraseFolder } from './folder-erasure.ts'

/** The first parameter is the time at which secrets are counted. */
const columns = `f.id, f.created_at, f.kid, f.label,
  (SELECT count(*) FROM secrets WHERE folder_id = f.id AND expires_at IS NULL),
  (SELECT count(*) FROM secrets WHERE folder_id = f.id AND expires_at > $1)`

type Row = [
  id: Uuid,
  createdAt: number,
  kid: number,
  label: Uint8Array,
  draftsCount: number,
  secretsCount: number,
]

const find = {
  name: 'folders_find',
  text: `SELECT ${columns} FROM folders f WHERE f.id = $2 AND f.account_id = $3`,
}
/** LIMIT keeps the planner from joining the whole table. */
const owns = {
  name: 'folders_owns',
  text: `SELECT asked.nr FROM ${unnest(['uuid', 'uuid'])} WITH ORDINALITY AS asked (id, account_id, nr) CROSS JOIN LATERAL
    (SELECT FROM folders f WHERE f.id = asked.id AND f.account_id = asked.account_id LIMIT 1) found`,
}
const page = {
  name: 'folders_page',
  text: `SELECT ${columns} FROM folders f WHERE f.account_id = $2 AND (f.created_at, f.id) > ($3, $4)
    ORDER BY f.created_at, f.id LIMIT $5`,
}
const relabel = {
  name: 'folders_relabel',
  text: 'UPDATE folders SET kid = $3, label = $4 WHERE id = $1 AND account_id = $2',
}

export function createFolders(db: Database, reads = createFoldedReads(db)): FolderStore {
  return {
    insert: createInsert(db),

    find: (accountId, id, nowMicros) =>
      db.read(async (sql) => {
        const row = await sql.row<Row>(find, [nowMicros, id, accountId])
        return row && folderOf(accountId, row)
      }),

    owns: createOwns(reads),

    page: (accountId, nowMicros, after, limit) =>
      db.read(async (sql) => {
        const rows = await sql.rows<Row>(page, [nowMicros, accountId, ...cursorOf(after), limit])
        return rows.map((row) => folderOf(accountId, row))
      }),

    relabel: (accountId, id, { kid, ciphertext }) =>
      db.statement<boolean, KeyRetired>(
        async (sql) => ok((await sql.changes(relabel, [id, accountId, kid, ciphertext])) > 0),
        { violation },
      ),

    erase: createEraseFolder(db),
  }
}

function createOwns(reads: FoldedReads): FolderStore['owns'] {
  const read = reads.fold({
    statement: owns,
    keyOf: ({ accountId, folderId }: Readonly<Record<'accountId' | 'folderId', Uuid>>) =>
      `${accountId} ${folderId}`,
    valuesOf: (questions) => [
      questions.map(([{ folderId }]) => folderId),
      questions.map(([{ accountId }]) => accountId),
    ],
    answerOf: (row: [] | undefined) => row !== undefined,
  })
  return (accountId, folderId) => read({ accountId, folderId })
}

/** What a row of `folders` under a retired key breaks. */
const violation: NonNullable<WriteOptions<KeyRetired>['violation']> = (constraint) =>
  constraint === 'folders_kid_fkey' ? { code: 'key_retired' } : undefined

const insert = {
  name: 'folders_insert',
  text: 'INSERT INTO folders (id, account_id, created_at, kid, label) VALUES ($1, $2, $3, $4, $5)',
}

function createInsert(db: Database): FolderStore['insert'] {
  return ({ id, accountId, createdAtMicros, label }) =>
    db.transaction(
      async (sql): Promise<Result<void, AccountNotFound | KeyRetired>> => {
        if (!(await isAccount(sql, accountId))) return err({ code: 'account_not_found' })
        await sql.changes(insert, [id, accountId, createdAtMicros, label.kid, label.ciphertext])
        return ok()
      },
      { violation },
    )
}

function folderOf(
  accountId: Uuid,
  [id, createdAtMicros, kid, label, draftsCount, secretsCount]: Row,
): StoredFolderWithCounts {
  return {
    id,
    accountId,
    label: { kid, ciphertext: ciphertextOf(label) },
    createdAtMicros,
    draftsCount,
    secretsCount,
  }
}

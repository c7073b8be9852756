import {
  nilUuid,
  textColumns,
  type KeyRetired,
  type RewrapStore,
  type StoredText,
  type StoredWrap,
  type TextColumn,
  type Uuid,
} from '@sotto/core'
import { ok } from 'neverthrow'
import type { Database, WriteOptions } from '../connection/database.ts'
import type { Statement } from '../connection/sql.ts'
import { keyedColumns } from '../keyed-columns.ts'
import { ciphertextOf } from './codec.ts'
import { secretColumns, secretOf, type SecretRow } from './secret-rows.ts'

export function createRewraps(db: Database): RewrapStore {
  return {
    texts: (column, kid, after, limit) =>
      db.read(async (sql) => {
        const rows = await sql.rows<TextRow>(textPages[column], [kid, after ?? nilUuid, limit])
        return rows.map((row) => textOf(column, row))
      }),

    replaceText: createReplaceText(db),

    secrets: (kid, after, limit) =>
      db.read(async (sql) =>
        (await sql.rows<WrapRow>(secretPage, [kid, after ?? nilUuid, limit])).map(wrapOf),
      ),

    replaceSecret: createReplaceSecret(db),
  }
}

/**
 * The rows of a table (as `s`) under any key but $1, by id. No index serves "another key". But there are few keys, so the next rows of each
 * are read, and the first of all of them are the page.
 */
function pageOf(table: string, columns: string): string {
  return `SELECT page.* FROM keys k CROSS JOIN LATERAL
      (SELECT ${columns} FROM ${table} s WHERE s.kid = k.kid AND s.id > $2 ORDER BY s.id LIMIT $3) page
    WHERE k.kid <> $1 ORDER BY page.id LIMIT $3`
}

function forEachColumn(make: (column: TextColumn) => Statement): Readonly<Record<TextColumn, Statement>> {
  return Object.fromEntries(textColumns.map((column) => [column, make(column)])) as Record<
    TextColumn,
    Statement
  >
}

type TextRow = [id: Uuid, kid: number, ciphertext: Uint8Array, accountId: Uuid]

const textPages = forEachColumn((textColumn) => {
  const { table, column, accountId } = keyedColumns[textColumn]
  return {
    name: `rewraps_texts_${table}`,
    text: pageOf(table, `s.id, s.kid, s.${column}, s.${accountId} AS owner`),
  }
})

function textOf(column: TextColumn, [rowId, kid, ciphertext, accountId]: TextRow): StoredText {
  return { place: { column, accountId, rowId }, encrypted: { kid, ciphertext: ciphertextOf(ciphertext) } }
}

type WrapRow = readonly [...SecretRow, wrap: Uint8Array | null, accountId: Uuid]

const secretPage = {
  name: 'rewraps_secrets',
  text: pageOf('secrets', `${secretColumns}, s.wrap, s.account_id`),
}

function wrapOf(row: WrapRow): StoredWrap {
  const [wrap, accountId] = row.slice(-2) as [Uint8Array | null, Uuid]
  return { secret: secretOf(accountId, row), wrap: wrap === null ? undefined : ciphertextOf(wrap) }
}

/** Only the row of an account that is not being erased has an index, and gets another one. */
const putIndex = ', name_index = CASE WHEN name_index IS NULL THEN NULL ELSE coalesce($6, name_index) END'

const replaceText = forEachColumn((textColumn) => {
  const { table, column } = keyedColumns[textColumn]
  return {
    name: `rewraps_replace_${table}`,
    text: `UPDATE ${table} SET kid = $4, ${column} = $5${textColumn === 'account.name' ? putIndex : ''}
      WHERE id = $1 AND kid = $2 AND ${column} = $3`,
  }
})

function createReplaceText(db: Database): RewrapStore['replaceText'] {
  return ({ place: { column, rowId }, encrypted: from }, to, nameIndex) => {
    const values = [rowId, from.kid, from.ciphertext, to.kid, to.ciphertext]
    return db.statement(
      async (sql) =>
        ok(
          (await sql.changes(
            replaceText[column],
            column === 'account.name' ? [...values, nameIndex] : values,
          )) > 0,
        ),
      { violation },
    )
  }
}

const replaceSecret = {
  name: 'rewraps_replace_secret',
  text: `UPDATE secrets SET kid = $4, head = $5, wrap = $6, version = version + 1
    WHERE id = $1 AND head = $2 AND wrap IS NOT DISTINCT FROM $3`,
}

function createReplaceSecret(db: Database): RewrapStore['replaceSecret'] {
  return ({ secret, wrap }, to) =>
    db.statement(
      async (sql) => {
        const values = [secret.id, secret.head, wrap, to.kid, to.head, to.wrap]
        return ok((await sql.changes(replaceSecret, values)) > 0)
      },
      { violation },
    )
}

/** What a row under a retired key breaks. */
const violation: NonNullable<WriteOptions<KeyRetired>['violation']> = (constraint) =>
  constraint.endsWith('_kid_fkey') ? { code: 'key_retired' } : undefined

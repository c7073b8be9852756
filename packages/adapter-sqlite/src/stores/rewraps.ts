import {
  textColumns,
  type Encrypted,
  type KeyRetired,
  type RewrapStore,
  type StoredText,
  type StoredWrap,
  type TextColumn,
} from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { keyedColumns } from '../keyed-columns.ts'
import { uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import {
  ciphertextOf,
  isSameOrNone,
  secretColumns,
  secretOf,
  wrapOrNull,
  type SecretRow,
} from './secret-rows.ts'
import { createPutText, textIn } from './texts.ts'

export function createRewraps(connections: Connections, keyCheck: KeyCheck): RewrapStore {
  const { read } = connections
  const textPages = forEachColumn((column) => createTextPage(connections, column))
  const secretPage = createSecretPage(connections)

  return {
    texts: (column, kid, after, limit) => read(() => textPages[column](kid, after, limit)),
    replaceText: createReplaceText(connections, keyCheck),
    secrets: (kid, after, limit) => read(() => secretPage(kid, after, limit)),
    replaceSecret: createReplaceSecret(connections, keyCheck),
  }
}

function forEachColumn<T>(make: (column: TextColumn) => T): Readonly<Record<TextColumn, T>> {
  return Object.fromEntries(textColumns.map((column) => [column, make(column)])) as Record<TextColumn, T>
}

type Page<T> = (kid: number, after: string | undefined, limit: number) => readonly T[]

type TextRow = [id: string, accountId: string, kid: number, ciphertext: Buffer | null]

function createTextPage(connections: Connections, textColumn: TextColumn): Page<StoredText> {
  const { table, column, accountId } = keyedColumns[textColumn]
  const underKey = connections.reader
    .prepare<[number, Buffer, number], TextRow>(
      `SELECT hex(id), hex(${accountId}), kid, ${textIn(column)} FROM ${table}
       WHERE kid = ? AND id > ? ORDER BY id LIMIT ?`,
    )
    .raw()
  const textOf = ([id, account, kid, ciphertext]: TextRow): StoredText => ({
    place: { column: textColumn, accountId: uuidOf(account), rowId: uuidOf(id) },
    encrypted: { kid, ciphertext: ciphertextOf(ciphertext) },
  })
  const page = createPage(connections, underKey)
  return (...range) => page(...range).map(textOf)
}

type WrapRow = [...SecretRow, wrap: Buffer | null, accountId: string]

function createSecretPage(connections: Connections): Page<StoredWrap> {
  const underKey = connections.reader
    .prepare<[number, Buffer, number], WrapRow>(
      `SELECT ${secretColumns}, ${wrapOrNull}, hex(s.account_id) FROM secrets s
       WHERE s.kid = ? AND s.id > ? ORDER BY s.id LIMIT ?`,
    )
    .raw()
  const wrapOf = (row: WrapRow): StoredWrap => {
    const [wrap, accountId] = row.slice(-2) as [Buffer | null, string]
    return {
      secret: secretOf(uuidOf(accountId), row),
      wrap: wrap === null ? undefined : ciphertextOf(wrap),
    }
  }
  const page = createPage(connections, underKey)
  return (...range) => page(...range).map(wrapOf)
}

/**
 * The rows under any key but one, by id. No index serves "another key". But there are few keys, so the next rows of each are read, and the
 * first of all of them are the page. The first column of the rows is their id.
 */
function createPage<Row extends [id: string, ...unknown[]]>(
  { reader }: Connections,
  underKey: Sqlite.Statement<[number, Buffer, number], Row>,
): Page<Row> {
  const otherKeys = reader.prepare<[number], number>('SELECT kid FROM keys WHERE kid <> ?').pluck()
  return (kid, after, limit) => {
    const start = after === undefined ? Buffer.alloc(0) : uuidBytes(after)
    const rows = otherKeys.all(kid).flatMap((other) => underKey.all(other, start, limit))
    return rows.sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, limit)
  }
}

function createReplaceText(connections: Connections, keyCheck: KeyCheck): RewrapStore['replaceText'] {
  const { writer, write } = connections
  const rows = forEachColumn((column) => createTextRows(connections, column))
  const setIndex = writer.prepare(
    'UPDATE accounts SET name_index = ? WHERE id = ? AND name_index IS NOT NULL',
  )

  return ({ place, encrypted: from }, to, nameIndex) =>
    write<boolean, KeyRetired>(() => {
      const id = uuidBytes(place.rowId)
      const { find, put } = rows[place.column]
      const row = find(id)
      if (row?.kid !== from.kid || !row.text.equals(from.ciphertext)) return ok(false)
      return keyCheck(to.kid, () => {
        put(id, row, to)
        if (nameIndex !== undefined) setIndex.run(nameIndex, id)
        connections.erased()
      }).map(() => true)
    })
}

interface TextAt {
  readonly nr: number
  readonly kid: number
  /** Empty when it is missing: that equals no ciphertext. */
  readonly text: Buffer
}

/** Makes the functions that find and replace the text of a row, inside a job. */
function createTextRows(
  { writer }: Connections,
  textColumn: TextColumn,
): {
  find(id: Buffer): TextAt | undefined
  put(id: Buffer, from: TextAt, to: Encrypted): void
} {
  const { table, column } = keyedColumns[textColumn]
  const find = writer.prepare<[Buffer], TextAt>(
    `SELECT ${column} AS nr, kid, coalesce(${textIn(column)}, x'') AS text FROM ${table} WHERE id = ?`,
  )
  const overwrite = writer.prepare('UPDATE texts SET text = ? WHERE nr = ?')
  const putText = createPutText({ writer }, { table, column })
  const setText = writer.prepare(`UPDATE ${table} SET kid = ?, ${column} = ? WHERE id = ?`)
  return {
    find: (id) => find.get(id),
    put(id, { nr, text }, { kid, ciphertext }) {
      const isAsLong = text.length === ciphertext.length
      if (isAsLong) overwrite.run(ciphertext, nr)
      setText.run(kid, isAsLong ? nr : putText(id, ciphertext), id)
    },
  }
}

function createReplaceSecret(connections: Connections, keyCheck: KeyCheck): RewrapStore['replaceSecret'] {
  const { writer, write } = connections
  const find = writer
    .prepare<[Buffer], [nr: number, head: Buffer, wrap: Buffer | null]>(
      `SELECT s.nr, (SELECT head FROM ciphertexts WHERE nr = s.nr), ${wrapOrNull} FROM secrets s WHERE s.id = ?`,
    )
    .raw()
  const setKid = writer.prepare('UPDATE secrets SET kid = ? WHERE nr = ?')
  const replace = writer.prepare('UPDATE ciphertexts SET head = ?, wrap = coalesce(?, wrap) WHERE nr = ?')

  return (from, to) =>
    write<boolean, KeyRetired>(() => {
      const row = find.get(uuidBytes(from.secret.id))
      if (row === undefined) return ok(false)
      const [nr, head, wrap] = row
      if (!head.equals(from.secret.head) || !isSameOrNone(wrap, from.wrap)) return ok(false)
      return keyCheck(to.kid, () => {
        setKid.run(to.kid, nr)
        replace.run(to.head, to.wrap, nr)
        connections.erased()
      }).map(() => true)
    })
}

import type { KeyRetired, RewrapStore, StoredText, StoredWrap, TextPlace } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import { uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { ciphertextOf, secretColumns, secretOf, type SecretRow } from './secret-rows.ts'
import type { Storage } from './storage.ts'

/** Where each text is kept. */
const texts = {
  'account.email': { table: 'accounts', column: 'email', accountId: 'id' },
  'folder.label': { table: 'folders', column: 'label', accountId: 'account_id' },
  'access_token.name': { table: 'access_tokens', column: 'name', accountId: 'account_id' },
} as const satisfies Record<TextPlace['column'], unknown>

type TextRow = [id: string, accountId: string, kid: number, ciphertext: Buffer]

export function createRewraps(storage: Storage, keyCheck: KeyCheck): RewrapStore {
  const { read } = storage
  const textSlices = mapTexts((column) => createTextSlice(storage, column))
  const secretSlice = createSecretSlice(storage)

  return {
    texts: (column, kid, after, limit) => read(() => textSlices[column](kid, after, limit)),
    replaceText: createReplaceText(storage, keyCheck),
    secrets: (kid, after, limit) => read(() => secretSlice(kid, after, limit)),
    replaceSecret: createReplaceSecret(storage, keyCheck),
  }
}

function mapTexts<T>(make: (column: TextPlace['column']) => T): Readonly<Record<TextPlace['column'], T>> {
  return {
    'account.email': make('account.email'),
    'folder.label': make('folder.label'),
    'access_token.name': make('access_token.name'),
  }
}

type Slice<T> = (kid: number, after: string | undefined, limit: number) => readonly T[]

function createTextSlice(storage: Storage, name: TextPlace['column']): Slice<StoredText> {
  const { table, column, accountId } = texts[name]
  const underKey = storage.reader
    .prepare<[number, Buffer, number], TextRow>(
      `SELECT hex(id), hex(${accountId}), kid, ${column} FROM ${table} WHERE kid = ? AND id > ? ORDER BY id LIMIT ?`,
    )
    .raw()
  const textOf = ([id, account, kid, ciphertext]: TextRow): StoredText => ({
    place: { column: name, accountId: uuidOf(account), rowId: uuidOf(id) },
    encrypted: { kid, ciphertext: ciphertextOf(ciphertext) },
  })
  const slice = createSlice(storage, underKey)
  return (...range) => slice(...range).map(textOf)
}

/** The wrap of the secret `s`; NULL when its note is destroyed. */
const wrapOrNull = 'iif(s.has_note, (SELECT wrap FROM ciphertexts WHERE nr = s.nr), NULL)'

type WrapRow = [...SecretRow, wrap: Buffer | null, accountId: string]

function createSecretSlice(storage: Storage): Slice<StoredWrap> {
  const underKey = storage.reader
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
  const slice = createSlice(storage, underKey)
  return (...range) => slice(...range).map(wrapOf)
}

/**
 * The rows under any key but one, by id. There are few keys, so each is asked for its next rows, and the first of them all are taken:
 * no index serves «another key» otherwise. The rows' first column is their id.
 */
function createSlice<Row extends [id: string, ...unknown[]]>(
  { reader }: Storage,
  underKey: Sqlite.Statement<[number, Buffer, number], Row>,
): Slice<Row> {
  const otherKeys = reader.prepare<[number], number>('SELECT kid FROM keys WHERE kid <> ?').pluck()
  return (kid, after, limit) => {
    const behind = after === undefined ? Buffer.alloc(0) : uuidBytes(after)
    const rows = otherKeys.all(kid).flatMap((other) => underKey.all(other, behind, limit))
    return rows.sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, limit)
  }
}

function createReplaceText(
  { writer, write, ...storage }: Storage,
  keyCheck: KeyCheck,
): RewrapStore['replaceText'] {
  const replace = mapTexts((name) => {
    const { table, column } = texts[name]
    return writer.prepare(
      `UPDATE ${table} SET kid = ?, ${column} = ? WHERE id = ? AND kid = ? AND ${column} = ?`,
    )
  })
  const setIndex = writer.prepare('UPDATE accounts SET email_index = ? WHERE id = ?')

  return ({ place, encrypted: from }, to, emailIndex) =>
    write(() => {
      let isReplaced = false
      return keyCheck(to.kid, () => {
        const id = uuidBytes(place.rowId)
        const { changes } = replace[place.column].run(to.kid, to.ciphertext, id, from.kid, from.ciphertext)
        isReplaced = changes > 0
        if (isReplaced && emailIndex !== undefined) setIndex.run(emailIndex, id)
        if (isReplaced) storage.erased()
      }).map(() => isReplaced)
    })
}

function createReplaceSecret(storage: Storage, keyCheck: KeyCheck): RewrapStore['replaceSecret'] {
  const { writer, write } = storage
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
      if (!head.equals(from.secret.head) || !isSame(wrap, from.wrap)) return ok(false)
      return keyCheck(to.kid, () => {
        setKid.run(to.kid, nr)
        replace.run(to.head, to.wrap, nr)
        storage.erased()
      }).map(() => true)
    })
}

function isSame(kept: Buffer | null, expected: Uint8Array | undefined): boolean {
  return kept === null || expected === undefined ? (kept ?? undefined) === expected : kept.equals(expected)
}

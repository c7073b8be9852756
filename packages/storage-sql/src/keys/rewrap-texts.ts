import {
  nilUuid,
  type Encrypted,
  type KeyRetired,
  type RewrapStore,
  type StoredText,
  type TextColumn,
  type Uuid,
} from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import { encryptedOf, replaceText } from '../engine/codec.ts'
import { changes, row, rows, type Dialect, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import type { TextPlace } from '../engine/table.ts'

/** Where each encrypted text of the core is. */
export type TextPlaces = Readonly<Record<TextColumn, TextPlace>>

type TextRow = readonly [id: unknown, owner: unknown, kid: number, text: Uint8Array | null]

/** The short encrypted texts of all tables, for a rotation of keys. */
export function createRewrapTexts(
  engine: Engine,
  textPlaces: TextPlaces,
): Pick<RewrapStore, 'texts' | 'replaceText'> {
  const { dialect, read, write } = engine
  return {
    texts: (column, kid, after, limit) =>
      read(function* () {
        const { table, name, owner } = textPlaces[column]
        const select = `SELECT id, ${owner}, kid, ${dialect.texts.read(name)} FROM ${table}`
        const found = yield* underOtherKeys<TextRow>(dialect, select, { kid, after, limit })
        return found.map((each) => textOf(dialect, column, each))
      }),

    replaceText: ({ place, encrypted: from }, to, nameIndex) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        const { table, name, index } = textPlaces[place.column]
        const id = dialect.id.in(place.rowId)
        if (!(yield* isStill(dialect, textPlaces[place.column], id, from))) return ok(false)
        const replaced = yield* replaceText(engine, { table, name }, id, to)
        if (replaced.isOk() && index !== undefined && nameIndex !== undefined)
          yield* changes(
            `UPDATE ${table} SET ${index} = $2 WHERE id = $1 AND ${index} IS NOT NULL`,
            ...[id, nameIndex],
          )
        return replaced
      }),
  }
}

/**
 * The rows under any key but one, by id; the first column is the id. No index serves "another key". But there are few keys, so the next rows of
 * each are read, and the first of all of them are the page.
 * @param select a query without a condition
 */
export function* underOtherKeys<Row extends readonly [id: unknown, ...unknown[]]>(
  { id }: Dialect,
  select: string,
  { kid, after, limit }: { readonly kid: number; readonly after: Uuid | undefined; readonly limit: number },
): Work<readonly Row[]> {
  const found: Row[] = []
  for (const [other] of yield* rows<[number]>('SELECT kid FROM keys WHERE kid <> $1', kid)) {
    const start = id.in(after ?? nilUuid)
    found.push(
      ...(yield* rows<Row>(`${select} WHERE kid = $1 AND id > $2 ORDER BY id LIMIT $3`, other, start, limit)),
    )
  }
  return found.sort(([one], [another]) => (id.out(one) < id.out(another) ? -1 : 1)).slice(0, limit)
}

function textOf({ id }: Dialect, column: TextColumn, [rowId, owner, kid, text]: TextRow): StoredText {
  return {
    place: { column, accountId: id.out(owner), rowId: id.out(rowId) },
    encrypted: encryptedOf(kid, text),
  }
}

/** Whether a row still holds the text that was read; locks it then. A missing text was read as no bytes. */
export function* isStill(
  dialect: Dialect,
  { table, name }: TextPlace,
  id: SqlValue,
  { kid, ciphertext }: Encrypted,
): Work<boolean> {
  const [isThere, text] =
    (yield* row<[number, Uint8Array | null]>(
      `SELECT 1, ${dialect.texts.read(name)} FROM ${table} WHERE id = $1 AND kid = $2${dialect.forUpdate}`,
      ...[id, kid],
    )) ?? []
  return isThere !== undefined && isSame(text ?? new Uint8Array(), ciphertext)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

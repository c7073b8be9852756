import {
  textColumns,
  type CorruptionStore,
  type Encrypted,
  type RewrapStore,
  type StoredText,
  type StoredWrappedKey,
  type TextColumn,
  type Uuid,
} from '@sotto/core'
import { err, ok } from 'neverthrow'
import {
  equalBytes,
  keyRetired,
  type MemoryConnection,
  type MemoryData,
  type SecretRow,
} from '../stores/memory-data.ts'

export function createMemoryRewraps({ data, answer, mayWrite }: MemoryConnection): RewrapStore {
  return {
    texts: (column, kid, after, limit) =>
      answer(() => {
        const waiting = textsOf(data, column).filter(({ encrypted }) => encrypted.kid !== kid)
        const texts = waiting.map(({ place, encrypted }) => ({ place, encrypted }))
        return ok(pageById(texts, ({ place }) => place.rowId, after, limit))
      }),

    replaceText: ({ place: { column, rowId }, encrypted }, to, nameIndex) =>
      answer(() => {
        const text = textThatHolds(data, column, rowId, encrypted)
        if (text === undefined) return ok(false)
        if (!mayWrite(to)) return err(keyRetired)
        text.put(structuredClone(to), structuredClone(nameIndex))
        return ok(true)
      }),

    secrets: (kid, after, limit) =>
      answer(() => {
        const wrappedKeys = [...data.secrets.values()].map(({ secret, note }) => ({
          secret,
          wrappedKey: note?.wrappedKey,
        }))
        const waiting = wrappedKeys.filter(({ secret }) => secret.kid !== kid)
        return ok(pageById(waiting, ({ secret }) => secret.id, after, limit))
      }),

    replaceSecret: (from, to) =>
      answer(() => {
        const row = rowThatHolds(data, from)
        if (row === undefined) return ok(false)
        if (!mayWrite(to)) return err(keyRetired)
        const { kid, headCiphertext, wrappedKey } = structuredClone(to)
        const note = row.note && wrappedKey && { ...row.note, wrappedKey }
        data.secrets.set(row.secret.id, { ...row, secret: { ...row.secret, kid, headCiphertext }, note })
        return ok(true)
      }),
  }
}

export function createMemoryCorruption({ data, answer }: MemoryConnection): CorruptionStore {
  return {
    eraseSecret: (from, note) =>
      answer(() => {
        const row = rowThatHolds(data, from)
        if (row === undefined || (note !== undefined && !isSame(row.note?.note, note))) return ok(false)
        return ok(data.secrets.delete(from.secret.id))
      }),

    eraseText: (column, rowId, encrypted) =>
      answer(() => {
        const text = textThatHolds(data, column, rowId, encrypted)
        text?.drop()
        return ok(text !== undefined)
      }),
  }
}

/** How many rows are under the key. */
export function rowsUnder(data: MemoryData, kid: number): number {
  const texts = textColumns.flatMap((column) => textsOf(data, column))
  const kids = [
    ...texts.map(({ encrypted }) => encrypted.kid),
    ...data.secrets.values().map(({ secret }) => secret.kid),
  ]
  return kids.filter((each) => each === kid).length
}

interface TextOfRow extends StoredText {
  put(to: Encrypted, nameIndex: Uint8Array | undefined): void
  /** Erases the row, or takes the display name off its account. */
  drop(): void
}

/** Where a text is: the rows, and the names that lead to it within one. */
const places: Readonly<Record<TextColumn, readonly [keyof MemoryData, ...names: string[]]>> = {
  'account.name': ['accounts', 'account', 'name'],
  'account.display_name': ['accounts', 'account', 'displayName', 'name'],
  'folder.label': ['folders', 'label'],
  'access_token.name': ['accessTokens', 'token', 'name'],
  'account.password': ['passwords', 'hash'],
  'webhook.endpoint': ['webhooks', 'endpoint'],
  'session.name': ['sessions', 'session', 'name'],
  'request.content': ['requests', 'request', 'content'],
  'identity.name': ['identities', 'identity', 'name'],
  'passkey.name': ['passkeys', 'passkey', 'name'],
  'file.about': ['files', 'about'],
}

type Fields = Readonly<Record<string, unknown>>

/** Every row of a column that has a text, those of accounts whose erasure has begun included. */
function textsOf(data: MemoryData, column: TextColumn): readonly TextOfRow[] {
  const [of, ...names] = places[column]
  const tables = [data[of], ...(of === 'accounts' ? [data.erasing] : [])] as readonly Map<Uuid, Fields>[]
  return tables.flatMap((rows) => textsOfTable(rows, column, names))
}

function textsOfTable(
  rows: Map<Uuid, Fields>,
  column: TextColumn,
  names: readonly string[],
): readonly TextOfRow[] {
  const owner = names.slice(0, -1)
  return [...rows].flatMap(([key, row]) => {
    const ids = at(row, owner) as { readonly id: Uuid; readonly accountId?: Uuid } | undefined
    const encrypted = at(row, names) as Encrypted | undefined
    if (ids === undefined || encrypted === undefined) return []
    const place = { column, accountId: ids.accountId ?? key, rowId: ids.id }
    const put: TextOfRow['put'] = (to, nameIndex) =>
      rows.set(key, { ...withAt(row, names, to), ...(nameIndex && { nameIndex }) })
    const isPart = column === 'account.display_name'
    const drop = () => (isPart ? rows.set(key, withAt(row, owner, undefined)) : rows.delete(key))
    return [{ place, encrypted, put, drop }]
  })
}

function at(row: unknown, names: readonly string[]): unknown {
  return names.reduce((fields, name) => (fields as Fields | undefined)?.[name], row)
}

function withAt(row: unknown, [name = '', ...names]: readonly string[], value: unknown): Fields {
  const fields = row as Fields
  return { ...fields, [name]: names.length === 0 ? value : withAt(fields[name], names, value) }
}

/** The text of a row, if it is still what was read, byte for byte. */
function textThatHolds(
  data: MemoryData,
  column: TextColumn,
  rowId: Uuid,
  { kid, ciphertext }: Encrypted,
): TextOfRow | undefined {
  return textsOf(data, column).find(
    ({ place, encrypted }) =>
      place.rowId === rowId && encrypted.kid === kid && equalBytes(encrypted.ciphertext, ciphertext),
  )
}

/** The row of a secret, if it still holds the ciphertext of the head and the wrapped key that were read, byte for byte. */
function rowThatHolds(
  { secrets }: MemoryData,
  { secret, wrappedKey }: StoredWrappedKey,
): SecretRow | undefined {
  const row = secrets.get(secret.id)
  return row &&
    equalBytes(row.secret.headCiphertext, secret.headCiphertext) &&
    isSame(row.note?.wrappedKey, wrappedKey)
    ? row
    : undefined
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : equalBytes(one, other)
}

function pageById<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => Uuid,
  after: Uuid | undefined,
  limit: number,
): readonly Row[] {
  return rows
    .filter((row) => after === undefined || idOf(row) > after)
    .toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
    .slice(0, limit)
}

import {
  textColumns,
  type CorruptionStore,
  type Encrypted,
  type RewrapStore,
  type StoredAccount,
  type StoredText,
  type StoredWrap,
  type TextColumn,
  type Uuid,
} from '@sotto/core'
import { err, ok } from 'neverthrow'
import {
  equalBytes,
  keyRetired,
  type AccountRow,
  type MemoryConnection,
  type MemoryData,
  type SecretRow,
} from './memory-data.ts'

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
        if (!mayWrite(to)) return err(keyRetired)
        const text = textThatHolds(data, column, rowId, encrypted)
        text?.put(structuredClone(to))
        const account = data.accounts.get(rowId)
        if (text && account && nameIndex)
          data.accounts.set(rowId, { ...account, nameIndex: structuredClone(nameIndex) })
        return ok(text !== undefined)
      }),

    secrets: (kid, after, limit) =>
      answer(() => {
        const wraps = [...data.secrets.values()].map(({ secret, note }) => ({ secret, wrap: note?.wrap }))
        const waiting = wraps.filter(({ secret }) => secret.kid !== kid)
        return ok(pageById(waiting, ({ secret }) => secret.id, after, limit))
      }),

    replaceSecret: (from, to) =>
      answer(() => {
        if (!mayWrite(to)) return err(keyRetired)
        const row = rowThatHolds(data, from)
        if (row === undefined) return ok(false)
        const { kid, head, wrap } = structuredClone(to)
        const note = row.note && wrap && { ...row.note, wrap }
        data.secrets.set(row.secret.id, { ...row, secret: { ...row.secret, kid, head }, note })
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
  put(to: Encrypted): void
  /** Erases the row, or takes the display name off its account. */
  drop(): void
}

/** Every row of a column that has a text. */
function textsOf(data: MemoryData, column: TextColumn): readonly TextOfRow[] {
  const { accounts, folders, accessTokens, passwords, webhooks, sessions } = data
  const texts = <Row>(
    rows: Map<Uuid, Row>,
    read: (row: Row) => readonly [accountId: Uuid, rowId: Uuid, text: Encrypted | undefined],
    write: (row: Row, text: Encrypted) => Row,
    without?: (row: Row) => Row,
  ): readonly TextOfRow[] =>
    [...rows].flatMap(([key, row]) => {
      const [accountId, rowId, encrypted] = read(row)
      if (encrypted === undefined) return []
      const put = (to: Encrypted) => rows.set(key, write(row, to))
      const drop = () => (without === undefined ? rows.delete(key) : rows.set(key, without(row)))
      return [{ place: { column, accountId, rowId }, encrypted, put, drop }]
    })
  const ofAccount = (row: AccountRow, columns: Partial<StoredAccount>): AccountRow => ({
    ...row,
    account: { ...row.account, ...columns },
  })
  switch (column) {
    case 'account.name':
      return texts(
        accounts,
        ({ account: { id, name } }) => [id, id, name],
        (row, name) => ofAccount(row, { name }),
      )
    case 'account.display_name':
      return texts(
        accounts,
        ({ account: { id, displayName } }) => [id, displayName?.id ?? id, displayName?.name],
        (row, name) =>
          ofAccount(row, { displayName: row.account.displayName && { ...row.account.displayName, name } }),
        (row) => ofAccount(row, { displayName: undefined }),
      )
    case 'folder.label':
      return texts(
        folders,
        (row) => [row.accountId, row.id, row.label],
        (row, label) => ({ ...row, label }),
      )
    case 'access_token.name':
      return texts(
        accessTokens,
        ({ token }) => [token.accountId, token.id, token.name],
        (row, name) => ({ ...row, token: { ...row.token, name } }),
      )
    case 'account.password':
      return texts(
        passwords,
        (row) => [row.accountId, row.id, row.hash],
        (row, hash) => ({ ...row, hash }),
      )
    case 'webhook.endpoint':
      return texts(
        webhooks,
        (row) => [row.accountId, row.id, row.endpoint],
        (row, endpoint) => ({ ...row, endpoint }),
      )
    case 'session.name':
      return texts(
        sessions,
        ({ session }) => [session.accountId, session.id, session.name],
        (row, name) => ({ ...row, session: { ...row.session, name } }),
      )
  }
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

/** The row of a secret, if it still holds the head and the wrap that were read, byte for byte. */
function rowThatHolds({ secrets }: MemoryData, { secret, wrap }: StoredWrap): SecretRow | undefined {
  const row = secrets.get(secret.id)
  return row && equalBytes(row.secret.head, secret.head) && isSame(row.note?.wrap, wrap) ? row : undefined
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

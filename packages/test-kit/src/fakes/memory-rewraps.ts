import type {
  Ciphertext,
  Encrypted,
  RewrapStore,
  StoredText,
  StoredWrap,
  TextColumn,
  TextPlace,
  Uuid,
} from '@sotto/core'
import { err, ok } from 'neverthrow'
import { equalBytes, keyRetired, type MemoryConnection, type MemoryData } from './memory-data.ts'

export function createMemoryRewraps({ data, answer, mayWrite }: MemoryConnection): RewrapStore {
  return {
    texts: (column, kid, after, limit) =>
      answer(() => {
        const waiting = textsOf(data, column).filter(({ encrypted }) => encrypted.kid !== kid)
        return ok(pageById(waiting, ({ place }) => place.rowId, after, limit))
      }),

    replaceText: ({ place, encrypted }, to, nameIndex) =>
      answer(() => {
        if (!mayWrite(to)) return err(keyRetired)
        const row = textsOf(data, place.column).find((text) => text.place.rowId === place.rowId)
        if (row?.place.accountId !== place.accountId || !isSameText(row.encrypted, encrypted))
          return ok(false)
        putText(data, place, structuredClone(to), structuredClone(nameIndex))
        return ok(true)
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
        const row = data.secrets.get(from.secret.id)
        if (row === undefined || !holdsWrap({ secret: row.secret, wrap: row.note?.wrap }, from))
          return ok(false)
        const { kid, head, wrap } = structuredClone(to)
        const note = row.note && wrap && { ...row.note, wrap }
        data.secrets.set(row.secret.id, { ...row, secret: { ...row.secret, kid, head }, note })
        return ok(true)
      }),
  }
}

/** Every row of a column that has a text. */
export function textsOf(data: MemoryData, column: TextColumn): readonly StoredText[] {
  const text = (accountId: Uuid, rowId: Uuid, encrypted: Encrypted): StoredText => ({
    place: { column, accountId, rowId },
    encrypted,
  })
  switch (column) {
    case 'account.name':
      return [...data.accounts.values()].map(({ account: { id, name } }) => text(id, id, name))
    case 'folder.label':
      return [...data.folders.values()].map(({ id, accountId, label }) => text(accountId, id, label))
    case 'access_token.name':
      return [...data.accessTokens.values()].map(({ token: { id, accountId, name } }) =>
        text(accountId, id, name),
      )
    case 'account.password':
      return [...data.passwords.values()].map(({ id, accountId, hash }) => text(accountId, id, hash))
    case 'webhook.endpoint':
      return [...data.webhooks.values()].map(({ id, accountId, endpoint }) => text(accountId, id, endpoint))
    case 'account.display_name':
      return [...data.accounts.values()].flatMap(({ account: { id, displayName } }) =>
        displayName === undefined ? [] : [text(id, displayName.id, displayName.name)],
      )
    case 'session.name':
      return [...data.sessions.values()].flatMap(({ session: { id, accountId, name } }) =>
        name === undefined ? [] : [text(accountId, id, name)],
      )
  }
}

function putText(
  { accounts, folders, accessTokens, passwords, webhooks, sessions }: MemoryData,
  { column, accountId, rowId }: TextPlace,
  to: Encrypted,
  nameIndex: Uint8Array | undefined,
): void {
  const account = accounts.get(accountId)
  const folder = folders.get(rowId)
  const row = accessTokens.get(rowId)
  if (column === 'account.name' && account) {
    accounts.set(rowId, {
      account: { ...account.account, name: to },
      nameIndex: nameIndex ?? account.nameIndex,
    })
  }
  if (column === 'folder.label' && folder) folders.set(rowId, { ...folder, label: to })
  if (column === 'access_token.name' && row)
    accessTokens.set(rowId, { ...row, token: { ...row.token, name: to } })
  const password = passwords.get(accountId)
  if (column === 'account.password' && password) passwords.set(accountId, { ...password, hash: to })
  const webhook = webhooks.get(rowId)
  if (column === 'webhook.endpoint' && webhook) webhooks.set(rowId, { ...webhook, endpoint: to })
  if (column === 'account.display_name' && account)
    accounts.set(accountId, {
      ...account,
      account: { ...account.account, displayName: { id: rowId, name: to } },
    })
  const session = sessions.get(rowId)
  if (column === 'session.name' && session)
    sessions.set(rowId, { ...session, session: { ...session.session, name: to } })
}

/** Erases the row of a text that a corruption store may give up. */
export function dropText(data: MemoryData, { column, accountId, rowId }: TextPlace): void {
  if (column === 'access_token.name') data.accessTokens.delete(rowId)
  if (column === 'account.password') data.passwords.delete(accountId)
  if (column === 'session.name') data.sessions.delete(rowId)
  const row = data.accounts.get(accountId)
  if (column === 'account.display_name' && row)
    data.accounts.set(accountId, { ...row, account: { ...row.account, displayName: undefined } })
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

/** Whether two texts are the same, byte for byte. */
export function isSameText(one: Encrypted, other: Encrypted): boolean {
  return one.kid === other.kid && equalBytes(one.ciphertext, other.ciphertext)
}

/** Whether the row still holds head and wrap of `from`, byte for byte. */
export function holdsWrap(row: StoredWrap, from: StoredWrap): boolean {
  return equalBytes(row.secret.head, from.secret.head) && isSameWrap(row.wrap, from.wrap)
}

function isSameWrap(one: Ciphertext | undefined, other: Ciphertext | undefined): boolean {
  return one === undefined || other === undefined ? one === other : equalBytes(one, other)
}

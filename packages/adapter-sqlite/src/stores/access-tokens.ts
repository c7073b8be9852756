import {
  isUseToBeRecorded,
  type AccessTokenStore,
  type AccountNotFound,
  type StoredAccessToken,
  type TokenStanding,
  type Uuid,
} from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { cursorOf, scopesOf, scopesText, uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { ciphertextOf } from './secret-rows.ts'

type StandingRow = [id: string, accountId: string, scopes: string, lastUsedAt: number | null]

export function createAccessTokens(connections: Connections, keyCheck: KeyCheck): AccessTokenStore {
  const { reader, writer, read, write } = connections
  const insert = writer.prepare(
    `INSERT INTO access_tokens (id, account_id, created_at, expires_at, revoked_at, last_used_at, scopes, kid,
       name, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  // As with links: to find nothing costs the same searches and rows, whatever the cause: a token's, then its account's. Not a join: SQLite
  // plans a join again each time it runs, which takes three times as long as running it.
  const findUsable = reader
    .prepare<[digest: Uint8Array, sameDigest: Uint8Array, nowMicros: number], StandingRow>(
      `SELECT hex(id), hex(account_id), scopes, last_used_at FROM access_tokens t
       WHERE t.rowid = coalesce((SELECT rowid FROM access_tokens WHERE digest = ?), (SELECT min(rowid) FROM access_tokens))
         AND (SELECT disabled_at IS NULL FROM accounts WHERE id = account_id)
           & iif(digest = ?, (revoked_at IS NULL) & coalesce(expires_at > ?, 1), 0)`,
    )
    .raw()
  const revoke = writer.prepare(
    'UPDATE access_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? AND account_id = ?',
  )

  return {
    insert: (token, digest) =>
      write(() =>
        keyCheck<AccountNotFound>(token.name.kid, () => insert.run(...valuesOf(token), digest), {
          code: 'account_not_found',
        }),
      ),

    findUsable: (digest, nowMicros) =>
      read(() => {
        const row = findUsable.get(digest, digest, nowMicros)
        return row && standingOf(row)
      }),

    page: createPage(connections),

    revoke: (accountId, id, atMicros) =>
      write(() => ok(revoke.run(atMicros, uuidBytes(id), uuidBytes(accountId)).changes > 0)),

    recordUse: createRecordUse(connections),
  }
}

function valuesOf(token: StoredAccessToken): unknown[] {
  return [
    uuidBytes(token.id),
    uuidBytes(token.accountId),
    token.createdAtMicros,
    token.expiresAtMicros,
    token.revokedAtMicros,
    token.lastUsedAtMicros,
    scopesText(token.scopes),
    token.name.kid,
    token.name.ciphertext,
  ]
}

function standingOf([id, accountId, scopes, lastUsedAt]: StandingRow): TokenStanding {
  return {
    id: uuidOf(id),
    accountId: uuidOf(accountId),
    scopes: scopesOf(scopes),
    lastUsedAtMicros: lastUsedAt ?? undefined,
  }
}

type TokenRow = [
  id: string,
  createdAt: number,
  expiresAt: number | null,
  revokedAt: number | null,
  lastUsedAt: number | null,
  scopes: string,
  kid: number,
  name: Buffer,
]

function createPage({ reader, read }: Connections): AccessTokenStore['page'] {
  const page = reader
    .prepare<[Buffer, number, Buffer, number], TokenRow>(
      `SELECT hex(id), created_at, expires_at, revoked_at, last_used_at, scopes, kid, name FROM access_tokens
       WHERE account_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
    )
    .raw()
  return (accountId, after, limit) =>
    read(() =>
      page.all(uuidBytes(accountId), ...cursorOf(after), limit).map((row) => tokenOf(accountId, row)),
    )
}

function tokenOf(
  accountId: Uuid,
  [id, createdAtMicros, expiresAt, revokedAt, lastUsedAt, scopes, kid, name]: TokenRow,
): StoredAccessToken {
  return {
    id: uuidOf(id),
    accountId,
    name: { kid, ciphertext: ciphertextOf(name) },
    scopes: scopesOf(scopes),
    createdAtMicros,
    expiresAtMicros: expiresAt ?? undefined,
    revokedAtMicros: revokedAt ?? undefined,
    lastUsedAtMicros: lastUsedAt ?? undefined,
  }
}

/** The number of tokens whose last use this process remembers, so that it does not queue a write for each use. */
const rememberedMax = 10_000

/** All processes together write as often as `isUseToBeRecorded` allows: once a minute for each token. */
function createRecordUse({ writer, write }: Connections): AccessTokenStore['recordUse'] {
  const lastUse = writer
    .prepare<[Buffer], number | null>('SELECT last_used_at FROM access_tokens WHERE id = ?')
    .pluck()
  const setLastUse = writer.prepare<[number, Buffer]>(
    'UPDATE access_tokens SET last_used_at = ? WHERE id = ?',
  )
  const remembered = new Map<Uuid, number>()
  return (id, atMicros) => {
    if (!isUseToBeRecorded(remembered.get(id), atMicros)) return
    remembered.delete(id)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= rememberedMax) remembered.delete(oldest)
    remembered.set(id, atMicros)
    const written = write(() => {
      const key = uuidBytes(id)
      if (isUseToBeRecorded(lastUse.get(key) ?? undefined, atMicros)) setLastUse.run(atMicros, key)
      return ok()
    })
    void written.match(
      () => undefined,
      () => remembered.delete(id),
    )
  }
}

import {
  scopesOf,
  scopesText,
  type AccessTokenStore,
  type AccountNotFound,
  type KeyRetired,
  type StoredAccessToken,
  type TokenStanding,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { isAccountSql } from './accounts.ts'
import { cursorOf, uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { createRecordUse } from './record-use.ts'
import { ciphertextOf } from './secret-rows.ts'
import { createInsertText, textIn } from './texts.ts'

/** Tokens of an account whose erasure has begun are absent until they are erased. */
const isAccountThere = 'EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL)'

type StandingRow = [id: string, accountId: string, scopes: string, lastUsedAt: number | null]

export function createAccessTokens(connections: Connections, keyCheck: KeyCheck): AccessTokenStore {
  const { reader, writer, read, write } = connections
  // As with links: to find nothing costs the same searches and rows, whatever the cause: a token's, then its account's. Not a join: SQLite
  // plans a join again each time it runs, which takes three times as long as running it.
  const findUsable = reader
    .prepare<[digest: Uint8Array, sameDigest: Uint8Array, nowMicros: number], StandingRow>(
      `SELECT hex(id), hex(account_id), scopes, last_used_at FROM access_tokens t
       WHERE t.rowid = coalesce((SELECT rowid FROM access_tokens WHERE digest = ?), (SELECT min(rowid) FROM access_tokens))
         AND (SELECT (disabled_at IS NULL) & (name_index IS NOT NULL) FROM accounts WHERE id = account_id)
           & iif(digest = ?, (revoked_at IS NULL) & coalesce(expires_at > ?, 1), 0)`,
    )
    .raw()
  const revoke = writer.prepare(
    `UPDATE access_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? AND account_id = ? AND ${isAccountThere}`,
  )

  return {
    insert: createInsert(connections, keyCheck),

    findUsable: (digest, nowMicros) =>
      read(() => {
        const row = findUsable.get(digest, digest, nowMicros)
        return row && standingOf(row)
      }),

    page: createPage(connections),

    revoke: (accountId, id, atMicros) =>
      write(() => ok(revoke.run(atMicros, uuidBytes(id), uuidBytes(accountId)).changes > 0)),

    recordUse: createRecordUse(connections, 'access_tokens'),
  }
}

function createInsert({ writer, write }: Connections, keyCheck: KeyCheck): AccessTokenStore['insert'] {
  const insertText = createInsertText({ writer })
  const isAccount = writer.prepare<[Buffer], number>(isAccountSql).pluck()
  const insert = writer.prepare(
    `INSERT INTO access_tokens (id, account_id, created_at, expires_at, revoked_at, last_used_at, scopes, kid,
       digest, name_nr) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return (token, digest) =>
    write((): Result<void, AccountNotFound | KeyRetired> => {
      if (isAccount.get(uuidBytes(token.accountId)) === undefined) return err({ code: 'account_not_found' })
      return keyCheck(token.name.kid, () =>
        insert.run(...valuesOf(token), digest, insertText(token.name.ciphertext)),
      )
    })
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
      `SELECT hex(id), created_at, expires_at, revoked_at, last_used_at, scopes, kid, ${textIn('name_nr')}
       FROM access_tokens
       WHERE account_id = ? AND ${isAccountThere} AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
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

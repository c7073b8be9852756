import type { AccessTokenStore, TokenStatus } from '@sotto/identity'
import { scopesOf } from '@sotto/core'
import { createRecordUse, type Engine } from '@sotto/storage-sql'
import type { Connections } from '../connection/connections.ts'
import { uuidOf } from '../engine/codec.ts'

type StatusRow = [id: string, accountId: string, scopes: string, lastUsedAt: number | null]

/** The methods that each request calls. */
export function createAccessTokens(
  { db, read }: Connections,
  engine: Engine,
): Pick<AccessTokenStore, 'findUsable' | 'recordUse'> {
  // Finding nothing costs the same searches and rows, whatever the cause, as with links: a token's, then its account's. Not a join: SQLite
  // plans a join again each time it runs, which takes three times as long as running it.
  const findUsable = db
    .prepare<[digest: Uint8Array, sameDigest: Uint8Array, nowMicros: number], StatusRow>(
      `SELECT hex(id), hex(account_id), scopes, last_used_at FROM access_tokens t
       WHERE t.rowid = coalesce((SELECT rowid FROM access_tokens WHERE digest = ?), (SELECT min(rowid) FROM access_tokens))
         AND (SELECT (disabled_at IS NULL) & (name_index IS NOT NULL) FROM accounts WHERE id = account_id)
           & iif(digest = ?, (revoked_at IS NULL) & coalesce(expires_at > ?, 1), 0)`,
    )
    .raw()

  return {
    findUsable: (digest, nowMicros) =>
      read(() => {
        const row = findUsable.get(digest, digest, nowMicros)
        return row && statusOf(row)
      }),

    recordUse: createRecordUse(engine, 'access_tokens'),
  }
}

function statusOf([id, accountId, scopes, lastUsedAt]: StatusRow): TokenStatus {
  return {
    id: uuidOf(id),
    accountId: uuidOf(accountId),
    scopes: scopesOf(scopes),
    lastUsedAtMicros: lastUsedAt ?? undefined,
  }
}

import type { AccessTokenStore, StoredAccessToken } from '@sotto/identity'
import { scopesOf, scopesText } from '@sotto/core'
import type { AccountNotFound, KeyRetired } from '@sotto/core'
import { err, type Result } from 'neverthrow'
import { isAccount } from '../accounts/accounts.ts'
import { cursorOf, encryptedOf, underKey } from '../engine/codec.ts'
import { changes, type Dialect, type Engine, type Work } from '../engine/engine.ts'

type Row = [
  id: unknown,
  accountId: unknown,
  createdAt: number,
  expiresAt: number | null,
  revokedAt: number | null,
  lastUsedAt: number | null,
  scopes: string,
  kid: number,
  name: Uint8Array | null,
]

/** Tokens of an account whose erasure has begun are absent until they are erased. */
const isAccountThere = 'EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL)'

/** The methods, except those that each request calls, which a database brings. */
export function createAccessTokens(engine: Engine): Omit<AccessTokenStore, 'findUsable' | 'recordUse'> {
  const { dialect, list, write, change } = engine
  const { id, texts } = dialect
  return {
    insert: (token, digest) =>
      write(function* (): Work<Result<void, AccountNotFound | KeyRetired>> {
        if (!(yield* isAccount(dialect, token.accountId))) return err({ code: 'account_not_found' })
        const { kid, ciphertext } = token.name
        return yield* underKey(engine, kid, function* () {
          yield* changes(
            `INSERT INTO access_tokens (id, account_id, created_at, expires_at, revoked_at, last_used_at, scopes, kid, digest,
               ${texts.column('name')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
            ...[id.in(token.id), id.in(token.accountId), token.createdAtMicros, token.expiresAtMicros],
            ...[token.revokedAtMicros, token.lastUsedAtMicros, scopesText(token.scopes), kid, digest],
            yield* texts.insert(ciphertext),
          )
        })
      }),

    page: (accountId, after, limit) =>
      list(
        `SELECT id, account_id, created_at, expires_at, revoked_at, last_used_at, scopes, kid, ${texts.read('name')}
         FROM access_tokens WHERE account_id = $1 AND (created_at, id) > ($2, $3) AND ${isAccountThere}
         ORDER BY created_at, id LIMIT $4`,
        [id.in(accountId), ...cursorOf(dialect, after), limit],
        (found: Row) => tokenOf(dialect, found),
      ),

    revoke: (accountId, tokenId, atMicros) =>
      change(
        `UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $3) WHERE id = $1 AND account_id = $2 AND ${isAccountThere}`,
        ...[id.in(tokenId), id.in(accountId), atMicros],
      ).map((count) => count > 0),
  }
}

function tokenOf({ id }: Dialect, found: Row): StoredAccessToken {
  const [tokenId, accountId, createdAtMicros, expiresAt, revokedAt, lastUsedAt, scopes, kid, name] = found
  return {
    id: id.out(tokenId),
    accountId: id.out(accountId),
    createdAtMicros,
    expiresAtMicros: expiresAt ?? undefined,
    revokedAtMicros: revokedAt ?? undefined,
    lastUsedAtMicros: lastUsedAt ?? undefined,
    scopes: scopesOf(scopes),
    name: encryptedOf(kid, name),
  }
}

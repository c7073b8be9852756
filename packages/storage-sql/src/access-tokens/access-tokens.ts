import type { AccessTokenStore, StoredAccessToken } from '@sotto/identity'
import { scopesOf, scopesText } from '@sotto/core'
import type { AccountNotFound, KeyRetired } from '@sotto/core'
import { err, type Result } from 'neverthrow'
import { isAccount } from '../accounts/accounts.ts'
import { cursorOf, underKey } from '../engine/codec.ts'
import type { Engine, Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { accessTokenTables } from './tables.ts'

interface TokenRow extends Omit<StoredAccessToken, 'scopes'> {
  readonly scopes: string
}

const tokenRows = rowsOf(accessTokenTables.access_tokens).as<TokenRow, { readonly digest: Uint8Array }>(
  {
    id: 'id',
    accountId: 'account_id',
    name: 'name',
    scopes: 'scopes',
    createdAtMicros: 'created_at',
    expiresAtMicros: 'expires_at',
    revokedAtMicros: 'revoked_at',
    lastUsedAtMicros: 'last_used_at',
  },
  { digest: 'digest' },
)

/** Tokens of an account whose erasure has begun are absent until they are erased. */
const isAccountThere = 'EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL)'

/** The methods, except those that each request calls, which a database brings. */
export function createAccessTokens(engine: Engine): Omit<AccessTokenStore, 'findUsable' | 'recordUse'> {
  const { dialect, list, write, change } = engine
  const { id } = dialect
  const tokens = tokenRows(dialect)
  return {
    insert: (token, digest) =>
      write(function* (): Work<Result<void, AccountNotFound | KeyRetired>> {
        if (!(yield* isAccount(dialect, token.accountId))) return err({ code: 'account_not_found' })
        const added = { ...token, scopes: scopesText(token.scopes), digest }
        return yield* underKey(engine, token.name.kid, () => tokens.insert(added))
      }),

    page: (accountId, after, limit) =>
      list(
        `SELECT ${tokens.columns} FROM access_tokens
         WHERE account_id = $1 AND (created_at, id) > ($2, $3) AND ${isAccountThere} ORDER BY created_at, id LIMIT $4`,
        [id.in(accountId), ...cursorOf(dialect, after), limit],
        (found: unknown[]) => {
          const token = tokens.read(found)
          return { ...token, scopes: scopesOf(token.scopes) }
        },
      ),

    revoke: (accountId, tokenId, atMicros) =>
      change(
        `UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $3) WHERE id = $1 AND account_id = $2 AND ${isAccountThere}`,
        ...[id.in(tokenId), id.in(accountId), atMicros],
      ).map((count) => count > 0),
  }
}

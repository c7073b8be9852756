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
import type { Database } from '../connection/database.ts'
import { createFoldedReads, type FoldedReads } from '../connection/folded-reads.ts'
import { unnest } from '../connection/sql.ts'
import { isAccount } from './accounts.ts'
import { ciphertextOf, cursorOf, keyOf } from './codec.ts'
import { createRecordUse } from './record-use.ts'

/** Tokens of an account whose erasure has begun are absent until they are erased. */
const isAccountThere =
  'EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id AND a.name_index IS NOT NULL)'

/**
 * For each digest the token that has it, or any other one, and its account; then whether it is the right one, and usable until it expires.
 * So to find nothing costs the same searches and the same answer, whatever the cause. LIMIT keeps the planner from joining whole tables.
 */
const findUsable = {
  name: 'access_tokens_find_usable',
  text: `SELECT asked.nr, found.* FROM ${unnest(['bytea'])} WITH ORDINALITY AS asked (digest, nr) CROSS JOIN LATERAL (
    SELECT t.digest = asked.digest AND t.revoked_at IS NULL AND a.disabled_at IS NULL AND a.name_index IS NOT NULL,
      t.expires_at, t.id, t.account_id, t.scopes, t.last_used_at
    FROM access_tokens t JOIN accounts a ON a.id = t.account_id
    WHERE t.id = coalesce((SELECT id FROM access_tokens WHERE digest = asked.digest),
      (SELECT id FROM access_tokens ORDER BY id LIMIT 1)) LIMIT 1) found`,
}
const page = {
  name: 'access_tokens_page',
  text: `SELECT id, created_at, expires_at, revoked_at, last_used_at, scopes, kid, name FROM access_tokens
    WHERE account_id = $1 AND ${isAccountThere} AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT $4`,
}
const revoke = {
  name: 'access_tokens_revoke',
  text: `UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $3)
    WHERE id = $1 AND account_id = $2 AND ${isAccountThere}`,
}

type StandingRow = [
  isUsable: boolean,
  expiresAt: number | null,
  id: Uuid,
  accountId: Uuid,
  scopes: string,
  lastUsedAt: number | null,
]

export function createAccessTokens(db: Database, reads = createFoldedReads(db)): AccessTokenStore {
  return {
    insert: createInsert(db),

    findUsable: createFindUsable(reads),

    page: (accountId, after, limit) =>
      db.read(async (sql) => {
        const rows = await sql.rows<TokenRow>(page, [accountId, ...cursorOf(after), limit])
        return rows.map((row) => tokenOf(accountId, row))
      }),

    revoke: (accountId, id, atMicros) =>
      db.statement(async (sql) => ok((await sql.changes(revoke, [id, accountId, atMicros])) > 0)),

    recordUse: createRecordUse(db, 'access_tokens'),
  }
}

function createFindUsable(reads: FoldedReads): AccessTokenStore['findUsable'] {
  const find = reads.fold({
    statement: findUsable,
    keyOf: ({ digest }: { readonly digest: Uint8Array; readonly nowMicros: number }) => keyOf(digest),
    valuesOf: (questions) => [questions.map(([{ digest }]) => digest)],
    answerOf: (row: StandingRow | undefined, { nowMicros }) => row && standingOf(row, nowMicros),
  })
  return (digest, nowMicros) => find({ digest, nowMicros })
}

const insert = {
  name: 'access_tokens_insert',
  text: `INSERT INTO access_tokens (id, account_id, created_at, expires_at, revoked_at, last_used_at, scopes, kid,
    name, digest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
}

function createInsert(db: Database): AccessTokenStore['insert'] {
  return (token, digest) =>
    db.transaction(
      async (sql): Promise<Result<void, AccountNotFound | KeyRetired>> => {
        if (!(await isAccount(sql, token.accountId))) return err({ code: 'account_not_found' })
        await sql.changes(insert, [...valuesOf(token), digest])
        return ok()
      },
      {
        violation: (constraint) =>
          constraint === 'access_tokens_kid_fkey' ? { code: 'key_retired' } : undefined,
      },
    )
}

function valuesOf(token: StoredAccessToken) {
  const { createdAtMicros, expiresAtMicros, revokedAtMicros, lastUsedAtMicros, scopes, name } = token
  return [
    ...[token.id, token.accountId, createdAtMicros, expiresAtMicros, revokedAtMicros, lastUsedAtMicros],
    ...[scopesText(scopes), name.kid, name.ciphertext],
  ]
}

function standingOf(
  [isUsable, expiresAt, id, accountId, scopes, lastUsedAt]: StandingRow,
  nowMicros: number,
): TokenStanding | undefined {
  if (!isUsable || (expiresAt !== null && expiresAt <= nowMicros)) return undefined
  return { id, accountId, scopes: scopesOf(scopes), lastUsedAtMicros: lastUsedAt ?? undefined }
}

type TokenRow = [
  id: Uuid,
  createdAt: number,
  expiresAt: number | null,
  revokedAt: number | null,
  lastUsedAt: number | null,
  scopes: string,
  kid: number,
  name: Uint8Array,
]

function tokenOf(
  accountId: Uuid,
  [id, createdAtMicros, expiresAt, revokedAt, lastUsedAt, scopes, kid, name]: TokenRow,
): StoredAccessToken {
  return {
    id,
    accountId,
    name: { kid, ciphertext: ciphertextOf(name) },
    scopes: scopesOf(scopes),
    createdAtMicros,
    expiresAtMicros: expiresAt ?? undefined,
    revokedAtMicros: revokedAt ?? undefined,
    lastUsedAtMicros: lastUsedAt ?? undefined,
  }
}

import type { AccessTokenStore, TokenStatus } from '@sotto/identity'
import { scopesOf } from '@sotto/core'
import type { Uuid } from '@sotto/core'
import type { Database } from '../connection/database.ts'
import type { BatchedReads } from '../connection/batched-reads.ts'
import { unnest } from '../connection/sql.ts'
import { keyOf } from '../engine/codec.ts'
import { createRecordUse } from '../shared/record-use.ts'

/**
 * Finds for each digest the token that has it, or any other one, and its account; then whether it is the right one, and usable until it
 * expires. So finding nothing costs the same searches and the same answer, whatever the cause. LIMIT keeps the planner from joining whole
 * tables.
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
type StatusRow = [
  isUsable: boolean,
  expiresAt: number | null,
  id: Uuid,
  accountId: Uuid,
  scopes: string,
  lastUsedAt: number | null,
]

/** The methods that each request calls. */
export function createAccessTokens(
  db: Database,
  reads: BatchedReads,
): Pick<AccessTokenStore, 'findUsable' | 'recordUse'> {
  return {
    findUsable: createFindUsable(reads),
    recordUse: createRecordUse(db, 'access_tokens'),
  }
}

function createFindUsable(reads: BatchedReads): AccessTokenStore['findUsable'] {
  const find = reads.batch({
    statement: findUsable,
    keyOf: ({ digest }: { readonly digest: Uint8Array; readonly nowMicros: number }) => keyOf(digest),
    valuesOf: (questions) => [questions.map(([{ digest }]) => digest)],
    answerOf: (row: StatusRow | undefined, { nowMicros }) => row && statusOf(row, nowMicros),
  })
  return (digest, nowMicros) => find({ digest, nowMicros })
}

function statusOf(
  [isUsable, expiresAt, id, accountId, scopes, lastUsedAt]: StatusRow,
  nowMicros: number,
): TokenStatus | undefined {
  if (!isUsable || (expiresAt !== null && expiresAt <= nowMicros)) return undefined
  return { id, accountId, scopes: scopesOf(scopes), lastUsedAtMicros: lastUsedAt ?? undefined }
}

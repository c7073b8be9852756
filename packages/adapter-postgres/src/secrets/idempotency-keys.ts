import {
  storedKeyBytes,
  type StorageUnavailable,
  type FolderNotFound,
  type IdempotencyStore,
  type KeyRetired,
  type RequestDigests,
  type StoredSecret,
  type Uuid,
} from '@sotto/core'
import { err, errAsync, ok, okAsync } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { run } from '../engine/engine.ts'
import { addSecret, addWithFiles, refusalOf } from './insert-secret.ts'

// A claim that is forgotten, but not erased yet, gives way.
const claim = {
  name: 'idempotency_claim',
  text: `INSERT INTO idempotency_keys (account_id, key, request, secret_id, claimed_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (account_id, key) DO UPDATE
    SET request = excluded.request, secret_id = excluded.secret_id, claimed_at = excluded.claimed_at
    WHERE idempotency_keys.claimed_at <= $6`,
}
const find = {
  name: 'idempotency_find',
  text: `SELECT request, secret_id FROM idempotency_keys
    WHERE account_id = $1 AND key = ANY ($2::bytea[]) AND claimed_at > $3 LIMIT 1`,
}
const eraseOld = {
  name: 'idempotency_erase_old',
  text: `DELETE FROM idempotency_keys WHERE (account_id, key) IN
    (SELECT account_id, key FROM idempotency_keys WHERE claimed_at <= $1 ORDER BY claimed_at LIMIT $2)
    AND claimed_at <= $1`,
}

export function createIdempotencyKeys(db: Database): IdempotencyStore {
  return {
    insertSecret: createInsertOnce(db),

    find: (accountId, keys, forgottenByMicros) =>
      db.read(async (sql) => {
        const row = await sql.row<[request: Uint8Array, secretId: Uuid]>(find, [
          accountId,
          keys.map(storedKey),
          forgottenByMicros,
        ])
        return row && { request: row[0], secretId: row[1] }
      }),

    // A claim that a request renews at the same moment stays.
    eraseOld: (forgottenByMicros, limit) =>
      db.statement(async (sql) => ok(await sql.changes(eraseOld, [forgottenByMicros, limit]))),
  }
}

/** Why nothing was changed: undoes the transaction, and is no error of the store. */
interface Claimed {
  readonly code: 'claimed'
}

function createInsertOnce(db: Database): IdempotencyStore['insertSecret'] {
  return (secret, note, { digests, forgottenByMicros }, files) =>
    db
      .transaction<true, Claimed | FolderNotFound | KeyRetired | StorageUnavailable>(
        async (sql) => {
          if (!(await claimAll(sql, secret, digests, forgottenByMicros))) return err({ code: 'claimed' })
          if (files !== undefined) return (await run(sql, addWithFiles(secret, note, files))).map(() => true)
          sql.atEnd(() => addSecret(sql, secret, note))
          return ok(true)
        },
        { isolation: 'READ COMMITTED', violation },
      )
      .orElse((error) => (error.code === 'claimed' ? okAsync(false) : errAsync(error)))
}

/** An account that is not there has no folder either. */
function violation(constraint: string): FolderNotFound | KeyRetired | undefined {
  return constraint === 'idempotency_keys_account_fkey' ? { code: 'folder_not_found' } : refusalOf(constraint)
}

/**
 * Claims each digest, or answers false. A request that claims one of them at the same time waits for the end of the first. They are claimed
 * in the order of their bytes, so that no two requests wait for each other.
 */
async function claimAll(
  sql: Sql,
  { accountId, id, createdAtMicros }: StoredSecret,
  digests: readonly RequestDigests[],
  forgottenByMicros: number,
): Promise<boolean> {
  for (const { key, request } of digests.toSorted((one, other) => Buffer.compare(one.key, other.key))) {
    const values = [accountId, storedKey(key), request, id, createdAtMicros, forgottenByMicros]
    if ((await sql.changes(claim, values)) === 0) return false
  }
  return true
}

function storedKey(key: Uint8Array): Uint8Array {
  return key.subarray(0, storedKeyBytes)
}

import {
  storedKeyBytes,
  type ClaimedKey,
  type IdempotencyStore,
  type RequestDigests,
  type StoredSecret,
} from '@sotto/core'
import { ok } from 'neverthrow'
import { compareBytes } from '../engine/codec.ts'
import { changes, row, type Dialect, type Engine, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { secretTables } from './tables.ts'

const claimedRows = rowsOf(secretTables.idempotency_keys).reading<ClaimedKey>({
  request: 'request',
  secretId: 'secret_id',
})

/** Makes the methods of `IdempotencyStore` that add no secret. */
export function createClaimedKeys({
  dialect,
  read,
  write,
  erased,
}: Engine): Pick<IdempotencyStore, 'find' | 'eraseOld'> {
  const claimed = claimedRows(dialect)
  return {
    find: (accountId, keys, forgottenByMicros) =>
      read(function* () {
        for (const key of keys) {
          const found = yield* row(
            `SELECT ${claimed.columns} FROM idempotency_keys WHERE account_id = $1 AND key = $2 AND claimed_at > $3`,
            ...[dialect.id.in(accountId), storedKey(key), forgottenByMicros],
          )
          if (found !== undefined) return claimed.read(found)
        }
        return undefined
      }),

    // The condition stands there twice, so that a claim that a request renews at the same moment stays.
    eraseOld: (forgottenByMicros, limit) =>
      write(
        function* () {
          const count = yield* changes(
            `DELETE FROM idempotency_keys WHERE (account_id, key) IN
               (SELECT account_id, key FROM idempotency_keys WHERE claimed_at <= $1 ORDER BY claimed_at LIMIT $2)
             AND claimed_at <= $1`,
            ...[forgottenByMicros, limit],
          )
          if (count > 0) erased()
          return ok(count)
        },
        { isolation: 'locks' },
      ),
  }
}

/**
 * Claims the key of an account under each digest, inside work that writes; false when one of them is taken. That work is then to be undone.
 * A request that claims one of them at the same time waits for the end of the first. They are claimed in the order of their bytes, so that no
 * two requests wait for each other.
 */
export function* claimKeys(
  { id }: Dialect,
  secret: StoredSecret,
  digests: readonly RequestDigests[],
  forgottenByMicros: number,
): Work<boolean> {
  const [account, secretId] = [id.in(secret.accountId), id.in(secret.id)]
  for (const { key, request } of digests.toSorted((one, other) => compareBytes(one.key, other.key))) {
    // One that is forgotten, but not erased yet, gives way.
    const claimed = yield* changes(
      `INSERT INTO idempotency_keys (account_id, key, request, secret_id, claimed_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, key) DO UPDATE
       SET request = excluded.request, secret_id = excluded.secret_id, claimed_at = excluded.claimed_at
       WHERE idempotency_keys.claimed_at <= $6`,
      ...[account, storedKey(key), request, secretId, secret.createdAtMicros, forgottenByMicros],
    )
    if (claimed === 0) return false
  }
  return true
}

function storedKey(key: Uint8Array): Uint8Array {
  return key.subarray(0, storedKeyBytes)
}

import {
  storedKeyBytes,
  type StorageUnavailable,
  type FolderNotFound,
  type IdempotencyStore,
  type InsertSecretRowError,
  type KeyRetired,
  type RequestDigests,
  type StoredSecret,
} from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { uuidBytes, uuidOf } from '../engine/codec.ts'
import { createInsertSecret } from './insert-secret.ts'
import type { KeyCheck } from '../engine/key-check.ts'
import { createChangeFiles } from '../files/secret-files.ts'

export function createIdempotencyKeys(connections: Connections, keyCheck: KeyCheck): IdempotencyStore {
  const { reader, writer, read, write } = connections
  const find = reader
    .prepare<[Buffer, Uint8Array, number], [request: Buffer, secretId: string]>(
      'SELECT request, hex(secret_id) FROM idempotency_keys WHERE account_id = ? AND key = ? AND claimed_at > ?',
    )
    .raw()
  const eraseOld = writer.prepare<[number, number]>(
    `DELETE FROM idempotency_keys WHERE nr IN
       (SELECT nr FROM idempotency_keys WHERE claimed_at <= ? ORDER BY claimed_at LIMIT ?)`,
  )

  return {
    insertSecret: createInsertOnce(connections, keyCheck),

    find: (accountId, keys, forgottenByMicros) =>
      read(() => {
        const account = uuidBytes(accountId)
        for (const key of keys) {
          const row = find.get(account, storedKey(key), forgottenByMicros)
          if (row !== undefined) return { request: new Uint8Array(row[0]), secretId: uuidOf(row[1]) }
        }
        return undefined
      }),

    eraseOld: (forgottenByMicros, limit) =>
      write(() => {
        const rows = eraseOld.run(forgottenByMicros, limit).changes
        if (rows > 0) connections.erased()
        return ok(rows)
      }),
  }
}

function storedKey(key: Uint8Array): Uint8Array {
  return key.subarray(0, storedKeyBytes)
}

/** Why nothing is to be changed: undoes the claims under other digests, and is no error of the store. */
interface Claimed {
  readonly code: 'claimed'
}

function createInsertOnce(connections: Connections, keyCheck: KeyCheck): IdempotencyStore['insertSecret'] {
  const insert = createInsertSecret(connections)
  const changeFiles = createChangeFiles(connections)
  const claimAll = createClaimAll(connections)
  return (secret, note, { digests, forgottenByMicros }, files) =>
    new ResultAsync(
      notAnError(
        connections.write((): Result<boolean, Claimed | FolderNotFound | KeyRetired | StorageUnavailable> => {
          let claimed = 0
          const put = () => {
            claimed = claimAll(secret, digests, forgottenByMicros)
            if (claimed === digests.length) insert(secret, note)
          }
          const done = keyCheck<FolderNotFound>(secret.kid, put, { code: 'folder_not_found' })
          if (done.isErr()) return err(done.error)
          const isFirst = claimed === digests.length
          if (isFirst) return changeFiles(secret, files).map(() => true)
          return claimed === 0 ? ok(false) : err({ code: 'claimed' })
        }),
      ),
    )
}

/** Makes the function that claims under one digest after the other until one is taken, inside a job, and returns how many it has claimed. */
function createClaimAll({
  writer,
}: Connections): (
  secret: StoredSecret,
  digests: readonly RequestDigests[],
  forgottenByMicros: number,
) => number {
  // One that is forgotten, but not erased yet, gives way.
  const claim = writer.prepare<[Buffer, Uint8Array, Uint8Array, Buffer, number, number]>(
    `INSERT INTO idempotency_keys (account_id, key, request, secret_id, claimed_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, key) DO UPDATE
     SET request = excluded.request, secret_id = excluded.secret_id, claimed_at = excluded.claimed_at
     WHERE idempotency_keys.claimed_at <= ?`,
  )
  return ({ accountId, id, createdAtMicros }, digests, forgottenByMicros) => {
    const [account, secret] = [uuidBytes(accountId), uuidBytes(id)]
    const taken = digests.findIndex(({ key, request }) => {
      const values = [account, storedKey(key), request, secret, createdAtMicros, forgottenByMicros] as const
      return claim.run(...values).changes === 0
    })
    return taken === -1 ? digests.length : taken
  }
}

async function notAnError(
  inserted: PromiseLike<Result<boolean, Claimed | InsertSecretRowError>>,
): Promise<Result<boolean, InsertSecretRowError>> {
  const result = await inserted
  if (result.isOk()) return ok(result.value)
  return result.error.code === 'claimed' ? ok(false) : err(result.error)
}

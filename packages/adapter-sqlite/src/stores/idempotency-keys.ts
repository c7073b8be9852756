import {
  storedKeyBytes,
  type FolderNotFound,
  type IdempotencyStore,
  type KeyRetired,
  type RequestDigests,
  type StoredSecret,
} from '@sotto/core'
import { err, ok, okAsync, errAsync, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { uuidBytes, uuidOf } from './codec.ts'
import { createInsertSecret } from './insert-secret.ts'
import type { KeyCheck } from './key-check.ts'

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

/** Why nothing was changed: undoes the job, and is no error of the store. */
interface Claimed {
  readonly code: 'claimed'
}

function createInsertOnce(connections: Connections, keyCheck: KeyCheck): IdempotencyStore['insertSecret'] {
  const insert = createInsertSecret(connections)
  // One that is forgotten, but not erased yet, gives way.
  const claim = connections.writer.prepare<[Buffer, Uint8Array, Uint8Array, Buffer, number, number]>(
    `INSERT INTO idempotency_keys (account_id, key, request, secret_id, claimed_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, key) DO UPDATE
     SET request = excluded.request, secret_id = excluded.secret_id, claimed_at = excluded.claimed_at
     WHERE idempotency_keys.claimed_at <= ?`,
  )
  const claimAll = (
    { accountId, id, createdAtMicros }: StoredSecret,
    digests: readonly RequestDigests[],
    forgottenByMicros: number,
  ) => {
    const of = [uuidBytes(accountId), uuidBytes(id)] as const
    return digests.every(({ key, request }) => {
      const row = [of[0], storedKey(key), request, of[1], createdAtMicros, forgottenByMicros] as const
      return claim.run(...row).changes > 0
    })
  }

  return (secret, note, { digests, forgottenByMicros }) =>
    connections
      .write<true, Claimed | FolderNotFound | KeyRetired>(
        (): Result<true, Claimed | FolderNotFound | KeyRetired> => {
          const claimed = { isFirst: false }
          const put = () => {
            claimed.isFirst = claimAll(secret, digests, forgottenByMicros)
            if (claimed.isFirst) insert(secret, note)
          }
          const done = keyCheck<FolderNotFound>(secret.kid, put, { code: 'folder_not_found' })
          if (done.isErr()) return err(done.error)
          return claimed.isFirst ? ok(true) : err({ code: 'claimed' })
        },
      )
      .orElse((error) => (error.code === 'claimed' ? okAsync(false) : errAsync(error)))
}

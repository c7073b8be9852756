import type { FolderNotFound, IdempotencyStore, KeyRetired, StorageUnavailable } from '@sotto/core'
import { claimKeys, createClaimedKeys } from '@sotto/storage-sql'
import { err, errAsync, ok, okAsync } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { createEngine, postgresDialect, run } from '../engine/engine.ts'
import { addSecret, addWithFiles, refusalOf } from './insert-secret.ts'

export function createIdempotencyKeys(db: Database): IdempotencyStore {
  return { ...createClaimedKeys(createEngine(db)), insertSecret: createInsertOnce(db) }
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
          const isFirst = await run(sql, claimKeys(postgresDialect, secret, digests, forgottenByMicros))
          if (!isFirst) return err({ code: 'claimed' })
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

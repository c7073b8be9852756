import type {
  FolderNotFound,
  IdempotencyStore,
  InsertSecretRowError,
  KeyRetired,
  StorageUnavailable,
} from '@sotto/core'
import { claimKeys, createClaimedKeys, type Engine } from '@sotto/storage-sql'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { createAsk, run } from '../engine/engine.ts'
import { createInsertSecret } from './insert-secret.ts'
import type { KeyCheck } from '../engine/key-check.ts'
import { createChangeFiles } from '../files/secret-files.ts'

export function createIdempotencyKeys(
  connections: Connections,
  engine: Engine,
  keyCheck: KeyCheck,
): IdempotencyStore {
  return { ...createClaimedKeys(engine), insertSecret: createInsertOnce(connections, engine, keyCheck) }
}

/** Why nothing is to be changed: undoes the claims under other digests, and is no error of the store. */
interface Claimed {
  readonly code: 'claimed'
}

function createInsertOnce(
  connections: Connections,
  { dialect }: Engine,
  keyCheck: KeyCheck,
): IdempotencyStore['insertSecret'] {
  const insert = createInsertSecret(connections)
  const changeFiles = createChangeFiles(connections)
  const ask = createAsk(connections.db)
  return (secret, note, { digests, forgottenByMicros }, files) =>
    new ResultAsync(
      notAnError(
        connections.write((): Result<boolean, Claimed | FolderNotFound | KeyRetired | StorageUnavailable> => {
          const claim = { isFirst: false }
          const put = () => {
            claim.isFirst = run(claimKeys(dialect, secret, digests, forgottenByMicros), ask)
            if (claim.isFirst) insert(secret, note)
          }
          const done = keyCheck<FolderNotFound>(secret.kid, put, { code: 'folder_not_found' })
          if (done.isErr()) return err(done.error)
          return claim.isFirst ? changeFiles(secret, files).map(() => true) : err({ code: 'claimed' })
        }),
      ),
    )
}

async function notAnError(
  inserted: PromiseLike<Result<boolean, Claimed | InsertSecretRowError>>,
): Promise<Result<boolean, InsertSecretRowError>> {
  const result = await inserted
  if (result.isOk()) return ok(result.value)
  return result.error.code === 'claimed' ? ok(false) : err(result.error)
}

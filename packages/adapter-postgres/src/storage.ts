import type { FullOpenStorage } from '@sotto/identity'
import { createStores, rememberOwners } from '@sotto/storage-sql'
import { createIdentityStores } from '@sotto/storage-sql/identity'
import type { DatabaseClock } from './clock/database-clock.ts'
import type { Database } from './connection/database.ts'
import { createBatchedReads } from './connection/batched-reads.ts'
import type { PoolOptions } from './connection/pool.ts'
import { createQuickDatabase } from './connection/quick-commits.ts'
import { createEngine } from './engine/engine.ts'
import { createAccessTokens } from './access-tokens/access-tokens.ts'
import { createSecretCorruption } from './storage/corruption.ts'
import { createFileStore } from './files/file-store.ts'
import { createOwns } from './folders/folder-owners.ts'
import { createIdempotencyKeys } from './secrets/idempotency-keys.ts'
import { createLinks } from './secrets/links.ts'
import { createQuota } from './quota/quota.ts'
import { createRecordUse } from './shared/record-use.ts'
import { createSecretRewraps } from './keys/rewraps.ts'
import { ownSecrets } from './own-secrets.ts'
import { createSecrets } from './secrets/secrets.ts'
import { createUpkeep } from './storage/upkeep.ts'

export interface StorageOptions {
  readonly options: PoolOptions
  readonly database: Database & { close(): Promise<void> }
  /** The clock, which has shown the time already. */
  readonly clock: DatabaseClock
  readonly instanceId: Uint8Array
  readonly onError: (error: Error) => void
}

/** All stores on one database. */
export function storageOn({
  options,
  database,
  clock,
  instanceId,
  onError,
}: StorageOptions): FullOpenStorage {
  const quickly = createQuickDatabase({ ...options, onError })
  const quota = createQuota(quickly)
  const reads = createBatchedReads(database)
  const engine = createEngine(database)
  const stopLooking = clock.keepLooking(database)
  const stores = createStores(engine, ownSecrets)
  const identity = createIdentityStores(engine)
  const { accounts, folders, forget } = rememberOwners({
    accounts: stores.accounts,
    folders: { ...stores.folders, owns: createOwns(reads) },
  })
  let isClosed = false
  return {
    ...stores,
    accounts,
    folders,
    secrets: createSecrets(database, reads),
    idempotencyKeys: createIdempotencyKeys(database),
    links: createLinks(database, { reads }),
    fileContents: createFileStore(database, clock),
    quota,
    rewraps: { ...stores.rewraps, ...createSecretRewraps(engine) },
    corruption: { ...stores.corruption, ...createSecretCorruption(engine) },
    ...identity,
    accessTokens: { ...identity.accessTokens, ...createAccessTokens(database, reads) },
    sessions: { ...identity.sessions, recordUse: createRecordUse(database, 'sessions') },
    upkeep: createUpkeep(database, instanceId),
    databaseClock: clock,
    instanceId,
    // What was erased is gone from every answer immediately. Its bytes stay in dead rows until the server vacuums them, and in its
    // write-ahead log until that is recycled; no client can wait for that.
    erasure: { pendingForMillis: () => undefined, finish: () => !isClosed },
    async close() {
      isClosed = true
      stopLooking()
      quota.close()
      await Promise.all([database.close(), quickly.close()])
      forget()
    },
  }
}

import type { OpenStorage } from '@sotto/core'
import { createIdentityStores, createStores, rememberOwners } from '@sotto/storage-sql'
import type { DatabaseClock } from './clock/database-clock.ts'
import type { Database } from './connection/database.ts'
import { createBatchedReads } from './connection/batched-reads.ts'
import type { PoolOptions } from './connection/pool.ts'
import { createQuickDatabase } from './connection/quick-commits.ts'
import { createEngine } from './engine.ts'
import { createAccessTokens } from './stores/access-tokens.ts'
import { createSecretCorruption } from './stores/corruption.ts'
import { createDrafts } from './stores/drafts.ts'
import { createFileStore } from './stores/file-store.ts'
import { createOwns } from './stores/folder-owners.ts'
import { createIdempotencyKeys } from './stores/idempotency-keys.ts'
import { createLinks } from './stores/links.ts'
import { createQuota } from './stores/quota.ts'
import { createRecordUse } from './stores/record-use.ts'
import { createSecretRewraps } from './stores/rewraps.ts'
import { ownSecrets } from './stores/own-secrets.ts'
import { createSecrets } from './stores/secrets.ts'
import { createUpkeep } from './stores/upkeep.ts'

export interface StorageOptions {
  readonly options: PoolOptions
  readonly database: Database & { close(): Promise<void> }
  /** The clock, which has shown the time already. */
  readonly clock: DatabaseClock
  readonly instanceId: Uint8Array
  readonly onError: (error: Error) => void
}

/** All stores on one database. */
export function storageOn({ options, database, clock, instanceId, onError }: StorageOptions): OpenStorage {
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
    drafts: createDrafts(database),
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

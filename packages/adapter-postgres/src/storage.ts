import type { OpenStorage } from '@sotto/core'
import {
  createAccounts,
  createDeliveries,
  createEmailChanges,
  createFolders,
  createKeys,
  createOutbox,
  createPasskeys,
  createPasswords,
  createRequests,
  createSecretFiles,
  createServers,
  createSessions,
  createSignIns,
  createUsedTokens,
  createWebhooks,
  createIdentities,
  createInvitations,
  rememberOwners,
} from '@sotto/storage-sql'
import type { DatabaseClock } from './clock/database-clock.ts'
import type { Database } from './connection/database.ts'
import { createBatchedReads } from './connection/batched-reads.ts'
import type { PoolOptions } from './connection/pool.ts'
import { createQuickDatabase } from './connection/quick-commits.ts'
import { createEngine } from './engine.ts'
import { createAccessTokens } from './stores/access-tokens.ts'
import { createCorruption } from './stores/corruption.ts'
import { createDrafts } from './stores/drafts.ts'
import { eraseSecretsOf } from './stores/erase-secrets.ts'
import { createFileStore } from './stores/file-store.ts'
import { createOwns } from './stores/folder-owners.ts'
import { createIdempotencyKeys } from './stores/idempotency-keys.ts'
import { insertSecretOf } from './stores/insert-secret.ts'
import { createLinks } from './stores/links.ts'
import { createQuota } from './stores/quota.ts'
import { createRecordUse } from './stores/record-use.ts'
import { createRewraps } from './stores/rewraps.ts'
import { hasNote } from './stores/secret-rows.ts'
import { createSecrets } from './stores/secrets.ts'
import { createUpkeep } from './stores/upkeep.ts'

export interface StorageOptions {
  readonly options: PoolOptions
  readonly database: Database & { close(): Promise<void> }
  /** Has shown the time already. */
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
  const { accounts, folders, forget } = rememberOwners({
    accounts: createAccounts(engine, eraseSecretsOf),
    folders: { ...createFolders(engine, eraseSecretsOf), owns: createOwns(reads) },
  })
  let isClosed = false
  return {
    accessTokens: createAccessTokens(engine, database, reads),
    accounts,
    corruption: createCorruption(engine),
    databaseClock: clock,
    deliveries: createDeliveries(engine),
    drafts: createDrafts(database),
    emailChanges: createEmailChanges(engine),
    fileContents: createFileStore(database, clock),
    folders,
    idempotencyKeys: createIdempotencyKeys(database),
    keys: createKeys(engine),
    links: createLinks(database, { reads }),
    outbox: createOutbox(engine),
    passwords: createPasswords(engine),
    identities: createIdentities(engine),
    passkeys: createPasskeys(engine),
    usedTokens: createUsedTokens(engine),
    quota,
    requests: createRequests(engine, insertSecretOf),
    rewraps: createRewraps(engine),
    secretFiles: createSecretFiles(engine, { hasNote }),
    secrets: createSecrets(database, reads),
    sessions: { ...createSessions(engine), recordUse: createRecordUse(database, 'sessions') },
    servers: createServers(engine),
    signIns: createSignIns(engine),
    upkeep: createUpkeep(database, instanceId),
    webhooks: createWebhooks(engine),
    invitations: createInvitations(engine),
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

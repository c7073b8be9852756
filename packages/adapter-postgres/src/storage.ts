import type { OpenStorage } from '@sotto/core'
import type { Database } from './connection/database.ts'
import { createFoldedReads } from './connection/folded-reads.ts'
import type { PoolOptions } from './connection/pool.ts'
import { createQuickDatabase } from './connection/quick-commits.ts'
import { createAccessTokens } from './stores/access-tokens.ts'
import { createAccounts } from './stores/accounts.ts'
import { createDamage } from './stores/damage.ts'
import { createDeliveries } from './stores/deliveries.ts'
import { createDrafts } from './stores/drafts.ts'
import { createFolders } from './stores/folders.ts'
import { createIdempotencyKeys } from './stores/idempotency-keys.ts'
import { createKeys } from './stores/keys.ts'
import { createLinks } from './stores/links.ts'
import { createOutbox } from './stores/outbox.ts'
import { createPasswords } from './stores/passwords.ts'
import { createQuota } from './stores/quota.ts'
import { createRewraps } from './stores/rewraps.ts'
import { createSecrets } from './stores/secrets.ts'
import { createSessions } from './stores/sessions.ts'
import { createSignIns } from './stores/sign-ins.ts'
import { createUpkeep } from './stores/upkeep.ts'
import { createWebhooks } from './stores/webhooks.ts'
import { createWelcomes } from './stores/welcomes.ts'

export interface StorageOptions {
  readonly options: PoolOptions
  readonly database: Database & { close(): Promise<void> }
  readonly instanceId: Uint8Array
  readonly onError: (error: Error) => void
}

/** All stores on one database. */
export function storageOn({ options, database, instanceId, onError }: StorageOptions): OpenStorage {
  const quickly = createQuickDatabase({ ...options, onError })
  const quota = createQuota(quickly)
  const reads = createFoldedReads(database)
  let isClosed = false
  return {
    accessTokens: createAccessTokens(database, reads),
    accounts: createAccounts(database),
    damage: createDamage(database),
    deliveries: createDeliveries(database),
    drafts: createDrafts(database),
    folders: createFolders(database, reads),
    idempotencyKeys: createIdempotencyKeys(database),
    keys: createKeys(database),
    links: createLinks(database, { reads }),
    outbox: createOutbox(database),
    passwords: createPasswords(database),
    quota,
    rewraps: createRewraps(database),
    secrets: createSecrets(database, reads),
    sessions: createSessions(database),
    signIns: createSignIns(database),
    upkeep: createUpkeep(database, instanceId),
    webhooks: createWebhooks(database),
    welcomes: createWelcomes(database),
    instanceId,
    // What was erased is gone from every answer at once. Its bytes stay in dead rows until the server vacuums them, and in its write-ahead
    // log until that is recycled; no client can wait for that.
    erasure: { pendingForMillis: () => undefined, finish: () => !isClosed },
    async close() {
      isClosed = true
      quota.close()
      await Promise.all([database.close(), quickly.close()])
    },
  }
}

import type { FullOpenStorage } from '@sotto/identity'
import { createMemoryAccessTokens } from '../access-tokens/memory-access-tokens.ts'
import { createMemoryAccounts } from '../accounts/memory-accounts.ts'
import {
  connectMemory,
  createMemoryData,
  type MemoryConnection,
  type MemoryData,
} from '../stores/memory-data.ts'
import { createMemoryDeliveries } from '../notifications/memory-deliveries.ts'
import { createMemoryEmailChanges } from '../email-changes/memory-email-changes.ts'
import { createMemoryDrafts } from '../drafts/memory-drafts.ts'
import { createMemoryFiles, type MemoryFiles } from '../files/memory-files.ts'
import { createMemoryFolders } from '../folders/memory-folders.ts'
import { createMemoryIdentities, eraseIdentitiesOf } from '../single-sign-on/memory-identities.ts'
import { createMemoryUsedTokens } from '../sessions/memory-used-tokens.ts'
import { createMemoryIdempotency } from '../secrets/memory-idempotency.ts'
import { createMemoryKeys, createMemoryServers } from '../keys/memory-keys.ts'
import { createMemoryLinks } from '../secrets/memory-links.ts'
import { createMemoryOutbox } from '../notifications/memory-outbox.ts'
import { createMemoryPasskeys, erasePasskeysOf } from '../passkeys/memory-passkeys.ts'
import { createMemoryPasswords } from '../passwords/memory-passwords.ts'
import { createMemoryRequests } from '../requests/memory-requests.ts'
import { createMemoryQuota, type MemoryQuota } from '../quota/memory-quota.ts'
import { createMemoryCorruption, createMemoryRewraps } from '../keys/memory-rewraps.ts'
import { createMemorySecretFiles } from '../files/memory-secret-files.ts'
import { createMemorySecrets } from '../secrets/memory-secrets.ts'
import { createMemorySessions } from '../sessions/memory-sessions.ts'
import { createMemorySignIns } from '../passwords/memory-sign-ins.ts'
import { authenticatorsOf } from './memory-authenticators.ts'
import { createMemoryUpkeep } from './memory-upkeep.ts'
import { createMemoryWebhooks, eraseWebhooksOf } from '../notifications/webhooks/memory-webhooks.ts'
import { createMemoryInvitations } from '../invitations/memory-invitations.ts'

/** What `createMemoryStorage` takes. */
export interface MemoryStorageOptions {
  /** The keys that rows may be written under from the start; only 1 by default. Ignored with `data`. */
  readonly activeKids?: readonly number[]
  /** Data to open a second time, as another process would. New, empty data by default. */
  readonly data?: MemoryData
  /**
   * Accepts rows that refer to accounts, folders or keys that it does not know, because other stores have them; see `besideMemory`. False
   * by default.
   */
  readonly trustReferences?: boolean
}

/** A storage in memory. */
export interface MemoryStorage extends FullOpenStorage {
  readonly quota: MemoryQuota
  readonly fileContents: MemoryFiles
  /** What the stores share, to look at it or to open it again. */
  readonly data: MemoryData
}

/** A storage in memory: correct, but not durable, and slow with many rows. */
export function createMemoryStorage({
  activeKids = [1],
  data = createMemoryData(activeKids),
  trustReferences = false,
}: MemoryStorageOptions = {}): MemoryStorage {
  const connection = connectMemory(data, { trustReferences })
  const quota = createMemoryQuota(data.quota)
  return {
    ...createMemoryStores(connection),
    ...createMemoryIdentityStores(connection),
    quota,
    fileContents: createMemoryFiles(data.fileContents),
    instanceId: data.instanceId,
    upkeep: createMemoryUpkeep(connection),
    // What is erased in memory leaves no trace.
    erasure: { pendingForMillis: () => undefined, finish: () => !connection.isClosed() },
    data,
    close() {
      connection.close()
      quota.close()
      return Promise.resolve()
    },
  }
}

/** What a reset, an invitation that replaces a password, and an erasure of the account erase of it. */
const access = [eraseWebhooksOf, eraseIdentitiesOf, erasePasskeysOf]

/** The stores of secrets, of their owners and of what these are told. */
function createMemoryStores(connection: MemoryConnection) {
  return {
    accounts: createMemoryAccounts(connection, access),
    folders: createMemoryFolders(connection),
    secrets: createMemorySecrets(connection),
    drafts: createMemoryDrafts(connection),
    idempotencyKeys: createMemoryIdempotency(connection),
    links: createMemoryLinks(connection),
    secretFiles: createMemorySecretFiles(connection),
    requests: createMemoryRequests(connection),
    outbox: createMemoryOutbox(connection),
    deliveries: createMemoryDeliveries(connection),
    webhooks: createMemoryWebhooks(connection),
    keys: createMemoryKeys(connection),
    servers: createMemoryServers(connection),
    rewraps: createMemoryRewraps(connection),
    corruption: createMemoryCorruption(connection),
  }
}

/** The stores of how owners sign in. */
function createMemoryIdentityStores(connection: MemoryConnection) {
  return {
    accessTokens: createMemoryAccessTokens(connection),
    passwords: createMemoryPasswords(connection, authenticatorsOf),
    identities: createMemoryIdentities(connection, authenticatorsOf, access),
    passkeys: createMemoryPasskeys(connection, authenticatorsOf),
    usedTokens: createMemoryUsedTokens(connection),
    sessions: createMemorySessions(connection),
    invitations: createMemoryInvitations(connection, access),
    emailChanges: createMemoryEmailChanges(connection),
    signIns: createMemorySignIns(connection),
  }
}

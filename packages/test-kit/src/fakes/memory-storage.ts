import type {
  AccessTokenStore,
  AccountStore,
  DraftStore,
  FolderStore,
  KeyStore,
  LinkStore,
  RewrapStore,
  SecretStore,
} from '@sotto/core'
import { createMemoryAccessTokens } from './memory-access-tokens.ts'
import { createMemoryAccounts } from './memory-accounts.ts'
import { connectMemory, createMemoryData, type MemoryData } from './memory-data.ts'
import { createMemoryDrafts } from './memory-drafts.ts'
import { createMemoryFolders } from './memory-folders.ts'
import { createMemoryKeys } from './memory-keys.ts'
import { createMemoryLinks } from './memory-links.ts'
import { createMemoryRewraps } from './memory-rewraps.ts'
import { createMemorySecrets } from './memory-secrets.ts'

/** All stores that share one database, under the names by which the core asks for them. */
export interface StorageStores {
  readonly accounts: AccountStore
  readonly folders: FolderStore
  readonly secrets: SecretStore
  readonly drafts: DraftStore
  readonly links: LinkStore
  readonly accessTokens: AccessTokenStore
  readonly keys: KeyStore
  readonly rewraps: RewrapStore
}

export interface MemoryStorageOptions {
  /** The keys that rows may be written under from the beginning; 1 alone unless told otherwise. Ignored with `data`. */
  readonly activeKids?: readonly number[]
  /** Data to be opened a second time, as another process would. Empty data of its own without it. */
  readonly data?: MemoryData
}

export interface MemoryStorage extends StorageStores {
  /** What the stores share: to look at it, or to open it again. */
  readonly data: MemoryData
  /** From now on every method answers `storage_unavailable`. The data stays. */
  close(): void
}

/** The stores in memory: correct, forgetful, and not made for many rows. */
export function createMemoryStorage({
  activeKids = [1],
  data = createMemoryData(activeKids),
}: MemoryStorageOptions = {}): MemoryStorage {
  const connection = connectMemory(data)
  return {
    accounts: createMemoryAccounts(connection),
    folders: createMemoryFolders(connection),
    secrets: createMemorySecrets(connection),
    drafts: createMemoryDrafts(connection),
    links: createMemoryLinks(connection),
    accessTokens: createMemoryAccessTokens(connection),
    keys: createMemoryKeys(connection),
    rewraps: createMemoryRewraps(connection),
    data,
    close: () => connection.close(),
  }
}

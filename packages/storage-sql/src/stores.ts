import { eraseOf, type RowsOfAccount } from './accounts/account-erasure.ts'
import { createAccounts } from './accounts/accounts.ts'
import type { Engine } from './engine/engine.ts'
import type { EraseSecrets, InsertSecret } from './engine/secret-work.ts'
import { createDrafts, type OwnDrafts } from './drafts/drafts.ts'
import { createSecretFiles } from './files/secret-files.ts'
import { createFolders } from './folders/folders.ts'
import { createKeys } from './keys/keys.ts'
import { createRewrapTexts } from './keys/rewrap-texts.ts'
import { createServers } from './keys/servers.ts'
import { createDeliveries } from './notifications/deliveries.ts'
import { createOutbox } from './notifications/outbox.ts'
import { createWebhooks } from './notifications/webhooks/webhooks.ts'
import { createRequests, eraseRequests } from './requests/requests.ts'
import { createTextCorruption } from './storage/text-corruption.ts'
import { allTables, keyedTables, textPlaces } from './tables.ts'

/** What an adapter brings, because each database has the tables of secrets in a form of its own. */
export interface OwnSecrets {
  readonly erase: EraseSecrets
  readonly insert: InsertSecret
  readonly drafts: OwnDrafts
  /** Whether a row of `secrets` (as `s`) has its note, as a condition. */
  readonly hasNote: string
}

/** The stores that every database shares. Those of rewraps and of corruption know texts only: an adapter adds the methods for secrets. */
export function createStores(engine: Engine, secrets: OwnSecrets) {
  return {
    accounts: createAccounts(engine, rowsOfAccount(secrets.erase)),
    folders: createFolders(engine, secrets.erase),
    drafts: createDrafts(engine, secrets.drafts),
    secretFiles: createSecretFiles(engine, secrets),
    requests: createRequests(engine, secrets.insert),
    outbox: createOutbox(engine),
    deliveries: createDeliveries(engine),
    webhooks: createWebhooks(engine),
    keys: createKeys(engine, keyedTables),
    servers: createServers(engine),
    rewraps: createRewrapTexts(engine, textPlaces),
    corruption: createTextCorruption(engine, textPlaces),
  }
}

/** What is erased with an account. */
function rowsOfAccount(secrets: EraseSecrets): RowsOfAccount {
  return {
    atOnce: allTables.flatMap(({ name, ofAccount }) => (ofAccount === 'few' ? [name] : [])),
    uncounted: [eraseOf('access_tokens'), (account, most) => eraseRequests('account_id', account, most)],
    secrets,
    last: 'folders',
  }
}

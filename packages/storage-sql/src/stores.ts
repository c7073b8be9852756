import { createAccessTokens } from './access-tokens/access-tokens.ts'
import { eraseOf, type RowsOfAccount } from './accounts/account-erasure.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createEmailChanges } from './email-changes/email-changes.ts'
import type { Engine } from './engine/engine.ts'
import type { EraseSecrets, InsertSecret } from './engine/secret-work.ts'
import { createSecretFiles } from './files/secret-files.ts'
import { createFolders } from './folders/folders.ts'
import { createInvitations } from './invitations/invitations.ts'
import { createKeys } from './keys/keys.ts'
import { createRewrapTexts } from './keys/rewrap-texts.ts'
import { createServers } from './keys/servers.ts'
import { createDeliveries } from './notifications/deliveries.ts'
import { createOutbox } from './notifications/outbox.ts'
import { createWebhooks } from './notifications/webhooks/webhooks.ts'
import { createPasskeys } from './passkeys/passkeys.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createSignIns } from './passwords/sign-ins.ts'
import { createRequests, eraseRequests } from './requests/requests.ts'
import { createSessions } from './sessions/sessions.ts'
import { createUsedTokens } from './sessions/used-tokens.ts'
import { createIdentities } from './single-sign-on/identities.ts'
import { createTextCorruption } from './storage/text-corruption.ts'
import { allTables, keyedTables, textPlaces } from './tables.ts'
import { createReadAuthenticators } from './authenticators.ts'

/** What an adapter brings, because each database has the tables of secrets in a form of its own. */
export interface OwnSecrets {
  readonly erase: EraseSecrets
  readonly insert: InsertSecret
  /** Whether a row of `secrets` (as `s`) has its note, as a condition. */
  readonly hasNote: string
}

/** The stores that every database shares. Those of rewraps and of corruption know texts only: an adapter adds the methods for secrets. */
export function createStores(engine: Engine, secrets: OwnSecrets) {
  return {
    accounts: createAccounts(engine, rowsOfAccount(secrets.erase)),
    folders: createFolders(engine, secrets.erase),
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

/** The stores of how owners sign in. That of access tokens lacks the methods that each request calls: an adapter adds them. */
export function createIdentityStores(engine: Engine) {
  const readAuthenticators = createReadAuthenticators(engine)
  return {
    accessTokens: createAccessTokens(engine),
    sessions: createSessions(engine),
    usedTokens: createUsedTokens(engine),
    passwords: createPasswords(engine),
    signIns: createSignIns(engine),
    passkeys: createPasskeys(engine, readAuthenticators),
    identities: createIdentities(engine, readAuthenticators),
    invitations: createInvitations(engine),
    emailChanges: createEmailChanges(engine),
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

import { brokenCiphers } from './cipher.ts'
import { brokenClocks, brokenRandoms } from './clock-and-random.ts'
import { brokenDeliveries } from './deliveries.ts'
import { brokenEmailChanges } from './email-changes.ts'
import { brokenFileCiphers, brokenFileStores } from './files.ts'
import { brokenIdentities } from './identities.ts'
import { brokenGroups } from './needed-stores.ts'
import { brokenPasskeyVerifiers } from './passkey-verifiers.ts'
import { brokenIdentityProviders } from './identity-providers.ts'
import { brokenPasswordHashers } from './password-hashers.ts'
import { brokenPeople } from './people.ts'
import { brokenQuotas } from './quota.ts'
import { brokenRequests } from './requests.ts'
import { brokenSecretFiles } from './secret-files.ts'
import { brokenSecrets } from './secrets.ts'
import { brokenMailSenders, brokenWebhookSenders } from './senders.ts'
import { brokenStorages } from './storage.ts'

/**
 * An example of a flaw for each file of the contracts, and those that no mutant of a fake has: races, and what a whole fake lacks. That
 * every case can fail is shown by mutants: see `mutated-cases.test.ts`.
 */
export const flaws = {
  storage: [
    ...brokenStorages,
    ...brokenGroups,
    ...brokenPeople,
    ...brokenEmailChanges,
    ...brokenIdentities,
    ...brokenSecrets,
    ...brokenSecretFiles,
    ...brokenDeliveries,
    ...brokenRequests,
  ],
  quota: brokenQuotas,
  fileStore: brokenFileStores,
  cipher: brokenCiphers,
  fileCipher: brokenFileCiphers,
  passwordHasher: brokenPasswordHashers,
  passkeyVerifier: brokenPasskeyVerifiers,
  mailSender: brokenMailSenders,
  webhookSender: brokenWebhookSenders,
  identityProvider: brokenIdentityProviders,
  clock: brokenClocks,
  random: brokenRandoms,
} as const

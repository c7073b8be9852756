/** The stores of `@sotto/identity` that every SQL database shares. This path needs that package. */

import { createAccessTokens } from './access-tokens/access-tokens.ts'
import { createSessions } from './sessions/sessions.ts'
import { createUsedTokens } from './sessions/used-tokens.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createSignIns } from './passwords/sign-ins.ts'
import { eraseWebhooks } from './notifications/webhooks/webhooks.ts'
import { createPasskeys, erasePasskeys } from './passkeys/passkeys.ts'
import { createIdentities, eraseIdentities } from './single-sign-on/identities.ts'
import { createInvitations, createSpendLink } from './invitations/invitations.ts'
import { createEmailChanges } from './email-changes/email-changes.ts'
import { createReadAuthenticators } from './authenticators.ts'
import type { Engine } from './engine/engine.ts'

/** The stores of how owners sign in. That of access tokens lacks the methods that each request calls: an adapter adds them. */
export function createIdentityStores(engine: Engine) {
  const readAuthenticators = createReadAuthenticators(engine)
  const spendLink = createSpendLink([eraseWebhooks, eraseIdentities, erasePasskeys])
  return {
    accessTokens: createAccessTokens(engine),
    sessions: createSessions(engine),
    usedTokens: createUsedTokens(engine),
    passwords: createPasswords(engine, readAuthenticators),
    signIns: createSignIns(engine),
    passkeys: createPasskeys(engine, readAuthenticators),
    identities: createIdentities(engine, readAuthenticators, spendLink),
    invitations: createInvitations(engine, spendLink),
    emailChanges: createEmailChanges(engine),
  }
}

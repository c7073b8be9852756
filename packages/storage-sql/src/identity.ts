/** The stores of `@sotto/identity` that every SQL database shares. This path needs that package. */

import { createAccessTokens } from './access-tokens/access-tokens.ts'
import { createSessions } from './sessions/sessions.ts'
import { createUsedTokens } from './sessions/used-tokens.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createSignIns } from './passwords/sign-ins.ts'
import { createPasskeys } from './passkeys/passkeys.ts'
import { createIdentities } from './single-sign-on/identities.ts'
import { createInvitations } from './invitations/invitations.ts'
import { createEmailChanges } from './email-changes/email-changes.ts'
import { createReadAuthenticators } from './authenticators.ts'
import type { Engine } from './engine/engine.ts'

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

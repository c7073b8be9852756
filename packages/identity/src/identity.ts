import { createSotto, defaultPolicy, type ErrorOf, type Policy, type Sotto } from '@sotto/core'
import type { FullPorts } from './storage/ports.ts'
import { bindAll, list, result, type MethodsOf, type PortsOf, account } from '@sotto/core/building-blocks'
import { createAuthenticators, type AuthenticatorsOptions } from './authenticators/use-cases.ts'
import { createAccessTokens, type AccessTokensOptions } from './access-tokens/use-cases.ts'
import { createEmailChanges, type EmailChangesOptions } from './email-changes/use-cases.ts'
import { createInvitations, type InvitationsOptions } from './invitations/use-cases.ts'
import { createPasskeys, type PasskeysOptions } from './passkeys/use-cases.ts'
import { createPasswords, type PasswordsOptions } from './passwords/use-cases.ts'
import { createSessions, type SessionsOptions } from './sessions/use-cases.ts'
import { exportAccount } from './storage/export-account.ts'
import { sweepExpired } from './storage/sweep-expired.ts'
import type { IdentityPolicy } from './sessions/sign-in-policy.ts'
import { createSingleSignOn, type SingleSignOnOptions } from './single-sign-on/use-cases.ts'

/** What replaces the use-cases of the same name of the core. */
const useCases = {
  sweepExpired: result(sweepExpired, { shouldStop: 'function?' }),
  exportAccount: list(exportAccount, account),
}

const methods: MethodsOf<typeof useCases> = {
  sessions: { eraseOver: true, page: true },
  invitations: { eraseExpired: true },
  emailChanges: { eraseExpired: true },
  signIns: { eraseOver: true },
  usedTokens: { eraseOver: true },
  secretFiles: { eraseTickets: true, page: true },
  secrets: { eraseExpired: true, overviews: true },
  requests: { eraseExpired: true, page: true },
  accounts: { eraseBegun: true, find: true },
  idempotencyKeys: { eraseOld: true },
  outbox: { eraseOld: true },
  deliveries: { eraseDead: true },
  quota: { eraseOver: true },
  clock: { nowMicros: true },
  random: { bytes: true },
  textCipher: { decryptText: true, encryptText: true },
  folders: { page: true },
  drafts: { page: true, find: true, updateAttempts: true },
  secretCipher: { decryptHead: true, decryptNote: true },
  webhooks: { list: true },
  accessTokens: { page: true },
  identities: { list: true },
  passkeys: { list: true },
}

/** What {@link createIdentity} binds its use-cases to. */
export interface IdentityOptions {
  readonly ports: AccessTokensOptions['ports'] &
    SessionsOptions['ports'] &
    AuthenticatorsOptions['ports'] &
    PasswordsOptions['ports'] &
    PasskeysOptions['ports'] &
    InvitationsOptions['ports'] &
    SingleSignOnOptions['ports'] &
    EmailChangesOptions['ports'] &
    PortsOf<typeof useCases>
  /** How people sign in: by default with passwords, and no account is made for anybody. */
  readonly policy?: IdentityPolicy | undefined
}

/** How people prove who they are. Throws a TypeError when a method of a port is missing. */
export function createIdentity({ ports, policy }: IdentityOptions) {
  return {
    ...createAccessTokens({ ports }),
    ...createSessions({ ports }),
    ...createAuthenticators({ ports }),
    ...createPasswords({ ports, policy }),
    ...createPasskeys({ ports, policy }),
    ...createInvitations({ ports, policy }),
    ...createSingleSignOn({ ports, policy }),
    ...createEmailChanges({ ports }),
    ...bindAll(useCases, methods, ports),
  }
}

/** What {@link createFullSotto} binds the use-cases to. */
export interface FullSottoOptions {
  /** The adapters. */
  readonly ports: FullPorts
  /** The bounds that this installation sets; `defaultPolicy` by default. */
  readonly policy?: (Policy & IdentityPolicy) | undefined
}

/** The use-cases of identity, bound to ports and policy. */
export type IdentityUseCases = ReturnType<typeof createIdentity>

/** All use-cases of the core and of identity, bound to ports and policy. */
export type FullSotto = Omit<Sotto, keyof IdentityUseCases | 'policy'> &
  IdentityUseCases & { readonly policy: Policy & IdentityPolicy }

/** Binds all use-cases of the core and of identity to the same ports and policy. Throws a TypeError as `createSotto` does. */
export function createFullSotto({ ports, policy = defaultPolicy }: FullSottoOptions): FullSotto {
  return { ...createSotto({ ports, policy }), policy, ...createIdentity({ ports, policy }) }
}

/** Every error that a use-case of the core or of identity can return. */
export type FullSottoError = ErrorOf<FullSotto[keyof FullSotto]>

/** The `code` of every error that a use-case of the core or of identity can return. */
export type FullSottoErrorCode = FullSottoError['code']

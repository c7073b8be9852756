import {
  bindAll,
  result,
  type MethodsOf,
  type PortsOf,
  account,
  accountAndId,
  token,
} from '@sotto/core/building-blocks'
import type { IdentityPolicy } from '../sessions/sign-in-policy.ts'
import { beginSso } from './begin-sso.ts'
import { connectIdentity } from './connect-identity.ts'
import { endSessionsOfIdentity } from './end-sessions-of-identity.ts'
import { listIdentities } from './identities.ts'
import { reauthenticateWithIdentity } from './reauthenticate-with-identity.ts'
import { signInWithIdentity } from './sign-in-with-identity.ts'
import { disconnectIdentity, removeIdentity } from './disconnect-identity.ts'
import { takeInvitation } from './take-invitation.ts'

const ssoCallback = { callbackUrl: 'string', pending: 'string' } as const

const useCases = {
  beginSso: result(beginSso, { redirectUri: 'string', fresh: 'boolean' }),
  signInWithIdentity: result(signInWithIdentity, { ...ssoCallback, address: 'string' }),
  reauthenticateWithIdentity: result(reauthenticateWithIdentity, {
    ...ssoCallback,
    ...account,
    sessionId: 'string',
  }),
  endSessionsOfIdentity: result(endSessionsOfIdentity, { logoutToken: 'string' }),
  takeInvitation: result(takeInvitation, { ...ssoCallback, ...token, address: 'string' }),
  listIdentities: result(listIdentities, account),
  connectIdentity: result(connectIdentity, { ...ssoCallback, ...account }),
  disconnectIdentity: result(disconnectIdentity, { ...accountAndId, sessionId: 'string', rpId: 'string?' }),
  removeIdentity: result(removeIdentity, accountAndId),
}

const methods: MethodsOf<typeof useCases> = {
  digests: { keyedDigests: true, accountIndexes: true, opaqueTokenDigest: true },
  clock: { nowMicros: true },
  textCipher: { encryptText: true, decryptText: true },
  keyRing: { refresh: true, follow: true },
  accounts: { findByName: true, find: true },
  random: { bytes: true },
  sessions: { page: true, erase: true, insert: true, recordReauthentication: true },
  signIns: { knowsAddress: true, rememberAddress: true },
  identityProvider: {
    begin: 'if present',
    finish: 'if present',
    readLogout: 'if present',
    issuer: 'if present',
  },
  identities: {
    find: true,
    refuse: true,
    recordUse: true,
    insertAccount: true,
    endSessions: true,
    takeInvitation: true,
    list: true,
    insert: true,
    erase: true,
  },
  folders: { insert: true, page: true },
  passwords: { find: true },
  invitations: { find: true },
  webhooks: { list: true },
  mailSender: { send: 'if present' },
}

/** What {@link createSingleSignOn} binds its use-cases to. */
export interface SingleSignOnOptions {
  readonly ports: PortsOf<typeof useCases>
  /** How people sign in; with passwords, and nobody allowed, by default. */
  readonly policy?: IdentityPolicy | undefined
}

/** Signing in with an identity of a provider, and the identities of an account. Throws a TypeError when a method of a port is missing. */
export function createSingleSignOn({ ports, policy = {} }: SingleSignOnOptions) {
  return bindAll(useCases, methods, { ...ports, policy })
}

import {
  anObject,
  objectOf,
  bindAll,
  result,
  withoutInput,
  type MethodsOf,
  type PortsOf,
  account,
  accountAndId,
} from '@sotto/core/building-blocks'
import type { IdentityPolicy } from '../sessions/sign-in-policy.ts'
import type { Session } from '../sessions/session.ts'
import type { UsedPasskey } from './verify-passkey.ts'
import type { SentAssertion, SentPasskey } from './passkey-verifier.ts'
import type { RelyingParty } from './passkey-rules.ts'
import { addPasskey, beginPasskey } from './add-passkey.ts'
import { beginPasskeyProof, deletePasskey, listPasskeys } from './passkeys.ts'
import { reauthenticateWithPasskey } from './reauthenticate-with-passkey.ts'
import { beginPasskeySignIn, signInWithPasskey } from './sign-in-with-passkey.ts'

/** The relying party, which is made of the base URL and passed on by the pages. */
const relyingParty = objectOf<RelyingParty>({ id: 'string', origin: 'string' })

const useCases = {
  beginPasskeySignIn: withoutInput(beginPasskeySignIn),
  signInWithPasskey: result(signInWithPasskey, {
    assertion: anObject<SentAssertion>,
    relyingParty,
    address: 'string',
  }),
  beginPasskey: result(beginPasskey, { ...account, sessionId: 'string' }),
  addPasskey: result(addPasskey, {
    ...account,
    sessionId: 'string',
    name: 'string',
    made: anObject<SentPasskey>,
    relyingParty,
  }),
  beginPasskeyProof: result(beginPasskeyProof, { ...account, sessionId: 'string', rpId: 'string' }),
  reauthenticateWithPasskey: result(reauthenticateWithPasskey, {
    ...account,
    session: anObject<Session>,
    passkey: anObject<UsedPasskey>,
    address: 'string',
  }),
  listPasskeys: result(listPasskeys, account),
  deletePasskey: result(deletePasskey, { ...accountAndId, sessionId: 'string', rpId: 'string?' }),
}

const methods: MethodsOf<typeof useCases> = {
  signIns: { update: true, knowsAddress: true, rememberAddress: true },
  digests: { keyedDigests: true, opaqueTokenDigest: true },
  clock: { nowMicros: true },
  random: { bytes: true },
  textCipher: { decryptText: true, encryptText: true },
  sessions: { page: true, erase: true, insert: true, recordReauthentication: true },
  accounts: { find: true },
  keyRing: { follow: true },
  usedTokens: { use: true },
  passkeyVerifier: { read: true, isSigned: true },
  passkeys: { findByCredential: true, recordUse: true, list: true, insert: true, erase: true },
  identityProvider: { issuer: 'if present' },
}

/** What {@link createPasskeys} binds its use-cases to. */
export interface PasskeysOptions {
  readonly ports: PortsOf<typeof useCases>
  /** How people sign in; with passwords, and nobody allowed, by default. */
  readonly policy?: IdentityPolicy | undefined
}

/**
 * Passkeys: adding, listing and deleting them, signing in with them, and proving again with one who one is. Throws a TypeError when a method
 * of a port is missing.
 */
export function createPasskeys({ ports, policy = {} }: PasskeysOptions) {
  return bindAll(useCases, methods, { ...ports, policy })
}

import {
  anObject,
  bindAll,
  result,
  type MethodsOf,
  type PortsOf,
  account,
  email,
} from '@sotto/core/building-blocks'
import type { IdentityPolicy } from '../sessions/sign-in-policy.ts'
import { changePassword } from './change-password.ts'
import { ensureReauthentication } from './ensure-reauthentication.ts'
import { signIn } from './sign-in.ts'
import type { Session } from '../sessions/session.ts'

const useCases = {
  signIn: result(signIn, { ...email, password: 'string', address: 'string' }),
  ensureReauthentication: result(ensureReauthentication, {
    ...account,
    session: anObject<Session>,
    password: 'string?',
    address: 'string',
  }),
  changePassword: result(changePassword, { ...account, sessionId: 'string', password: 'string' }),
}

const methods: MethodsOf<typeof useCases> = {
  signIns: { update: true, knowsAddress: true, rememberAddress: true },
  digests: { keyedDigests: true, accountIndexes: true, opaqueTokenDigest: true },
  clock: { nowMicros: true },
  random: { bytes: true },
  textCipher: { decryptText: true, encryptText: true },
  passwordHasher: { hash: true, params: true },
  sessions: { page: true, erase: true, insert: true, recordReauthentication: true },
  accounts: { findByName: true, find: true },
  passwords: { find: true, replace: true },
  keyRing: { refresh: true, follow: true },
  mailSender: { send: 'if present' },
}

/** What {@link createPasswords} binds its use-cases to. */
export interface PasswordsOptions {
  readonly ports: PortsOf<typeof useCases>
  /** How people sign in; with passwords, and nobody allowed, by default. */
  readonly policy?: IdentityPolicy | undefined
}

/** Signing in with a password, entering it again, and changing it. Throws a TypeError when a method of a port is missing. */
export function createPasswords({ ports, policy = {} }: PasswordsOptions) {
  return bindAll(useCases, methods, { ...ports, policy })
}

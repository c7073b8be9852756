import {
  bindAll,
  result,
  type MethodsOf,
  type PortsOf,
  account,
  email,
  token,
  oneOf,
} from '@sotto/core/building-blocks'
import type { IdentityPolicy } from '../sessions/sign-in-policy.ts'
import { choosePassword } from './choose-password.ts'
import { mailInvitation } from './mail-invitation.ts'
import { inviteAccount } from './invite-account.ts'
import { previewInvitation } from './preview-invitation.ts'
import { requestReset } from './request-reset.ts'
import { resetAccount } from './reset-account.ts'

const useCases = {
  inviteAccount: result(inviteAccount, email),
  mailInvitation: result(mailInvitation, {
    ...account,
    invitation: oneOf('invite', 'reset'),
    url: 'string',
    expiresAtMicros: 'number',
  }),
  resetAccount: result(resetAccount, email),
  requestReset: result(requestReset, { ...email, address: 'string', urlOf: 'function' }),
  previewInvitation: result(previewInvitation, token),
  choosePassword: result(choosePassword, { ...token, password: 'string', address: 'string' }),
}

const methods: MethodsOf<typeof useCases> = {
  digests: { accountIndexes: true, opaqueTokenDigest: true, keyedDigests: true },
  clock: { nowMicros: true },
  textCipher: { encryptText: true, decryptText: true },
  keyRing: { refresh: true, follow: true },
  accounts: { insert: true, findByName: true, find: true },
  random: { bytes: true },
  signIns: { update: true, knowsAddress: true, rememberAddress: true },
  passwordHasher: { hash: true, params: true },
  passwords: { find: true },
  mailSender: { send: 'if present' },
  folders: { insert: true, page: true },
  webhooks: { list: true },
  invitations: { replace: true, find: true, spend: true },
}

/** What {@link createInvitations} binds its use-cases to. */
export interface InvitationsOptions {
  readonly ports: PortsOf<typeof useCases>
  /** How people sign in; with passwords, and nobody allowed, by default. */
  readonly policy?: IdentityPolicy | undefined
}

/** One-time links: invitations and resets. Throws a TypeError when a method of a port is missing. */
export function createInvitations({ ports, policy = {} }: InvitationsOptions) {
  return bindAll(useCases, methods, { ...ports, policy })
}

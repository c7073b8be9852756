import {
  bindAll,
  result,
  type MethodsOf,
  type PortsOf,
  account,
  email,
  token,
} from '@sotto/core/building-blocks'
import { changeEmail } from './change-email.ts'
import { confirmEmailChange } from './confirm-email-change.ts'
import { previewEmailChange } from './preview-email-change.ts'
import { requestEmailChange } from './request-email-change.ts'

const useCases = {
  changeEmail: result(changeEmail, { ...account, ...email }),
  requestEmailChange: result(requestEmailChange, { ...account, ...email, urlOf: 'function' }),
  previewEmailChange: result(previewEmailChange, token),
  confirmEmailChange: result(confirmEmailChange, token),
}

const methods: MethodsOf<typeof useCases> = {
  digests: { accountIndexes: true, keyedDigests: true, opaqueTokenDigest: true },
  clock: { nowMicros: true },
  textCipher: { decryptText: true, encryptText: true, sealText: true, unsealText: true },
  keyRing: { refresh: true, follow: true },
  accounts: { find: true, rename: true, findByName: true },
  random: { bytes: true },
  signIns: { update: true },
  mailSender: { send: 'if present' },
  emailChanges: { replace: true, find: true, spend: true },
}

/** What {@link createEmailChanges} binds its use-cases to. */
export interface EmailChangesOptions {
  readonly ports: PortsOf<typeof useCases>
}

/** Changes of email addresses. Throws a TypeError when a method of a port is missing. */
export function createEmailChanges({ ports }: EmailChangesOptions) {
  return bindAll(useCases, methods, ports)
}

import type { AttestedPasskey, ReadPasskey } from '@sotto/identity'
import { readCoseKey } from './cose-key.ts'

/** What authenticator data (WebAuthn 3, section 6.1) contains. */
export interface AuthenticatorData extends Pick<
  ReadPasskey,
  'isUserPresent' | 'isUserVerified' | 'isBackupEligible' | 'isBackedUp' | 'signCount' | 'attested'
> {
  readonly rpIdHash: Uint8Array
}

const hashBytes = 32
const headBytes = hashBytes + 1 + 4
const aaguidBytes = 16
const flags = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10 } as const
const hasAttested = 0x40
const hasExtensions = 0x80
const credentialIdBytes = { min: 16, max: 1_023 } as const

/** Reads authenticator data. Extensions are not looked into: none is asked for. `undefined` when anything is missing or superfluous. */
export function readAuthenticatorData(data: Buffer): AuthenticatorData | undefined {
  if (data.length < headBytes) return undefined
  const set = data.readUInt8(hashBytes)
  const isSet = (flag: number): boolean => (set & flag) !== 0
  const attested = isSet(hasAttested) ? readAttested(data) : undefined
  if (isSet(hasAttested) && attested === undefined) return undefined
  const end = attested?.end ?? headBytes
  if (isSet(hasExtensions) === (end === data.length)) return undefined
  return {
    rpIdHash: data.subarray(0, hashBytes),
    isUserPresent: isSet(flags.userPresent),
    isUserVerified: isSet(flags.userVerified),
    isBackupEligible: isSet(flags.backupEligible),
    isBackedUp: isSet(flags.backedUp),
    signCount: data.readUInt32BE(hashBytes + 1),
    attested: attested?.passkey,
  }
}

/** Whether a credential id has a length that authenticators make. */
export function isCredentialId(bytes: Uint8Array): boolean {
  return bytes.length >= credentialIdBytes.min && bytes.length <= credentialIdBytes.max
}

/** Attested credential data (section 6.5.2): AAGUID, length of the id, id, key. */
function readAttested(data: Buffer): { readonly passkey: AttestedPasskey; readonly end: number } | undefined {
  const idAt = headBytes + aaguidBytes + 2
  if (data.length < idAt) return undefined
  const keyAt = idAt + data.readUInt16BE(idAt - 2)
  // A copy, because the bytes around it are those of the request.
  const credentialId = Uint8Array.from(data.subarray(idAt, keyAt))
  if (data.length < keyAt || !isCredentialId(credentialId)) return undefined
  const key = readCoseKey(data.subarray(keyAt))
  if (key === undefined) return undefined
  const { bytes, ...described } = key
  return { passkey: { credentialId, ...described }, end: keyAt + bytes }
}

import type { PasskeyVerifier, ReadPasskey } from '@sotto/identity'
import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto'
import { isCredentialId, readAuthenticatorData } from './authenticator-data.ts'

/** Reads and verifies passkeys. It keeps no state. */
export const passkeyVerifier: PasskeyVerifier = {
  read(sent, rpId) {
    const credentialId = bytesOf(sent.credentialId)
    const clientData = bytesOf(sent.clientData)
    const authenticatorData = bytesOf(sent.authenticatorData)
    if (credentialId === undefined || !isCredentialId(credentialId)) return undefined
    const client = clientData && readClientData(clientData)
    const read = authenticatorData && readAuthenticatorData(authenticatorData)
    if (client === undefined || read === undefined) return undefined
    const { rpIdHash, ...authenticator } = read
    const isForRelyingParty = hash('sha256', rpId, 'buffer').equals(rpIdHash)
    return { ...client, ...authenticator, credentialId: Uint8Array.from(credentialId), isForRelyingParty }
  },

  isSigned({ clientData, authenticatorData, signature }, publicKey) {
    const signed = bytesOf(authenticatorData)
    const client = bytesOf(clientData)
    const given = bytesOf(signature)
    if (signed === undefined || client === undefined || given === undefined) return false
    const data = Buffer.concat([signed, hash('sha256', client, 'buffer')])
    try {
      const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
      const algorithm = algorithmOf(key)
      return algorithm !== undefined && verify(algorithm.digest, data, key, given)
    } catch {
      return false
    }
  },
}

/** The kind of the key decides: no message chooses an algorithm. */
function algorithmOf(key: KeyObject): { readonly digest: 'sha256' | null } | undefined {
  switch (key.asymmetricKeyType) {
    case 'ec':
      return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? { digest: 'sha256' } : undefined
    case 'rsa':
      return { digest: 'sha256' }
    case 'ed25519':
      return { digest: null }
    default:
      return undefined
  }
}

type ClientData = Pick<ReadPasskey, 'type' | 'challenge' | 'origin' | 'isCrossOrigin'>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Client data has more fields than these, and more are added (WebAuthn 3, section 5.8.1). */
function readClientData(bytes: Buffer): ClientData | undefined {
  const data = parsed(bytes)
  if (typeof data !== 'object' || data === null) return undefined
  const { type, challenge, origin, crossOrigin, topOrigin } = data as Record<string, unknown>
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string')
    return undefined
  if (crossOrigin !== undefined && typeof crossOrigin !== 'boolean') return undefined
  return { type, challenge, origin, isCrossOrigin: crossOrigin === true || topOrigin !== undefined }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}

/** The bytes of a text; `undefined` for everything but their one spelling. */
function bytesOf(base64url: string): Buffer | undefined {
  const bytes = Buffer.from(base64url, 'base64url')
  return bytes.length > 0 && bytes.toString('base64url') === base64url ? bytes : undefined
}

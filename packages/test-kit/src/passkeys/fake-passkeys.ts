import type { PasskeyVerifier, ReadPasskey } from '@sotto/identity'
import { createHash } from 'node:crypto'
import { clientDataOf, type PasskeyCeremony, type TestPasskey } from './test-passkeys.ts'

/**
 * Makes a passkey without cryptography, for {@link createFakePasskeyVerifier}: anybody can sign with it. For tests only.
 * @param name another one for each passkey of a test
 */
export function createFakePasskey(name: string): TestPasskey {
  const publicKey = sha256('key', name)
  const credentialId = sha256('id', name)
  const dataOf = (ceremony: PasskeyCeremony, attested?: AuthenticatorData['attested']): string => {
    const { rpId, isUserPresent = true, isUserVerified = true, signCount = 0 } = ceremony
    const { isBackupEligible = false, isBackedUp = false } = ceremony
    const flags = { isUserPresent, isUserVerified, isBackupEligible, isBackedUp }
    const data: AuthenticatorData = { rpId, ...flags, signCount, attested }
    return Buffer.from(JSON.stringify(data)).toString('base64url')
  }
  return {
    credentialId,
    made: (ceremony) => ({
      credentialId,
      clientData: clientDataOf(ceremony, 'webauthn.create'),
      authenticatorData: dataOf(ceremony, { credentialId, publicKey }),
    }),
    used({ userHandle, ...ceremony }) {
      const clientData = clientDataOf(ceremony, 'webauthn.get')
      const authenticatorData = dataOf(ceremony)
      const signature = sha256(publicKey, clientData, authenticatorData)
      return { credentialId, clientData, authenticatorData, signature, userHandle }
    },
  }
}

/** Reads and verifies what {@link createFakePasskey} makes, as the port requires it. For tests only. */
export function createFakePasskeyVerifier(): PasskeyVerifier {
  return {
    read({ credentialId, clientData, authenticatorData }, rpId) {
      const id = bytesOf(credentialId)
      const client = parsed(clientData) as ClientData | undefined
      const read = parsed(authenticatorData) as AuthenticatorData | undefined
      if (!isCredentialId(id) || client === undefined || read === undefined) return undefined
      const { type, challenge, origin, crossOrigin, topOrigin } = client
      const { rpId: theirs, attested, ...authenticator } = read
      return {
        ...authenticator,
        ...{ type, challenge, origin },
        credentialId: id,
        isCrossOrigin: crossOrigin || topOrigin !== undefined,
        isForRelyingParty: theirs === rpId,
        attested: attested && {
          credentialId: bytesOf(attested.credentialId) ?? new Uint8Array(),
          publicKey: new Uint8Array(Buffer.from(attested.publicKey)),
          algorithm: -7,
        },
      }
    },
    isSigned: ({ clientData, authenticatorData, signature }, publicKey) =>
      signature === sha256(Buffer.from(publicKey).toString(), clientData, authenticatorData),
  }
}

interface ClientData {
  readonly type: string
  readonly challenge: string
  readonly origin: string
  readonly crossOrigin: boolean
  readonly topOrigin?: string
}

interface AuthenticatorData extends Pick<
  ReadPasskey,
  'isUserPresent' | 'isUserVerified' | 'isBackupEligible' | 'isBackedUp' | 'signCount'
> {
  readonly rpId: string
  readonly attested: { readonly credentialId: string; readonly publicKey: string } | undefined
}

function isCredentialId(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes !== undefined && bytes.length >= 16 && bytes.length <= 1_023
}

function parsed(base64url: string): unknown {
  const bytes = bytesOf(base64url)
  try {
    return bytes && JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

function bytesOf(base64url: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64url, 'base64url')
  return bytes.toString('base64url') === base64url ? new Uint8Array(bytes) : undefined
}

function sha256(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

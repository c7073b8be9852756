import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { clientDataOf, type PasskeyCeremony, type TestPasskey } from './test-passkeys.ts'

/** The algorithms of passkeys: ECDSA with P-256 and SHA-256, Ed25519, RSASSA-PKCS1-v1_5 with SHA-256. */
export type PasskeyAlgorithm = 'ES256' | 'EdDSA' | 'RS256'

/** What a passkey is made of. */
export interface SoftPasskeyParts {
  /** 16 to 1,023 bytes. */
  readonly id: Uint8Array
  readonly privateKey: KeyObject
}

/**
 * Makes a passkey whose messages are those of WebAuthn, with real signatures. For tests only.
 * @param parts those of a passkey that was made earlier; new ones by default
 */
export function createSoftPasskey(
  algorithm: PasskeyAlgorithm = 'ES256',
  { id: given, privateKey }: SoftPasskeyParts = { id: randomBytes(32), privateKey: newKeyOf(algorithm) },
): TestPasskey {
  const publicKey = createPublicKey(privateKey)
  const id = Buffer.from(given)
  const credentialId = id.toString('base64url')
  const aaguid = Buffer.alloc(16)
  const idLength = Buffer.from([0, id.length])
  const attested = Buffer.concat([aaguid, idLength, id, coseKey(algorithm, publicKey)])
  const digest = algorithm === 'EdDSA' ? null : 'sha256'
  return {
    credentialId,
    made(ceremony) {
      const authenticatorData = Buffer.concat([headOf(ceremony, flag.attested), attested])
      const clientData = clientDataOf(ceremony, 'webauthn.create')
      return { credentialId, clientData, authenticatorData: authenticatorData.toString('base64url') }
    },
    used({ userHandle, ...ceremony }) {
      const authenticatorData = headOf(ceremony, 0)
      const clientData = clientDataOf(ceremony, 'webauthn.get')
      const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientData, 'base64url'))])
      return {
        credentialId,
        clientData,
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign(digest, signed, privateKey).toString('base64url'),
        userHandle,
      }
    },
  }
}

function newKeyOf(algorithm: PasskeyAlgorithm): KeyObject {
  switch (algorithm) {
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    case 'EdDSA':
      return generateKeyPairSync('ed25519').privateKey
    case 'RS256':
      return generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
  }
}

const flag = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 } as const

/** RP ID hash, flags and counter (WebAuthn 3, section 6.1). */
function headOf(ceremony: PasskeyCeremony, more: number): Buffer {
  const { rpId, isUserPresent = true, isUserVerified = true, signCount = 0 } = ceremony
  const flags =
    more |
    (isUserPresent ? flag.present : 0) |
    (isUserVerified ? flag.verified : 0) |
    (ceremony.isBackupEligible === true ? flag.backupEligible : 0) |
    (ceremony.isBackedUp === true ? flag.backedUp : 0)
  const rest = Buffer.alloc(5, flags)
  rest.writeUInt32BE(signCount, 1)
  return Buffer.concat([sha256(rpId), rest])
}

/** A COSE key (RFC 9053, section 7): a map of integers to integers and byte strings, in CBOR. */
function coseKey(algorithm: PasskeyAlgorithm, key: KeyObject): Buffer {
  const { x, y, n, e } = key.export({ format: 'jwk' })
  switch (algorithm) {
    case 'ES256':
      return cborMap([1, 2], [3, -7], [-1, 1], [-2, x], [-3, y])
    case 'EdDSA':
      return cborMap([1, 1], [3, -8], [-1, 6], [-2, x])
    case 'RS256':
      return cborMap([1, 3], [3, -257], [-1, n], [-2, e])
  }
}

/** CBOR (RFC 8949, section 3) of integers, and of byte strings that are given in base64url. */
function cborMap(...entries: readonly (readonly [number, JsonWebKey['x'] | number])[]): Buffer {
  const items = entries.flatMap(([name, value]) => [
    cborInteger(name),
    typeof value === 'number' ? cborInteger(value) : cborBytes(Buffer.from(value ?? '', 'base64url')),
  ])
  return Buffer.concat([cborHead(5, entries.length), ...items])
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}

import type { AttestedPasskey } from '@sotto/identity'
import { createPublicKey, type JsonWebKey } from 'node:crypto'

/** A public key, and how many bytes of what was read it took. */
export interface ReadKey extends Pick<AttestedPasskey, 'publicKey' | 'algorithm'> {
  readonly bytes: number
}

/*
 * A COSE key (RFC 9052, section 7) within authenticator data is CBOR in CTAP2's canonical form (WebAuthn 3, section 6.5.1.1). That leaves one
 * encoding of each kind of key: these bytes, with the numbers of the key between them.
 */
const p256 = { head: bytes('a5 01 02 03 26 20 01 21 58 20'), between: bytes('22 58 20') }
const ed25519 = { head: bytes('a4 01 01 03 27 20 06 21 58 20') }
const rsa = { head: bytes('a4 01 03 03 39 01 00 20 59'), exponent: bytes('21 43 01 00 01') }
const coordinateBytes = 32
/** 2,048 to 4,096 bits. */
const modulusBytes = { min: 256, max: 512 } as const

/** Reads the COSE key that `data` begins with; `undefined` when it is none for ES256, EdDSA with Ed25519, or RS256. */
export function readCoseKey(data: Buffer): ReadKey | undefined {
  const reader = createReader(data)
  const found = readP256(reader) ?? readEd25519(reader) ?? readRsa(reader)
  if (found === undefined) return undefined
  try {
    const key = createPublicKey({ key: found.jwk, format: 'jwk' })
    const publicKey = key.export({ type: 'spki', format: 'der' })
    return { publicKey, algorithm: found.algorithm, bytes: reader.at() }
  } catch {
    // The point is not on the curve.
    return undefined
  }
}

interface FoundKey {
  readonly jwk: JsonWebKey
  readonly algorithm: number
}

function readP256({ take, skip }: Reader): FoundKey | undefined {
  if (!skip(p256.head)) return undefined
  const x = take(coordinateBytes)
  const y = skip(p256.between) ? take(coordinateBytes) : undefined
  return x === undefined || y === undefined
    ? undefined
    : { jwk: { kty: 'EC', crv: 'P-256', x, y }, algorithm: -7 }
}

function readEd25519({ take, skip }: Reader): FoundKey | undefined {
  if (!skip(ed25519.head)) return undefined
  const x = take(coordinateBytes)
  return x === undefined ? undefined : { jwk: { kty: 'OKP', crv: 'Ed25519', x }, algorithm: -8 }
}

function readRsa({ take, takeLength, skip }: Reader): FoundKey | undefined {
  if (!skip(rsa.head)) return undefined
  const length = takeLength()
  if (length === undefined || length < modulusBytes.min || length > modulusBytes.max) return undefined
  const n = take(length)
  return n !== undefined && skip(rsa.exponent)
    ? { jwk: { kty: 'RSA', n, e: 'AQAB' }, algorithm: -257 }
    : undefined
}

type Reader = ReturnType<typeof createReader>

function createReader(data: Buffer) {
  let at = 0
  const next = (length: number): Buffer | undefined => {
    if (at + length > data.length) return undefined
    at += length
    return data.subarray(at - length, at)
  }
  return {
    at: () => at,
    /** Whether these are the next bytes, which are skipped then. */
    skip(expected: Buffer): boolean {
      const isThere = data.subarray(at, at + expected.length).equals(expected)
      if (isThere) at += expected.length
      return isThere
    },
    take: (length: number): string | undefined => next(length)?.toString('base64url'),
    takeLength: (): number | undefined => next(2)?.readUInt16BE(),
  }
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex')
}

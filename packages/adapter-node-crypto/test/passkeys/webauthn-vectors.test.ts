import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign,
  type KeyObject,
} from 'node:crypto'
import assert from 'node:assert/strict'
import t from 'tap'
import { passkeyVerifier } from '../../src/passkeys/passkey-verifier.ts'

// The test vectors of WebAuthn Level 3, section 16. They are made here as that section says: every number with HKDF of one text. That they
// are the same to the byte is shown by the digests of those in the specification.

interface Vector {
  /** The `info` of its numbers. */
  readonly name: string
  readonly crossOrigin?: boolean
  readonly idBytes?: number
  /** How many numbers lie between registration and authentication: those of an attestation, which Sotto does not ask for. */
  readonly attestationNumbers?: number
  key(next: Next): Key
  /** The first 16 hexadecimal digits of the SHA-256 of client data and authenticator data: when it was made, when it was used. */
  readonly digests: readonly [string, string]
  /** Of the signature, where the algorithm always gives the same one. */
  readonly signature?: string
}

interface Key {
  readonly privateKey: KeyObject
  readonly cose: Buffer
  readonly digest: 'sha256' | null
}

type Next = (length: number) => Buffer

const vectors: readonly Vector[] = [
  { name: 'none.ES256', key: p256, digests: ['2104f387137d38aa', '1041421f6109c224'] },
  {
    name: 'none.ES256.crossOrigin',
    crossOrigin: true,
    key: p256,
    digests: ['1fd828e95d0b8edd', 'b9506245673aecbc'],
  },
  {
    name: 'none.ES256.long-credential-id',
    idBytes: 1_023,
    key: p256,
    digests: ['498326b8e4d3242f', 'b6dd8008c69ff559'],
  },
  {
    name: 'packed.ES256',
    attestationNumbers: 2,
    key: p256,
    digests: ['766594f4b65270d9', '305dfe9eed0b4fe5'],
  },
  {
    name: 'packed.RS256',
    attestationNumbers: 2,
    key: rsa,
    digests: ['ce0248afecbe3276', 'a658efb6108ed76e'],
    signature: '5968d9d3a20c5176',
  },
  {
    name: 'packed.EdDSA',
    attestationNumbers: 2,
    key: ed25519,
    digests: ['0ef6665f460a08c4', '656f9ef2df881db4'],
    signature: '63cdbd608d9eae1b',
  },
]

for (const vector of vectors) {
  t.test(`the vector ${vector.name} of WebAuthn Level 3 is read and its signature verified`, (t) => {
    const { made, used, id, key, challenges, flags } = ceremoniesOf(vector)
    t.strictSame([digestOf(made), digestOf(used)], vector.digests, 'it is that of the specification')
    const signed = Buffer.concat([used.authenticatorData, sha256(used.clientData)])
    const signature = sign(key.digest, signed, key.privateKey)
    if (vector.signature !== undefined) t.equal(shortDigest(signature), vector.signature)

    const sentUse = { ...sent(id, used), signature: signature.toString('base64url'), userHandle: '' }
    const readings = [
      passkeyVerifier.read(sent(id, made), 'example.org'),
      passkeyVerifier.read(sentUse, 'example.org'),
    ]
    for (const [at, read] of readings.entries()) {
      assert.ok(read)
      const { credentialId, attested: _, ...said } = read
      t.strictSame(Buffer.from(credentialId), id)
      t.strictSame(said, {
        type: at === 0 ? 'webauthn.create' : 'webauthn.get',
        challenge: challenges[at]?.toString('base64url'),
        origin: 'https://example.org',
        isCrossOrigin: vector.crossOrigin === true,
        isForRelyingParty: true,
        isUserPresent: true,
        ...flags[at],
        signCount: 0,
      })
    }
    const attested = readings[0]?.attested
    assert.ok(attested)
    const { publicKey } = attested
    t.strictSame(Buffer.from(attested.credentialId), id)
    t.strictSame(Buffer.from(publicKey), spkiOf(key.privateKey))
    t.equal(passkeyVerifier.isSigned(sentUse, publicKey), true)
    t.equal(passkeyVerifier.isSigned({ ...sentUse, ...sent(id, made) }, publicKey), false, 'another message')
    t.end()
  })
}

interface Ceremony {
  readonly clientData: Buffer
  readonly authenticatorData: Buffer
}

/** Follows the order in which section 16 takes its numbers. */
function ceremoniesOf({
  name,
  crossOrigin = false,
  idBytes = 32,
  attestationNumbers = 0,
  key: make,
}: Vector) {
  let salt = 0
  const next: Next = (length) =>
    Buffer.from(hkdfSync('sha256', 'WebAuthn test vectors', Buffer.from([salt++]), name, length))
  const clientData = (type: string, challenge: Buffer): Buffer => {
    const hasMore = ((next(1)[0] ?? 0) & 1) === 1
    const more = 'clientDataJSON may be extended with additional fields in the future, such as this: '
    const data = {
      type,
      challenge: challenge.toString('base64url'),
      origin: 'https://example.org',
      crossOrigin,
    }
    const extra = hasMore ? { extraData: more + next(16).toString('base64url') } : {}
    return Buffer.from(JSON.stringify({ ...data, ...extra }))
  }
  const head = (flags: number): Buffer =>
    Buffer.concat([sha256('example.org'), Buffer.from([flags, 0, 0, 0, 0])])

  const challenge = next(32)
  const key = make(next)
  const made = clientData('webauthn.create', challenge)
  const aaguid = next(16)
  const id = next(idBytes)
  const random = next(1)[0] ?? 0
  const flags = 1 | (random & 0x0c) | ((random & 0x08) !== 0 ? random & 0x10 : 0)
  const idLength = Buffer.from([id.length >> 8, id.length & 255])
  const attested = Buffer.concat([head(flags | 0x40), aaguid, idLength, id, key.cose])

  for (let at = 0; at < attestationNumbers; at += 1) next(1)
  const laterChallenge = next(32)
  const used = clientData('webauthn.get', laterChallenge)
  const laterRandom = next(1)[0] ?? 0
  const laterFlags =
    1 | (laterRandom & 0x04) | (flags & 0x08) | ((flags & 0x08) !== 0 ? laterRandom & 0x10 : 0)
  return {
    made: { clientData: made, authenticatorData: attested },
    used: { clientData: used, authenticatorData: head(laterFlags) },
    id,
    key,
    challenges: [challenge, laterChallenge],
    flags: [readFlags(flags), readFlags(laterFlags)],
  }
}

function readFlags(flags: number) {
  return {
    isUserVerified: (flags & 0x04) !== 0,
    isBackupEligible: (flags & 0x08) !== 0,
    isBackedUp: (flags & 0x10) !== 0,
  }
}

function p256(next: Next): Key {
  const d = next(32)
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)]
  const jwk = { kty: 'EC', crv: 'P-256', d: text(d), x: text(x), y: text(y) }
  const cose = Buffer.concat([hex('a5010203262001215820'), x, hex('225820'), y])
  return { privateKey: createPrivateKey({ key: jwk, format: 'jwk' }), cose, digest: 'sha256' }
}

function ed25519(next: Next): Key {
  // RFC 8410, section 7.
  const pkcs8 = Buffer.concat([hex('302e020100300506032b657004220420'), next(32)])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const cose = Buffer.concat([hex('a4010103272006215820'), spkiOf(privateKey).subarray(-32)])
  return { privateKey, cose, digest: null }
}

/** The primes are the two smallest Mersenne primes of 1,024 bits or more. */
function rsa(): Key {
  const [p, q, e] = [2n ** 1_279n - 1n, 2n ** 2_203n - 1n, 65_537n]
  const d = inverse(e, (p - 1n) * (q - 1n))
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  const jwk = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, text(bytes(value))]))
  const privateKey = createPrivateKey({ key: { kty: 'RSA', ...jwk }, format: 'jwk' })
  const n = bytes(p * q)
  const length = Buffer.from([n.length >> 8, n.length & 255])
  const cose = Buffer.concat([hex('a40103033901002059'), length, n, hex('2143010001')])
  return { privateKey, cose, digest: 'sha256' }
}

/** Euclid's extended algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, next, factor, nextFactor] = [modulus, value, 0n, 1n]
  while (next !== 0n) {
    const quotient = rest / next
    ;[rest, next] = [next, rest - quotient * next]
    ;[factor, nextFactor] = [nextFactor, factor - quotient * nextFactor]
  }
  return ((factor % modulus) + modulus) % modulus
}

function bytes(value: bigint): Buffer {
  const digits = value.toString(16)
  return hex(digits.length % 2 === 0 ? digits : `0${digits}`)
}

function sent(id: Buffer, { clientData, authenticatorData }: Ceremony) {
  return { credentialId: text(id), clientData: text(clientData), authenticatorData: text(authenticatorData) }
}

function spkiOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
}

function digestOf({ clientData, authenticatorData }: Ceremony): string {
  return shortDigest(Buffer.concat([clientData, authenticatorData]))
}

function shortDigest(data: Buffer): string {
  return sha256(data).toString('hex').slice(0, 16)
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function text(data: Buffer): string {
  return data.toString('base64url')
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex')
}

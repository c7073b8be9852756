import { generateKeyPairSync } from 'node:crypto'
import { createSoftPasskey, type PasskeyAlgorithm } from '@sotto/test-kit'
import t from 'tap'
import { readCoseKey } from '../../src/passkeys/cose-key.ts'

const ceremony = { challenge: 'AAAA', rpId: 'sotto.example', origin: 'https://sotto.example' }
const keyAt = 37 + 16 + 2 + 32
const algorithms = ['ES256', 'EdDSA', 'RS256'] as const

t.test('a key is read with its length, whatever follows it', (t) => {
  for (const algorithm of algorithms) {
    const cose = coseOf(algorithm)
    const read = readCoseKey(cose)
    t.equal(read?.bytes, cose.length, algorithm)
    t.equal(read?.algorithm, { ES256: -7, EdDSA: -8, RS256: -257 }[algorithm])
    t.strictSame(readCoseKey(Buffer.concat([cose, Buffer.alloc(9)])), read)
    t.equal(readCoseKey(cose.subarray(0, -1)), undefined, 'cut off')
  }
  t.end()
})

t.test('a key of another type, algorithm or curve, or in another encoding, is not read', (t) => {
  const p256 = coseOf('ES256').toString('hex')
  const ed25519 = coseOf('EdDSA').toString('hex')
  const rsa = coseOf('RS256').toString('hex')
  const changes: readonly (readonly [key: string, from: string, to: string])[] = [
    [p256, 'a501020326', 'a50102033822'], // ES384
    [p256, '2001', '2002'],
    [p256, '0102', '0101'],
    [p256, 'a5', 'a6'],
    [p256, '215820', '225820'],
    [p256, '215820', '21590020'],
    [ed25519, '2006', '2007'],
    [ed25519, '0327', '0326'],
    [rsa, '390100', '390101'], // RS384
    [rsa, '2143010001', '214103'],
    [rsa, '2143010001', '214400010001'],
  ]
  for (const [key, from, to] of changes) {
    const at = key.indexOf(from)
    const changed = key.slice(0, at) + to + key.slice(at + from.length)
    t.equal(readCoseKey(Buffer.from(changed, 'hex')), undefined, `${from} instead of ${to}`)
  }
  t.end()
})

t.test('a point that is not on the curve is not read', (t) => {
  const cose = coseOf('ES256')
  for (let at = 10; at < 42; at += 1) {
    const other = Buffer.from(cose)
    other[at] = (cose[at] ?? 0) ^ 1
    // Half of all numbers are the x of a point, but with another y.
    t.equal(readCoseKey(other), undefined)
  }
  t.equal(readCoseKey(Buffer.concat([cose.subarray(0, 10), Buffer.alloc(32), cose.subarray(42)])), undefined)
  t.end()
})

t.test('an RSA key has 2,048 to 4,096 bits', (t) => {
  const bitsOf = (bits: number): boolean => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
    const n = Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url')
    const length = Buffer.from([n.length >> 8, n.length & 255])
    const head = Buffer.from('a40103033901002059', 'hex')
    return readCoseKey(Buffer.concat([head, length, n, Buffer.from('2143010001', 'hex')])) !== undefined
  }
  t.strictSame([1_024, 2_040, 2_048, 4_096, 4_104].map(bitsOf), [false, false, true, true, false])
  t.end()
})

function coseOf(algorithm: PasskeyAlgorithm): Buffer {
  const { authenticatorData } = createSoftPasskey(algorithm).made(ceremony)
  return Buffer.from(authenticatorData, 'base64url').subarray(keyAt)
}

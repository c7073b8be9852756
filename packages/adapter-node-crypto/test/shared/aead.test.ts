import { createSecretKey, randomBytes } from 'node:crypto'
import t from 'tap'
import type { Ciphertext } from '@sotto/core'
import { blobOverhead, decryptBlob, encryptBlob } from '../../src/shared/aead.ts'
import { withOneByteChanged } from '../support.ts'

const key = createSecretKey(randomBytes(32))
const associatedData = Buffer.from('some place')
const plaintext = Buffer.from('some text')

t.test('a blob is version, nonce, ciphertext and tag, and decrypts under its key', (t) => {
  const blob = encryptBlob({ key, associatedData, plaintext, randomBytes })
  t.equal(blob.length, blobOverhead + plaintext.length)
  t.equal(blobOverhead, 1 + 12 + 16)
  t.equal(blob[0], 1)
  t.same(decryptBlob({ key, associatedData, blob }), plaintext)
  t.end()
})

t.test('each blob has its own nonce', (t) => {
  const nonces = new Set<string>()
  for (let round = 0; round < 1_000; round += 1) {
    const blob = encryptBlob({ key, associatedData, plaintext, randomBytes })
    nonces.add(Buffer.from(blob.subarray(1, 13)).toString('hex'))
  }
  t.equal(nonces.size, 1_000)
  t.end()
})

// Fails when setAAD is left out on either side, or on both.
t.test(
  'with another key, other associated data, or a changed, shorter or longer blob, nothing is decrypted',
  (t) => {
    const blob = encryptBlob({ key, associatedData, plaintext, randomBytes })
    t.equal(decryptBlob({ key: createSecretKey(randomBytes(32)), associatedData, blob }), undefined, 'key')
    for (const other of ['', 'some plac', 'some place ', 'Some place']) {
      t.equal(decryptBlob({ key, associatedData: Buffer.from(other), blob }), undefined, `data: ${other}`)
    }
    for (const changed of withOneByteChanged(blob)) {
      if (decryptBlob({ key, associatedData, blob: changed }) !== undefined)
        t.fail('a changed byte was accepted')
    }
    for (let length = 0; length < blob.length; length += 1) {
      const short = blob.subarray(0, length) as Ciphertext
      if (decryptBlob({ key, associatedData, blob: short }) !== undefined) t.fail('a short blob was accepted')
    }
    const long = Buffer.concat([blob, Buffer.alloc(1)]) as Uint8Array as Ciphertext
    t.equal(decryptBlob({ key, associatedData, blob: long }), undefined, 'longer')
    t.end()
  },
)

t.test('an empty plaintext is authenticated too', (t) => {
  const blob = encryptBlob({ key, associatedData, plaintext: Buffer.alloc(0), randomBytes })
  t.same(decryptBlob({ key, associatedData, blob }), Buffer.alloc(0))
  t.equal(decryptBlob({ key, associatedData: plaintext, blob }), undefined)
  t.end()
})

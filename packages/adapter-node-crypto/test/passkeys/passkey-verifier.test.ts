import { generateKeyPairSync, sign } from 'node:crypto'
import { createSoftPasskey } from '@sotto/test-kit'
import t from 'tap'
import { passkeyVerifier } from '../../src/passkeys/passkey-verifier.ts'

const ceremony = { challenge: 'AAAA', rpId: 'sotto.example', origin: 'https://sotto.example' }
const made = createSoftPasskey().made(ceremony)

t.test('client data is JSON with the fields that WebAuthn names, of their types, and may have more', (t) => {
  const data = {
    type: 'webauthn.create',
    challenge: 'AAAA',
    origin: 'https://sotto.example',
    crossOrigin: false,
  }
  const readAs = (text: string | Buffer) => {
    const clientData = Buffer.from(text).toString('base64url')
    return passkeyVerifier.read({ ...made, clientData }, ceremony.rpId)
  }
  const { crossOrigin: _, ...without } = data
  t.equal(readAs(JSON.stringify(without))?.isCrossOrigin, false)
  t.ok(readAs(JSON.stringify({ ...data, other_keys: { added: [null] }, tokenBinding: null })))
  for (const spoilt of [
    ...['null', '[]', '"text"', '1', '{}', '', `${JSON.stringify(data)}}`, `\uFEFF${JSON.stringify(data)}`],
    ...Object.keys(data).map((name) => JSON.stringify({ ...data, [name]: null })),
    ...Object.keys(data).map((name) => JSON.stringify({ ...data, [name]: 1 })),
    ...Object.keys(without).map((name) => JSON.stringify({ ...data, [name]: undefined })),
    Buffer.concat([Buffer.from(JSON.stringify(data).slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])]),
  ]) {
    t.equal(readAs(spoilt), undefined, String(spoilt))
  }
  t.equal(readAs(JSON.stringify({ ...data, topOrigin: null }))?.isCrossOrigin, true, 'any top origin')
  t.end()
})

t.test('a key of a kind that no passkey has verifies nothing', (t) => {
  const used = createSoftPasskey().used({ ...ceremony, userHandle: 'AAAA' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const signed = Buffer.from(used.authenticatorData, 'base64url')
  const signature = sign('sha256', signed, other.privateKey).toString('base64url')
  const spki = other.publicKey.export({ type: 'spki', format: 'der' })
  t.equal(passkeyVerifier.isSigned({ ...used, signature }, spki), false)
  t.end()
})

t.test('what is read holds no part of the request, and can be changed', (t) => {
  const read = passkeyVerifier.read(made, ceremony.rpId)
  t.equal(read?.credentialId.buffer.byteLength, 32)
  t.equal(read?.attested?.credentialId.buffer.byteLength, 32)
  t.end()
})

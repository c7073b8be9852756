import { createECDH } from 'node:crypto'
import { decrypt, encrypt } from 'http_ece'
import t from 'tap'
import { authOf, isOwnerKey, isSealedAnswer, newRequestKeys, openAnswer, sealAnswer } from '../src/index.ts'
import { secretFor } from '../src/answer.ts'
import { readRecord } from '../src/records.ts'
import { fromBase64url, toBase64url } from './support/bytes.ts'
import { readVectors } from './support/read-vectors.ts'

const content = { text: 'the answer', files: [] }

t.test('only the owner of a request reads its answers', async (t) => {
  const [own, other] = [await newRequestKeys(), await newRequestKeys()]
  t.match(own, { key: /^[\w-]{87}$/, auth: /^[\w-]{22}$/, ownerKey: /^[\w-]{64}$/ })
  const answer = (await sealAnswer(own, content)) ?? ''
  t.ok(isSealedAnswer(answer))
  t.strictSame(await openAnswer(own, answer), content)
  t.equal(await openAnswer(other, answer), undefined)
  t.equal(
    await openAnswer({ key: own.key, ownerKey: other.ownerKey }, answer),
    undefined,
    'keys of two requests',
  )
  t.equal(authOf(own.ownerKey), own.auth)
  t.equal(authOf(own.key), undefined)
  t.not(await sealAnswer(own, content), answer, 'another each time')
})

t.test('an owner’s key is told from every other one', async (t) => {
  const [own, other] = [await newRequestKeys(), await newRequestKeys()]
  t.ok(await isOwnerKey(own))
  for (const ownerKey of [
    '',
    'x',
    own.key,
    own.auth,
    other.ownerKey,
    `${other.ownerKey.slice(0, 42)}${own.ownerKey.slice(42)}`,
  ])
    t.notOk(await isOwnerKey({ key: own.key, ownerKey }), ownerKey)
  for (const key of ['', 'x', other.key]) t.notOk(await isOwnerKey({ key, ownerKey: own.ownerKey }), key)
})

// Promise (Encrypted in the browser): A key of another request never takes the place of the right one, also where browsers do not compare points
t.test('a key is told from others by platforms that import it beside any point', async (t) => {
  const [own, other] = [await newRequestKeys(), await newRequestKeys()]
  const importKey = crypto.subtle.importKey.bind(crypto.subtle) as (...given: unknown[]) => Promise<unknown>
  const value = (format: string, data: { readonly d: string }, ...rest: unknown[]) =>
    importKey(format, format === 'jwk' ? withOwnPoint(data) : data, ...rest)
  t.intercept(crypto.subtle, 'importKey', { value })
  t.ok(await isOwnerKey(own))
  t.notOk(await isOwnerKey({ key: own.key, ownerKey: other.ownerKey }))
})

/** A private key with the point that belongs to it. */
function withOwnPoint(key: { readonly d: string }): object {
  const owner = createECDH('prime256v1')
  owner.setPrivateKey(Buffer.from(key.d, 'base64url'))
  const point = owner.getPublicKey()
  return { ...key, x: toBase64url(point.subarray(1, 33)), y: toBase64url(point.subarray(33)) }
}

t.test('an answer with files carries their keys', async (t) => {
  const keys = await newRequestKeys()
  const files = [{ key: fromBase64url(keys.auth), name: 'a', size: 3, type: 'text/plain' }]
  t.strictSame(await openAnswer(keys, (await sealAnswer(keys, { text: '', files })) ?? ''), {
    text: '',
    files,
  })
})

for (const { publicKey, auth, ownerKey, text, answer } of readVectors().requests)
  t.test(`the answer ${JSON.stringify(text)} is read as everywhere`, async (t) => {
    t.equal(authOf(ownerKey), auth)
    t.strictSame(await openAnswer({ key: publicKey, ownerKey }, answer), { text, files: [] })
  })

t.test('the example of RFC 8291, appendix A, is decrypted', async (t) => {
  const key = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  const owner = ['q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'BTBZMqHH6r4Tts7J_aSIgg'].map(fromBase64url)
  const ownerKey = toBase64url(Buffer.concat(owner))
  const message =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  const plain = await readRecord(fromBase64url(message), (sender) => secretFor({ key, ownerKey }, sender))
  t.equal(String(Buffer.from(plain ?? [])), 'When I grow up, I want to be a watermelon')
})

t.test('another program reads an answer, and one that it writes is read', async (t) => {
  const keys = await newRequestKeys()
  const owner = createECDH('prime256v1')
  owner.setPrivateKey(Buffer.from(keys.ownerKey, 'base64url').subarray(0, 32))
  const authSecret = Buffer.from(keys.auth, 'base64url')
  const answer = (await sealAnswer(keys, content)) ?? ''
  const body = Buffer.from(answer.split('.')[1] ?? '', 'base64url')
  t.equal(String(decrypt(body, { version: 'aes128gcm', privateKey: owner, authSecret })), content.text)
  const sender = createECDH('prime256v1')
  sender.generateKeys()
  const written = encrypt(Buffer.from(content.text), {
    ...({ version: 'aes128gcm', rs: 272, pad: 255 - content.text.length } as const),
    ...{ privateKey: sender, dh: Buffer.from(keys.key, 'base64url'), authSecret },
  })
  t.strictSame(await openAnswer(keys, `sotto-answer-1.${toBase64url(written)}`), content)
})

t.test('keys that are none seal nothing and open nothing', async (t) => {
  const keys = await newRequestKeys()
  const answer = (await sealAnswer(keys, content)) ?? ''
  const offCurve = toBase64url(Uint8Array.from([4, ...Array<number>(64).fill(1)]))
  for (const key of ['', 'x', offCurve, keys.auth]) {
    t.equal(await sealAnswer({ key, auth: keys.auth }, content), undefined, `sealed to ${key}`)
    t.equal(await openAnswer({ key, ownerKey: keys.ownerKey }, answer), undefined, `opened as ${key}`)
  }
  t.equal(await sealAnswer({ key: keys.key, auth: keys.auth.slice(2) }, content), undefined)
  t.equal(await openAnswer({ key: keys.key, ownerKey: '' }, answer), undefined)
  for (const text of ['', 'a\0b', '\udc00']) t.equal(await sealAnswer(keys, { text, files: [] }), undefined)
  const body = fromBase64url(answer.split('.')[1] ?? '')
  body.set(fromBase64url(offCurve), 21)
  t.equal(
    await openAnswer(keys, `sotto-answer-1.${toBase64url(body)}`),
    undefined,
    'from a point that is none',
  )
})

import { concat, fromBase64url, randomBytes, toBase64url, utf8, type Bytes } from './bytes.ts'
import { contentBytes, readContent, type Content } from './content.ts'
import { hkdf } from './hkdf.ts'
import { openRecord, sealRecord } from './records.ts'

// A sealed answer to a request: a message that only the request's owner can decrypt (RFC 8291, Message Encryption for Web Push).

/** A sealed answer: the encrypted content. */
const sealedAnswer = /^sotto-answer-1\.([\w-]{478,})$/

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const

/** Bytes of a point of P-256 that is not compressed, of a private key, and of what authenticates who has the link. */
const [pointBytes, scalarBytes, authBytes] = [65, 32, 16]

/** The keys of one request. */
export interface RequestKeys {
  /** What the server keeps and shows: a point of P-256, in base64url, 87 characters. */
  readonly key: string
  /** What the fragment of the request's link is: 22 characters. The server does not have it. */
  readonly auth: string
  /** What its owner decrypts with: the private key and `auth`, 64 characters. It never leaves the owner's device. */
  readonly ownerKey: string
}

/** Makes the keys of one request. */
export async function newRequestKeys(): Promise<RequestKeys> {
  const pair = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  const { d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const auth = randomBytes(authBytes)
  return {
    key: toBase64url(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))),
    auth: toBase64url(auth),
    ownerKey: toBase64url(concat(fromBase64url(d) ?? new Uint8Array(), auth)),
  }
}

/** What the fragment of the request's link is, which its owner's key contains; `undefined` when that is none. */
export function authOf(ownerKey: string): string | undefined {
  const bytes = fromBase64url(ownerKey)
  return bytes?.length === scalarBytes + authBytes ? toBase64url(bytes.slice(scalarBytes)) : undefined
}

/**
 * Whether an owner's key belongs to the key of the request: whether both sides of an exchange come to the same. Only some browsers compare a
 * private key with its point. What authenticates an answer is not checked: nothing else tells it.
 */
export async function isOwnerKey(keys: Pick<RequestKeys, 'key' | 'ownerKey'>): Promise<boolean> {
  const [point, auth] = [fromBase64url(keys.key), fromBase64url(authOf(keys.ownerKey) ?? '')]
  const sender = point && auth && (await newSender(point, auth))
  if (sender === undefined) return false
  const secret = await secretFor(keys, sender.point)
  return secret !== undefined && toBase64url(secret) === toBase64url(sender.secret)
}

/** Whether a note is a sealed answer. */
export function isSealedAnswer(note: string): boolean {
  return sealedAnswer.test(note)
}

/** Encrypts an answer; `undefined` for a content that cannot be, or when `key` or `auth` is none. */
export async function sealAnswer(
  { key, auth }: Pick<RequestKeys, 'key' | 'auth'>,
  content: Content,
): Promise<string | undefined> {
  const [point, authSecret, plain] = [fromBase64url(key), fromBase64url(auth), contentBytes(content)]
  if (point === undefined || authSecret?.length !== authBytes || plain === undefined) return undefined
  const sender = await newSender(point, authSecret)
  if (sender === undefined) return undefined
  return `sotto-answer-1.${toBase64url(await sealRecord(sender.secret, plain, { keyId: sender.point }))}`
}

/** Decrypts an answer; `undefined` when it is none, was changed, or is to another request. */
export async function openAnswer(
  { key, ownerKey }: Pick<RequestKeys, 'key' | 'ownerKey'>,
  answer: string,
): Promise<Content | undefined> {
  const body = fromBase64url(sealedAnswer.exec(answer)?.[1] ?? '')
  const plain = body && (await openRecord(body, (sender) => secretFor({ key, ownerKey }, sender)))
  return plain && readContent(plain)
}

/** What an answer from whoever has this point is encrypted under; `undefined` when one of the keys is none. */
export async function secretFor(
  { key, ownerKey }: Pick<RequestKeys, 'key' | 'ownerKey'>,
  sender: Bytes,
): Promise<Bytes | undefined> {
  const [point, owner] = [fromBase64url(key), fromBase64url(ownerKey)]
  if (point?.length !== pointBytes || owner?.length !== scalarBytes + authBytes) return undefined
  const privateKey = await importPrivateKey(owner.slice(0, scalarBytes), point)
  const shared = privateKey && (await sharedSecret(privateKey, sender))
  return shared && contentSecret(shared, owner.slice(scalarBytes), point, sender)
}

/** The point of a sender, made for one answer, and what that answer is encrypted under; `undefined` when `receiver` is no point. */
async function newSender(
  receiver: Bytes,
  auth: Bytes,
): Promise<{ readonly point: Bytes; readonly secret: Bytes } | undefined> {
  const pair = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const shared = await sharedSecret(pair.privateKey, receiver)
  return shared && { point, secret: await contentSecret(shared, auth, receiver, point) }
}

/** `undefined` for what is no key, and in some browsers when the point does not belong to it. */
function importPrivateKey(d: Bytes, point: Bytes): Promise<CryptoKey | undefined> {
  const [x, y] = [toBase64url(point.slice(1, 33)), toBase64url(point.slice(33))]
  const jwk = { kty: 'EC', crv: curve.namedCurve, d: toBase64url(d), x, y }
  return crypto.subtle.importKey('jwk', jwk, curve, false, ['deriveBits']).catch(() => undefined)
}

/** What both sides of an exchange have; `undefined` when `point` is none of the curve. */
async function sharedSecret(privateKey: CryptoKey, point: Bytes): Promise<Bytes | undefined> {
  const { subtle } = crypto
  const publicKey = await subtle.importKey('raw', point, curve, false, []).catch(() => undefined)
  if (publicKey === undefined) return undefined
  return new Uint8Array(await subtle.deriveBits({ name: 'ECDH', public: publicKey }, privateKey, 256))
}

/** What an answer is encrypted under (RFC 8291, section 3.4). */
function contentSecret(shared: Bytes, auth: Bytes, receiver: Bytes, sender: Bytes): Promise<Bytes> {
  return hkdf(shared, concat(utf8('WebPush: info\0'), receiver, sender), 32, auth)
}

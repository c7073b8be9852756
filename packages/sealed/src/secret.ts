import { decode, fromBase64url, randomBytes, toBase64url, utf8, type Bytes } from './bytes.ts'
import { contentBytes, readContent, type Content } from './content.ts'
import { derive, hkdf } from './hkdf.ts'
import { openRecord, sealRecord } from './records.ts'

// A sealed secret: its note is encrypted where it is written, and its key is in the fragment of its link.

/** A sealed note: the digest that a proof of its key has, and the encrypted content. */
const sealedNote = /^sotto-sealed-1\.[\w-]{43}\.([\w-]{391,})$/

/** Rounds of PBKDF2 with SHA-256 for a password (OWASP, Password Storage Cheat Sheet). */
const rounds = 600_000

/** A new key, for one secret: 16 random bytes. */
export function newKey(): Bytes {
  return randomBytes(16)
}

/** A key in a fragment, whose last character has two bits that count, and what mail programs and chats take into a link behind it. */
const keyInFragment = /^([\w-]{21}[AQgw])(?:[.,)>\u2026"'/\]]|%(?:2[279CEFcef]|3[Ee]|5[Dd]|[Ee]2%80%[Aa]6))*$/

/** The key in a link's fragment, without its `#`; `undefined` when it is missing or none. */
export function readKey(fragment: string): Bytes | undefined {
  const text = keyInFragment.exec(fragment)?.[1]
  return text === undefined ? undefined : decode(text)
}

/** The key as it is in a link's fragment: 22 characters. */
export function keyText(key: Bytes): string {
  return toBase64url(key)
}

/** What shows a server that somebody has the key, and does not tell it: 43 characters. */
export async function proofOf(key: Bytes): Promise<string> {
  return toBase64url(await hkdf(key, utf8('sotto/sealed/1/proof'), 32))
}

/** What a content is encrypted under, and what stands for the password where a server checks one. */
export interface Lock {
  readonly secret: Bytes
  /** 43 characters; `undefined` without a password. The server cannot decrypt with it. */
  readonly password: string | undefined
}

/** The lock of a key, with a password where there is one. It takes a moment with one. */
export async function lockOf(key: Bytes, password = ''): Promise<Lock> {
  if (password === '') return { secret: key, password: undefined }
  const salt = await hkdf(key, utf8('sotto/sealed/1/password'), 32)
  const stretched = await derive('PBKDF2', utf8(password.normalize('NFC')), 64, { salt, iterations: rounds })
  const both = new Uint8Array([...key, ...stretched.slice(0, 32)])
  return {
    secret: await hkdf(both, utf8('sotto/sealed/1/key'), 16),
    password: toBase64url(stretched.slice(32)),
  }
}

/** Whether a note is a sealed one. */
export function isSealed(note: string): boolean {
  return sealedNote.test(note)
}

/** Encrypts a note; `undefined` for a content that cannot be: an empty one, a text with NUL or half of a surrogate pair. */
export async function sealNote(key: Bytes, lock: Lock, content: Content): Promise<string | undefined> {
  const plain = contentBytes(content)
  if (plain === undefined) return undefined
  const check = await crypto.subtle.digest('SHA-256', utf8(`sotto/v1/sealed${await proofOf(key)}`))
  const body = await sealRecord(lock.secret, plain)
  return `sotto-sealed-1.${toBase64url(new Uint8Array(check))}.${toBase64url(body)}`
}

/** Decrypts a sealed note; `undefined` when it is none, was changed, or is under another key or password. */
export async function openNote({ secret }: Lock, note: string): Promise<Content | undefined> {
  const body = fromBase64url(sealedNote.exec(note)?.[1] ?? '')
  const plain =
    body && (await openRecord(body, (keyId) => Promise.resolve(keyId.length === 0 ? secret : undefined)))
  return plain && readContent(plain)
}

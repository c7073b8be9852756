// What the straight lines have in common: the bytes of rows that the server can read, and that it wrote. Functions of their arguments alone.
import * as crypto from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** A shareable secret without a password. */
export interface Row {
  readonly id: string
  readonly accountId: string
  readonly folderId: string
  readonly kid: number
  readonly openLimit: number | null
  /** Hexadecimal digits. */
  readonly lookup: string
  readonly createdAt: number
  readonly linkCreatedAt: number
  readonly expiresAt: number
}

export const sha256 = (data: string | Buffer): Buffer =>
  Buffer.from(crypto.hash('sha256', data, 'binary'), 'binary')

export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** @param upper hexadecimal digits in upper case, as SQLite writes them */
export function uuidOf(upper: string): string {
  const hex = upper.toLowerCase()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Writes a UUID of version 7 for this time over 16 random bytes. */
export function makeUuid(bytes: Buffer, micros: number): void {
  const millis = Math.floor(micros / 1000)
  bytes.writeUIntBE(millis, 0, 6)
  bytes.writeUInt16BE(0x7000 | Math.floor(((micros - millis * 1000) * 4096) / 1000), 6)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The digest that an access token is found by. Its last six characters are the CRC-32 of the forty before them; a malformed one has none. */
export function tokenDigest(token: string): Buffer {
  let [rest, sum] = [crc32(token.slice(6, 46)), '']
  for (; sum.length < 6; rest = Math.floor(rest / 62)) sum = base62.charAt(rest % 62) + sum
  const isSound = /^sotto_[0-9A-Za-z]{46}$/.test(token) && token.endsWith(sum)
  return sha256(isSound ? token : `sotto_${'0'.repeat(46)}`)
}

/** `before` zeros ‖ length (4) ‖ text ‖ zeros up to a power of two. */
function pad(text: string, least: number, before: number): Buffer {
  const length = Buffer.byteLength(text)
  const bytes = Buffer.alloc(before + 4 + (length <= least ? least : 2 ** (32 - Math.clz32(length - 1))))
  bytes.writeUInt32BE(length, before)
  bytes.write(text, before + 4)
  return bytes
}

function unpad(bytes: Buffer, at: number): string {
  return bytes.toString('utf8', at + 4, at + 4 + bytes.readUInt32BE(at))
}

/** Version (1) ‖ nonce (12) ‖ AES-256-GCM ciphertext ‖ tag (16). */
function encrypt(key: crypto.KeyObject, boundTo: string, nonce: Buffer, plaintext: Buffer): Buffer {
  const cipher = crypto.createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  cipher.setAAD(Buffer.from(boundTo))
  const blob = Buffer.allocUnsafe(29 + plaintext.length)
  blob[0] = 1
  blob.set(nonce, 1)
  blob.set(cipher.update(plaintext), 13)
  cipher.final()
  blob.set(cipher.getAuthTag(), 13 + plaintext.length)
  return blob
}

/** Throws unless key and row are those of the encryption. */
function decrypt(key: crypto.KeyObject, boundTo: string, blob: Buffer): Buffer {
  const decipher = crypto.createDecipheriv('aes-256-gcm', key, blob.subarray(1, 13), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(blob.subarray(-16))
  const plaintext = decipher.update(blob.subarray(13, -16))
  decipher.final()
  return plaintext
}

const field = (text: string | number): string => `${String(text).length}:${text},`
const column = (name: string): string => field('sotto/v1') + field(`secret.${name}`)
const [headStart, wrapStart, noteStart] = [column('head'), column('wrap'), column('note')]

/** What wrap and head are bound to; the last field says that there is no password. */
function fieldsOf({ id, accountId, kid, lookup, expiresAt, openLimit }: Row): string {
  const link = field(lookup) + field(expiresAt)
  return `${field(id)}${field(accountId)}${field(kid)}${link}${field(openLimit ?? '')}1:0,`
}

function headFields(fields: string, { folderId, createdAt, linkCreatedAt }: Row): string {
  return headStart + fields + field(folderId) + field(createdAt) + field(linkCreatedAt)
}

function noteFields({ id, accountId }: Row): string {
  return noteStart + field(id) + field(accountId)
}

/** Makes the functions that take the keys of an installation. */
export function rowsUnder(keysFile: string, instanceId: Buffer, activeKid: number) {
  const file = JSON.parse(readFileSync(keysFile, 'utf8')) as { keys: { kid: number; key: string }[] }
  const ringKeys = new Map(file.keys.map(({ kid, key }) => [kid, crypto.createSecretKey(key, 'base64')]))
  const accountKeys = new Map<string, crypto.KeyObject>()

  function derive(kid: number, info: string): Buffer {
    const key = ringKeys.get(kid)
    if (key === undefined) throw new Error('the key file lacks a key')
    return Buffer.from(crypto.hkdfSync('sha256', key, instanceId, `sotto/v1/${info}`, 32))
  }

  function accountKey(kid: number, purpose: 'secret.head' | 'secret.wrap', accountId: string) {
    const name = `${kid}/${purpose}/${accountId}`
    const known = accountKeys.get(name)
    if (known !== undefined) return known
    if (accountKeys.size >= 4096) accountKeys.clear()
    const key = crypto.createSecretKey(derive(kid, `${purpose}/${accountId}`))
    accountKeys.set(name, key)
    return key
  }

  // HMAC-SHA-256 by its definition: createHmac makes a stream.
  const bucketKey = derive(activeKid, 'address-bucket')
  const padded = (pad: number): Buffer =>
    Buffer.from(Buffer.alloc(64, pad).map((byte, at) => byte ^ (bucketKey[at] ?? 0)))
  const [inner, outer] = [padded(0x36), padded(0x5c)]

  const timeInput = Buffer.concat([Buffer.from('sotto/v1/link-time'), instanceId, Buffer.alloc(28)])
  const lookupInput = Buffer.concat([Buffer.from('sotto/v1/lookup'), Buffer.alloc(32)])

  /** Masks the second in the first four bytes of a link token, or reveals it. */
  function maskedSecond(second: number, token: Buffer): number {
    timeInput.set(token.subarray(4), timeInput.length - 28)
    return (second ^ parseInt(crypto.hash('sha256', timeInput, 'hex').slice(0, 8), 16)) >>> 0
  }

  function decryptHead(row: Row, fields: string, head: Buffer): Buffer {
    return decrypt(accountKey(row.kid, 'secret.head', row.accountId), headFields(fields, row), head)
  }

  return {
    addressBucket(address: string): string {
      const digest = sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, Buffer.from(address)]))]))
      return `address/${digest.toString('base64url', 0, 16)}`
    },

    /** Writes the time over the first four of a token's 32 random bytes. */
    makeLinkToken: (bytes: Buffer, micros: number): void =>
      void bytes.writeUInt32BE(maskedSecond(Math.floor(micros / 1e6), bytes)),

    lookupOf(token: Buffer): Buffer {
      lookupInput.set(token, lookupInput.length - 32)
      const lookup = Buffer.allocUnsafeSlow(32)
      lookup.writeUInt32BE(maskedSecond(token.readUInt32BE(), token))
      lookup.write(crypto.hash('sha256', lookupInput, 'binary'), 4, 'binary')
      return lookup
    },

    /** @param fresh 68 random bytes: the note's key and three nonces */
    encryptSecret(
      row: Row,
      { label, note, token }: Record<'label' | 'note', string> & { token: Buffer },
      fresh: Buffer,
    ) {
      // prettier-ignore
      const [noteKey, fields, plain] = [fresh.subarray(0, 32), fieldsOf(row), pad(label, 64, 33)]
      plain[0] = 1
      plain.set(token, 1)
      const nonce = (nr: number): Buffer => fresh.subarray(32 + 12 * nr, 44 + 12 * nr)
      const key = (purpose: 'secret.head' | 'secret.wrap') => accountKey(row.kid, purpose, row.accountId)
      const encrypted = {
        note: encrypt(crypto.createSecretKey(noteKey), noteFields(row), nonce(0), pad(note, 256, 0)),
        wrap: encrypt(key('secret.wrap'), wrapStart + fields, nonce(1), noteKey),
        head: encrypt(key('secret.head'), headFields(fields, row), nonce(2), plain),
      }
      noteKey.fill(0)
      return encrypted
    },

    decryptHead(row: Row, head: Buffer): { readonly label: string; readonly token: string } {
      const plain = decryptHead(row, fieldsOf(row), head)
      return { label: unpad(plain, 33), token: plain.toString('base64url', 1, 33) }
    },

    decryptSecret(row: Row, head: Buffer, wrap: Buffer, note: Buffer): { label: string; note: string } {
      const fields = fieldsOf(row)
      const plain = decryptHead(row, fields, head)
      const noteKey = decrypt(accountKey(row.kid, 'secret.wrap', row.accountId), wrapStart + fields, wrap)
      const text = decrypt(crypto.createSecretKey(noteKey), noteFields(row), note)
      noteKey.fill(0)
      return { label: unpad(plain, 33), note: unpad(text, 0) }
    },
  }
}

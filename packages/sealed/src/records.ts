import { concat, randomBytes, utf8, type Bytes } from './bytes.ts'
import { hkdf } from './hkdf.ts'

// Encrypted content encoding for HTTP, aes128gcm (RFC 8188): a header, and records of AES-128-GCM under keys that a salt makes of one secret.

/** How many bytes GCM adds to a record. */
const tagBytes = 16

/** How many bytes a header without a key id has. */
const headerBytes = 21

/** How long a record of a file is, in bytes. */
const fileRecordBytes = 65_536

/** How many bytes of a file a record carries. */
const filePieceBytes = fileRecordBytes - tagBytes - 1

/** The delimiters that end the content of a record that another follows, and of the last one (RFC 8188, section 2). */
const [hasNext, isLast] = [1, 2]

/** Encrypts and decrypts the records of one content. */
interface Records {
  seal(number: number, plain: Bytes): Promise<Bytes>
  /** `undefined` when it is none of these records, another one, or changed. */
  open(number: number, record: Bytes): Promise<Bytes | undefined>
}

async function recordsUnder(secret: Bytes, salt: Bytes): Promise<Records> {
  const { subtle } = crypto
  const raw = await hkdf(secret, utf8('Content-Encoding: aes128gcm\0'), 16, salt)
  const base = await hkdf(secret, utf8('Content-Encoding: nonce\0'), 12, salt)
  const key = await subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
  const nonceOf = (number: number) => {
    const iv = base.slice()
    const view = new DataView(iv.buffer)
    view.setUint32(8, view.getUint32(8) ^ number)
    return { name: 'AES-GCM', iv }
  }
  return {
    seal: async (number, plain) => new Uint8Array(await subtle.encrypt(nonceOf(number), key, plain)),
    open: (number, record) =>
      subtle.decrypt(nonceOf(number), key, record).then(
        (plain) => new Uint8Array(plain),
        () => undefined,
      ),
  }
}

function headerOf(salt: Bytes, recordBytes: number, keyId: Bytes): Bytes {
  const sizes = new Uint8Array(5)
  new DataView(sizes.buffer).setUint32(0, recordBytes)
  sizes[4] = keyId.length
  return concat(salt, sizes, keyId)
}

interface Header {
  readonly salt: Bytes
  readonly recordBytes: number
  readonly keyId: Bytes
}

/** The header that these bytes begin with; `undefined` when they are too few. */
function readHeader(bytes: Bytes): Header | undefined {
  const end = headerBytes + (bytes[20] ?? 0)
  if (bytes.length < end) return undefined
  const recordBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(16)
  return { salt: bytes.slice(0, 16), recordBytes, keyId: bytes.slice(headerBytes, end) }
}

/** The content of a record without its padding; `undefined` when it does not end as it has to. */
function withoutPadding(plain: Bytes | undefined, delimiter: number): Bytes | undefined {
  if (plain === undefined) return undefined
  const end = plain.findLastIndex((byte) => byte !== 0)
  return plain[end] === delimiter ? plain.subarray(0, end) : undefined
}

/**
 * How long the content of a short text is, with its delimiter and its padding: at least 256 bytes, then rounded up so that the length reveals
 * little (Padmé; "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", 2019).
 */
function paddedBytes(length: number): number {
  const least = Math.max(256, length)
  const exponent = 31 - Math.clz32(least)
  const step = 2 ** (exponent - 32 + Math.clz32(exponent))
  return Math.ceil(least / step) * step
}

/** Encrypts a short content as one padded record. @param salt 16 bytes that no other content under this secret has */
export async function sealRecord(
  secret: Bytes,
  content: Bytes,
  { keyId = new Uint8Array(), salt = randomBytes(16) } = {},
): Promise<Bytes> {
  const plain = new Uint8Array(paddedBytes(content.length + 1))
  plain.set(content)
  plain[content.length] = isLast
  const { seal } = await recordsUnder(secret, salt)
  return concat(headerOf(salt, plain.length + tagBytes, keyId), await seal(0, plain))
}

/** The secret that belongs to a key id; `undefined` for one that cannot be. */
export type SecretOf = (keyId: Bytes) => Promise<Bytes | undefined>

/** Decrypts what {@link sealRecord} encrypted; `undefined` for everything else. */
export async function openRecord(sealed: Bytes, secretOf: SecretOf): Promise<Bytes | undefined> {
  const header = readHeader(sealed)
  const content = await readRecord(sealed, secretOf)
  if (header === undefined || content === undefined) return undefined
  const recordBytes = paddedBytes(content.length + 1) + tagBytes
  const isOurs =
    header.recordBytes === recordBytes && sealed.length === headerBytes + header.keyId.length + recordBytes
  return isOurs ? content : undefined
}

/** Decrypts a content of one record, however it is padded. */
export async function readRecord(sealed: Bytes, secretOf: SecretOf): Promise<Bytes | undefined> {
  const header = readHeader(sealed)
  const secret = header && (await secretOf(header.keyId))
  if (header === undefined || secret === undefined) return undefined
  const { open } = await recordsUnder(secret, header.salt)
  return withoutPadding(await open(0, sealed.subarray(headerBytes + header.keyId.length)), isLast)
}

/** How many bytes a sealed file of this size has. */
export function sealedFileBytes(size: number): number {
  return headerBytes + size + (tagBytes + 1) * Math.max(1, Math.ceil(size / filePieceBytes))
}

/** Encrypts a file in pieces, as they are read. @param key 16 bytes that no other file has */
export function sealFile(key: Bytes, file: Blob, salt = randomBytes(16)): ReadableStream<Bytes> {
  let records: Records | undefined
  let number = 0
  return new ReadableStream({
    async pull(controller) {
      if (records === undefined) {
        records = await recordsUnder(key, salt)
        controller.enqueue(headerOf(salt, fileRecordBytes, new Uint8Array()))
      }
      const at = number * filePieceBytes
      const piece = new Uint8Array(await file.slice(at, at + filePieceBytes).arrayBuffer())
      const isEnd = at + filePieceBytes >= file.size
      const delimiter = Uint8Array.of(isEnd ? isLast : hasNext)
      controller.enqueue(await records.seal(number++, concat(piece, delimiter)))
      if (isEnd) controller.close()
    },
  })
}

/** What a stream of {@link openFile} fails with when it is not the whole file as it was sealed. */
export class Undecryptable extends Error {
  override readonly name = 'Undecryptable'
}

/**
 * Decrypts a file in pieces, as they arrive. Each piece is what was sealed at its place, but only the end of the stream says that the file is
 * whole: it fails with {@link Undecryptable} at the first piece that is not.
 * @param size how many bytes the file has
 */
export function openFile(key: Bytes, size: number): TransformStream<Bytes, Bytes> {
  let held = new Uint8Array()
  let records: Records | undefined
  let [number, left] = [0, size]
  const open = async (
    record: Bytes,
    delimiter: number,
    controller: TransformStreamDefaultController<Bytes>,
  ): Promise<void> => {
    const piece = withoutPadding(await records?.open(number++, record), delimiter)
    if (piece === undefined || (left -= piece.length) < 0) throw new Undecryptable()
    controller.enqueue(piece)
  }
  return new TransformStream({
    async transform(chunk, controller) {
      held = concat(held, chunk)
      if (records === undefined) {
        if (held.length < headerBytes) return
        const header = readHeader(held)
        if (header?.recordBytes !== fileRecordBytes || header.keyId.length > 0) throw new Undecryptable()
        records = await recordsUnder(key, header.salt)
        held = held.slice(headerBytes)
      }
      let at = 0
      // A record is the last one only when the stream ends with it.
      for (; held.length - at > fileRecordBytes; at += fileRecordBytes)
        await open(held.subarray(at, at + fileRecordBytes), hasNext, controller)
      held = held.slice(at)
    },
    async flush(controller) {
      await open(held, isLast, controller)
      if (left > 0) throw new Undecryptable()
    },
  })
}

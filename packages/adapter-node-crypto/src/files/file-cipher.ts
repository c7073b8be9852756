import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject } from 'node:crypto'
import type { ByteRange, DataCorrupted, FileCipher, FilePlace, Pieces } from '@sotto/core'
import { err, ok, type Ok, type Result } from 'neverthrow'
import { fileData } from '../shared/associated-data.ts'
import { paddedFileLength } from './file-padding.ts'
import type { RandomBytes } from '../shared/random.ts'

// A content is padded with zeros and cut into chunks of 64 KiB, of which the last may be shorter. Each is encrypted with AES-256-GCM under
// the file's key, which encrypts nothing else. The nonce has the chunk's number and whether it is the last one (the STREAM construction of
// Hoang, Reyhanitabar, Rogaway and Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015):
// 7 zero bytes ‖ u32(number) ‖ u8(1 for the last chunk, else 0). A number that needs more than 32 bits throws, so that no nonce repeats.
// What is stored is each chunk's ciphertext ‖ its tag (16 bytes).
const algorithm = 'aes-256-gcm'
const chunkLength = 65_536
const tagLength = 16
const storedChunkLength = chunkLength + tagLength
const cipherOptions = { authTagLength: tagLength }
const keyLength = 32
/** The longest content: 256 TiB, in chunks of which each has a number of 32 bits. */
const maxLength = 2 ** 32 * chunkLength

/** @param options.randomBytes makes the keys */
export function createFileCipher({ randomBytes }: { readonly randomBytes: RandomBytes }): FileCipher {
  return {
    newFileKey: () => randomBytes(keyLength),

    newContentDigest() {
      const hash = createHash('sha256')
      return { add: (bytes) => void hash.update(bytes), digest: () => hash.digest() }
    },

    encryptFile: (place, key, content) => encrypted(encrypterOf(place, key), content),
    decryptFile: (place, { key, size }, range, read) =>
      decrypted({ place, decrypt: decrypterOf(place, key), size, range }, read),
    storedLength,
  }
}

async function* encrypted<E>(
  encrypt: ReturnType<typeof encrypterOf>,
  content: Pieces<E>,
): AsyncGenerator<Result<Uint8Array, E>, void, void> {
  let waiting: Buffer | undefined
  for await (const chunk of chunksOf(padded(content), chunkLength)) {
    if (chunk.isErr()) return yield err(chunk.error)
    if (waiting !== undefined) yield* encrypt(waiting, false)
    waiting = chunk.value
  }
  if (waiting !== undefined) yield* encrypt(waiting, true)
}

async function* decrypted<E>(
  { place, decrypt, size, range }: Reading,
  read: (range: ByteRange) => Pieces<E>,
): AsyncGenerator<Result<Uint8Array, E | DataCorrupted>, void, void> {
  if (range.start >= range.end) return
  const length = paddedFileLength(size)
  if (!(length <= maxLength)) return yield err(corrupted(place))
  const last = Math.ceil(length / chunkLength) - 1
  const first = Math.floor(range.start / chunkLength)
  const end = Math.ceil(range.end / chunkLength)
  let number = first
  const stored = {
    start: first * storedChunkLength,
    end: Math.min(end * storedChunkLength, storedLength(size)),
  }
  for await (const chunk of chunksOf(read(stored), storedChunkLength)) {
    if (chunk.isErr()) return yield err(chunk.error)
    const isLast = number === last
    const isWhole =
      chunk.value.length === (isLast ? storedLength(size) - last * storedChunkLength : storedChunkLength)
    const plaintext = number < end && isWhole ? decrypt(chunk.value, number, isLast) : undefined
    if (plaintext === undefined) return yield err(corrupted(place))
    const from = number * chunkLength
    yield ok(plaintext.subarray(Math.max(range.start - from, 0), Math.min(range.end - from, chunkLength)))
    number += 1
  }
  if (number < end) yield err(corrupted(place))
}

/** The bytes of a content that are decrypted, and how its chunks are. */
interface Reading {
  readonly place: FilePlace
  readonly decrypt: ReturnType<typeof decrypterOf>
  readonly size: number
  readonly range: ByteRange
}

function storedLength(size: number): number {
  const padded = paddedFileLength(size)
  return padded + Math.ceil(padded / chunkLength) * tagLength
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Gives a chunk's ciphertext and its tag. Joining them would take as much memory again, and half of the time of an upload. */
function encrypterOf(
  place: FilePlace,
  bytes: Uint8Array,
): (chunk: Buffer, isLast: boolean) => readonly [Ok<Buffer, never>, Ok<Buffer, never>] {
  const { key, data } = bound(place, bytes)
  let number = 0
  return (chunk, isLast) => {
    const cipher = createCipheriv(algorithm, key, nonceOf(number, isLast), cipherOptions)
    cipher.setAAD(data)
    number += 1
    const ciphertext = cipher.update(chunk)
    cipher.final()
    return [ok(ciphertext), ok(cipher.getAuthTag())]
  }
}

function decrypterOf(
  place: FilePlace,
  bytes: Uint8Array,
): (stored: Buffer, number: number, isLast: boolean) => Buffer | undefined {
  const { key, data } = bound(place, bytes)
  return (stored, number, isLast) => {
    if (key.symmetricKeySize !== keyLength) return undefined
    const decipher = createDecipheriv(algorithm, key, nonceOf(number, isLast), cipherOptions)
    decipher.setAAD(data)
    decipher.setAuthTag(stored.subarray(-tagLength))
    const plaintext = decipher.update(stored.subarray(0, -tagLength))
    try {
      decipher.final()
    } catch {
      return undefined
    }
    return plaintext
  }
}

/** The key is copied now, so that its bytes can be erased while a content is still arriving. */
function bound(place: FilePlace, bytes: Uint8Array): { readonly key: KeyObject; readonly data: Buffer } {
  return { key: createSecretKey(bytes), data: fileData(place) }
}

/** A content, followed by the zeros that pad it. */
async function* padded<E>(content: Pieces<E>): AsyncGenerator<Result<Uint8Array, E>> {
  let size = 0
  for await (const piece of content) {
    if (piece.isOk()) size += piece.value.length
    yield piece
  }
  for (let missing = paddedFileLength(size) - size; missing > 0; missing -= chunkLength)
    yield ok(Buffer.alloc(Math.min(missing, chunkLength)))
}

/**
 * Cuts bytes into chunks of one length, but for the last one. An Err ends them. A chunk is overwritten when the next but one is asked for:
 * memory that is used again needs no collection.
 */
async function* chunksOf<E>(
  pieces: Pieces<E>,
  length: number,
): AsyncGenerator<Result<Buffer, E>, void, void> {
  let [chunk, other] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)]
  let filled = 0
  for await (const piece of pieces) {
    if (piece.isErr()) return yield err(piece.error)
    for (let at = 0; at < piece.value.length;) {
      const taken = piece.value.subarray(at, at + length - filled)
      chunk.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < length) continue
      yield ok(chunk)
      ;[chunk, other] = [other, chunk]
      filled = 0
    }
  }
  if (filled > 0) yield ok(chunk.subarray(0, filled))
}

function corrupted({ fileId }: FilePlace): DataCorrupted {
  return { code: 'data_damaged', what: 'file.content', id: fileId }
}

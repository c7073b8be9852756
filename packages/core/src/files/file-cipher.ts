import type { Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { DataCorrupted } from '../shared/errors.ts'

/** Where the content of a file belongs. Read for any other place it is corrupted. */
export interface FilePlace {
  readonly accountId: Uuid
  readonly secretId: Uuid
  readonly fileId: Uuid
}

/** A file's key and the size of its content in bytes, which its ciphertext does not tell. */
export interface FileKey {
  readonly key: Uint8Array
  readonly size: number
}

/** A range of the bytes of a content: from `start`, up to and without `end`. `0 <= start <= end <= size`. */
export interface ByteRange {
  /** The first byte, from 0. */
  readonly start: number
  /** The byte after the last one. */
  readonly end: number
}

/** Bytes as they arrive, in pieces of any length. An Err ends them. A piece is made when it is asked for. */
export type Pieces<E> = AsyncIterable<Result<Uint8Array, E>>

/** A digest of bytes that are added one after the other. */
export interface ContentDigest {
  add(bytes: Uint8Array): void
  digest(): Uint8Array
}

/**
 * Encrypts the contents of files, piece by piece: neither method holds more than a few pieces, whatever the size, and each goes on when its
 * reader asks for more. Both copy the key when they are called. A reader that stops early ends what they read.
 */
export interface FileCipher {
  /** A new key, which encrypts one content, once. */
  newFileKey(): Uint8Array

  /** Digests a content as it passes: SHA-256 (FIPS 180-4). `digest` is asked once, at the end, and gives 32 bytes. */
  newContentDigest(): ContentDigest

  /**
   * Encrypts a content of any length. What it yields, joined, is what {@link decryptFile} reads; its length is `storedLength` of the
   * content's.
   * @errors what `content` yields
   */
  encryptFile<E>(place: FilePlace, key: Uint8Array, content: Pieces<E>): Pieces<E>

  /**
   * The bytes of a range, exactly as they were given to {@link encryptFile} for the same place, in pieces. `read` gives a range of what is
   * stored. Each piece is checked before it is yielded. An Err ends it.
   * What is stored after the end of a content of this size is not read.
   * @errors what `read` yields; `data_damaged` when what is stored was changed, shortened, or belongs elsewhere, and for a key or a size that no
   * content has
   */
  decryptFile<E>(
    place: FilePlace,
    file: FileKey,
    range: ByteRange,
    read: (range: ByteRange) => Pieces<E>,
  ): Pieces<E | DataCorrupted>

  /** How many bytes are stored of a content of this size: rounded up, so that the length reveals little (Padmé). */
  storedLength(size: number): number
}

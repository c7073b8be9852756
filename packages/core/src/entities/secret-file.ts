import type { Uuid } from './uuid.ts'

/** A file of a secret, as its owner and its recipients see it. */
export interface SecretFile {
  /** As it was called where it came from: a name without a path. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** The media type that its sender gave; only shown, never trusted. */
  readonly type: string
}

/** A file with what reads its content. Confidential: it is part of the note, and encrypted with it. */
export interface KeyedFile extends SecretFile {
  /** The id of its content in the `FileStore`. */
  readonly id: Uuid
  /** The key of its content, 32 bytes in base64url. */
  readonly key: string
}

import type { Uuid } from '../shared/uuid.ts'

/** A file of a secret, as its owner and its recipients see it. */
export interface SecretFile {
  /** The file's name at its sender, without a path. */
  readonly name: string
  /** The file's size, in bytes. */
  readonly size: number
  /** The media type that its sender gave; only shown, never trusted. */
  readonly type: string
}

/** A file of a secret or draft, as its owner sees it. */
export interface OwnedFile extends SecretFile {
  readonly id: Uuid
}

/** A file with what reads its content. Confidential: it is part of the note, and encrypted with it. */
export interface KeyedFile extends OwnedFile {
  /** The key of its content, 32 bytes in base64url. `id` is that of its content in the `FileStore`. */
  readonly key: string
}

/**
 * Files whose contents are stored and that are not part of a secret or draft yet: what `uploadFiles` gives, for the use-case that creates the
 * secret or draft. Confidential. An upload that becomes part of neither has to be dropped (`dropUpload`).
 */
export interface Upload {
  readonly accountId: Uuid
  /** The id that the secret or draft has or will have. */
  readonly secretId: Uuid
  readonly files: readonly KeyedFile[]
  /** SHA-256 of each content in lower-case hexadecimal digits, by the files' order; for idempotency keys. */
  readonly digests: readonly string[]
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { err, errAsync, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type {
  Ciphertext,
  DataCorrupted,
  DecryptError,
  EncryptedSecret,
  HasherBusy,
  PasswordRequired,
  PasswordWrong,
  PlainSecret,
  SecretCipher,
  SecretHead,
  StoredNote,
  StoredSecret,
} from '@sotto/core'
import type { SecretColumn } from '../shared/associated-data.ts'
import { decryptHead, encryptHead } from './head.ts'
import type { RingKeys } from '../keys/key-ring.ts'
import { lockNoteKey, unlockNoteKey, type PasswordOptions } from './note-key-lock.ts'
import { decryptNote, encryptNote } from './note.ts'
import type { RingKey } from '../keys/ring-key.ts'
import {
  decryptWrappedKey,
  encryptWrappedKey,
  joinWrappedContent,
  noteKeyLength,
  splitWrappedContent,
  type WrappedContent,
} from './wrapped-key.ts'

export interface SecretCipherOptions extends PasswordOptions {
  readonly ring: RingKeys
}

export function createSecretCipher(options: SecretCipherOptions): SecretCipher {
  const { ring } = options
  return {
    encryptSecret(secret) {
      checkPlain(secret)
      const noteKey = options.randomBytes(noteKeyLength)
      if (secret.password !== undefined) {
        return new ResultAsync(encryptLocked(options, secret, noteKey, secret.password))
      }
      const encrypted = encryptParts(options, secret, noteKey, () => noteKey)
      noteKey.fill(0)
      return okAsync(encrypted)
    },

    decryptHead(secret) {
      const ringKey = ring.find(secret.kid)
      if (ringKey === undefined) return err(unknownKey(secret))
      const head = decryptHead(ringKey, secret, secret.headCiphertext)
      return head === undefined ? err(corrupted('secret.head', secret)) : ok(head)
    },

    decryptNote(secret, stored, password) {
      const ringKey = ring.find(secret.kid)
      if (ringKey === undefined) return errAsync(unknownKey(secret))
      const content = decryptWrappedKey(ringKey, secret, stored.wrappedKey)
      if (content === undefined) return errAsync(corrupted('secret.wrap', secret))
      if (!secret.hasPassword) {
        const note = readNote(secret, stored, content)
        return note.isErr() ? errAsync(note.error) : okAsync(note.value)
      }
      const checked = checkedContent(secret, stored, content)
      if (checked.isErr()) return errAsync(checked.error)
      if (password === undefined) return errAsync({ code: 'password_required' } satisfies PasswordRequired)
      return new ResultAsync(decryptLocked(options, secret, stored, { locked: checked.value, password }))
    },

    rebind(rebinding) {
      const ringKey = ring.find(rebinding.from.kid)
      if (ringKey === undefined) return err(unknownKey(rebinding.from))
      checkLink(rebinding.link, rebinding.head)
      return rebindParts(options, ringKey, rebinding)
    },
  }
}

async function encryptLocked(
  options: SecretCipherOptions,
  secret: PlainSecret,
  noteKey: Buffer,
  password: string,
): Promise<Result<EncryptedSecret & StoredNote, HasherBusy>> {
  const locked = await lockNoteKey(options, secret.row, noteKey, password)
  // The active key is asked for only now: it may have changed during the wait.
  const encrypted = locked.map((parts) =>
    encryptParts(options, secret, noteKey, (note) =>
      joinWrappedContent({ ...parts, noteDigest: digest(note) }),
    ),
  )
  noteKey.fill(0)
  return encrypted
}

function encryptParts(
  { ring, randomBytes }: SecretCipherOptions,
  { row, head, note }: PlainSecret,
  noteKey: Buffer,
  contentOf: (note: Ciphertext) => Buffer,
): EncryptedSecret & StoredNote {
  const ringKey = ring.active()
  const encryptedNote = encryptNote(noteKey, row, note, randomBytes)
  return {
    kid: ringKey.kid,
    headCiphertext: encryptHead(ringKey, row, head, randomBytes),
    wrappedKey: encryptWrappedKey(ringKey, row, contentOf(encryptedNote), randomBytes),
    note: encryptedNote,
  }
}

/** The parts of a wrapped key with a password, if they make sense and the note is the one that it was made for. */
function checkedContent(
  secret: StoredSecret,
  { note }: StoredNote,
  content: Buffer,
): Result<WrappedContent, DataCorrupted> {
  const parts = splitWrappedContent(content)
  if (parts === undefined) return err(corrupted('secret.wrap', secret))
  return timingSafeEqual(digest(note), parts.noteDigest) ? ok(parts) : err(corrupted('secret.note', secret))
}

function digest(note: Ciphertext): Buffer {
  return createHash('sha256').update(note).digest()
}

async function decryptLocked(
  options: SecretCipherOptions,
  secret: StoredSecret,
  stored: StoredNote,
  { locked, password }: { readonly locked: WrappedContent; readonly password: string },
): Promise<Result<string, PasswordWrong | HasherBusy | DecryptError>> {
  const noteKey = await unlockNoteKey(options, secret, locked, password)
  return noteKey.isErr() ? err(noteKey.error) : readNote(secret, stored, noteKey.value)
}

/** Decrypts a note with its key, which is zero afterwards. */
function readNote(secret: StoredSecret, stored: StoredNote, noteKey: Buffer): Result<string, DataCorrupted> {
  const note = decryptNote(noteKey, secret, stored.note)
  noteKey.fill(0)
  return note === undefined ? err(corrupted('secret.note', secret)) : ok(note)
}

function rebindParts(
  { ring, randomBytes }: SecretCipherOptions,
  ringKey: RingKey,
  { from, wrappedKey, link, columns, head }: Parameters<SecretCipher['rebind']>[0],
): Result<EncryptedSecret, DataCorrupted> {
  const content = wrappedKey && decryptWrappedKey(ringKey, from, wrappedKey)
  if (wrappedKey !== undefined && content === undefined) return err(corrupted('secret.wrap', from))
  const row = { ...from, ...columns, link }
  const active = ring.active()
  const encrypted = {
    kid: active.kid,
    headCiphertext: encryptHead(active, row, head, randomBytes),
    wrappedKey: content && encryptWrappedKey(active, row, content, randomBytes),
  }
  content?.fill(0)
  return ok(encrypted)
}

function checkPlain({ row, head, password }: PlainSecret): void {
  checkLink(row.link, head)
  if (row.hasPassword !== (password !== undefined)) {
    throw new TypeError('a password is given exactly if the row has one')
  }
}

function checkLink(link: StoredSecret['link'], { linkToken }: SecretHead): void {
  if ((link === undefined) !== (linkToken === undefined)) {
    throw new TypeError('a link and its token are given together')
  }
}

function corrupted(what: SecretColumn, { id }: StoredSecret): DataCorrupted {
  return { code: 'data_damaged', what, id }
}

function unknownKey({ kid }: StoredSecret): DecryptError {
  return { code: 'key_unknown', kid }
}

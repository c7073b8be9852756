import { err, errAsync, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type {
  CipherBusy,
  DataDamaged,
  DecryptError,
  PasswordRequired,
  PasswordWrong,
  PlainSecret,
  SecretCipher,
  SecretHead,
  SecretKeys,
  StoredNote,
  StoredSecret,
} from '@sotto/core'
import type { SecretColumn } from './associated-data.ts'
import { decryptHead, encryptHead } from './head.ts'
import type { RingKeys } from './key-ring.ts'
import { lockNoteKey, unlockNoteKey, type PasswordOptions } from './note-key-lock.ts'
import { decryptNote, encryptNote } from './note.ts'
import type { RingKey } from './ring-key.ts'
import { decryptWrap, encryptWrap, noteKeyLength } from './wrap.ts'

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
      const encrypted = encryptParts(options, secret, noteKey, noteKey)
      noteKey.fill(0)
      return okAsync(encrypted)
    },

    decryptHead(secret) {
      const ringKey = ring.find(secret.kid)
      return ringKey === undefined ? err(unknownKey(secret)) : readHead(ringKey, secret)
    },

    decryptNote(secret, stored, password) {
      const ringKey = ring.find(secret.kid)
      if (ringKey === undefined) return errAsync(unknownKey(secret))
      const held = decryptWrap(ringKey, secret, stored.wrap)
      if (held === undefined) return errAsync(damaged('secret.wrap', secret))
      if (!secret.hasPassword) {
        const note = readNote(secret, stored, held)
        return note.isErr() ? errAsync(note.error) : okAsync(note.value)
      }
      if (password === undefined) return errAsync({ code: 'password_required' } satisfies PasswordRequired)
      return new ResultAsync(decryptLocked(options, secret, stored, held, password))
    },

    rebind(from, wrap, to) {
      const ringKey = ring.find(from.kid)
      if (ringKey === undefined) return err(unknownKey(from))
      return rebindParts(options, ringKey, from, wrap, to)
    },
  }
}

async function encryptLocked(
  options: SecretCipherOptions,
  secret: PlainSecret,
  noteKey: Buffer,
  password: string,
): Promise<Result<SecretKeys & StoredNote, CipherBusy>> {
  const held = await lockNoteKey(options, secret.row, noteKey, password)
  // The ring is asked only now: its active key may have changed during the wait.
  const encrypted = held.map((locked) => encryptParts(options, secret, noteKey, locked))
  noteKey.fill(0)
  return encrypted
}

function encryptParts(
  { ring, randomBytes }: SecretCipherOptions,
  { row, head, note }: PlainSecret,
  noteKey: Buffer,
  held: Buffer,
): SecretKeys & StoredNote {
  const ringKey = ring.active()
  return {
    kid: ringKey.kid,
    head: encryptHead(ringKey, row, head, randomBytes),
    wrap: encryptWrap(ringKey, row, held, randomBytes),
    note: encryptNote(noteKey, row, note, randomBytes),
  }
}

async function decryptLocked(
  options: SecretCipherOptions,
  secret: StoredSecret,
  stored: StoredNote,
  held: Buffer,
  password: string,
): Promise<Result<string, PasswordWrong | CipherBusy | DecryptError>> {
  const noteKey = await unlockNoteKey(options, secret, held, password)
  return noteKey.isErr() ? err(noteKey.error) : readNote(secret, stored, noteKey.value)
}

/** Takes the key over: it is zero afterwards. */
function readNote(secret: StoredSecret, stored: StoredNote, noteKey: Buffer): Result<string, DataDamaged> {
  const note = decryptNote(noteKey, secret, stored.note)
  noteKey.fill(0)
  return note === undefined ? err(damaged('secret.note', secret)) : ok(note)
}

function readHead(ringKey: RingKey, secret: StoredSecret): Result<SecretHead, DataDamaged> {
  const head = decryptHead(ringKey, secret, secret.head)
  return head === undefined ? err(damaged('secret.head', secret)) : ok(head)
}

function rebindParts(
  { ring, randomBytes }: SecretCipherOptions,
  ringKey: RingKey,
  from: StoredSecret,
  wrap: StoredNote['wrap'] | undefined,
  to: Parameters<SecretCipher['rebind']>[2],
): Result<SecretKeys, DataDamaged> {
  checkLink(to.link, to.linkToken)
  const head = readHead(ringKey, from)
  if (head.isErr()) return err(head.error)
  const held = wrap && decryptWrap(ringKey, from, wrap)
  if (wrap !== undefined && held === undefined) return err(damaged('secret.wrap', from))
  const row = { ...from, link: to.link }
  const active = ring.active()
  const keys = {
    kid: active.kid,
    head: encryptHead(active, row, { label: head.value.label, linkToken: to.linkToken }, randomBytes),
    wrap: held && encryptWrap(active, row, held, randomBytes),
  }
  held?.fill(0)
  return ok(keys)
}

function checkPlain({ row, head, password }: PlainSecret): void {
  checkLink(row.link, head.linkToken)
  if (row.hasPassword !== (password !== undefined)) {
    throw new TypeError('a password is given exactly if the row says that there is one')
  }
}

function checkLink(link: StoredSecret['link'], linkToken: SecretHead['linkToken']): void {
  if ((link === undefined) !== (linkToken === undefined)) {
    throw new TypeError('a link and its token are given together')
  }
}

function damaged(what: SecretColumn, { id }: StoredSecret): DataDamaged {
  return { code: 'data_damaged', what, id }
}

function unknownKey({ kid }: StoredSecret): DecryptError {
  return { code: 'key_unknown', kid }
}

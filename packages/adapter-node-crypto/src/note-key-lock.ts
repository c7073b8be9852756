import { timingSafeEqual } from 'node:crypto'
import { err, ok, type Result } from 'neverthrow'
import type { CipherBusy, DataDamaged, PasswordWrong } from '@sotto/core'
import { decryptBlob, encryptBlob } from './aead.ts'
import { noteData, type PlainColumns } from './associated-data.ts'
import type { HashQueue } from './hash-queue.ts'
import { passwordKeysFrom, saltLength, type Argon2Params, type HashPassword } from './password.ts'
import type { RandomBytes } from './random.ts'
import { joinPasswordWrap, splitPasswordWrap } from './wrap.ts'

export interface PasswordOptions {
  readonly queue: HashQueue
  readonly hashPassword: HashPassword
  /** The price of passwords from now on; those that are stored keep theirs. */
  readonly params: Argon2Params
  readonly randomBytes: RandomBytes
}

type Fixed = Pick<PlainColumns, 'id' | 'accountId'>

/** What a wrap is to hold: the note's key, locked by the password. */
export async function lockNoteKey(
  { queue, hashPassword, params, randomBytes }: PasswordOptions,
  { id, accountId }: Fixed,
  noteKey: Uint8Array,
  password: string,
): Promise<Result<Buffer, CipherBusy>> {
  const salt = randomBytes(saltLength)
  const hashed = await queue.run('create', () => hashPassword(password, salt, params))
  if (hashed.isErr()) return err(hashed.error)
  const { innerKey, commitment } = passwordKeysFrom(hashed.value, id)
  const associatedData = noteData('secret.wrap.password', id, accountId)
  const inner = encryptBlob({ key: innerKey, associatedData, plaintext: noteKey, randomBytes })
  return ok(joinPasswordWrap({ salt, params, commitment, inner }))
}

/**
 * The note's key out of what a wrap holds.
 * @errors `password_wrong` when the password does not yield the commitment; `data_damaged` when it does and the note's key still
 * cannot be read, or when what the wrap holds makes no sense
 */
export async function unlockNoteKey(
  { queue, hashPassword }: PasswordOptions,
  { id, accountId }: Fixed,
  held: Buffer,
  password: string,
): Promise<Result<Buffer, PasswordWrong | DataDamaged | CipherBusy>> {
  const wrap = splitPasswordWrap(held)
  if (wrap === undefined) return err(damaged(id))
  const hashed = await queue.run('open', () => hashPassword(password, wrap.salt, wrap.params))
  if (hashed.isErr()) return err(hashed.error)
  const { innerKey, commitment } = passwordKeysFrom(hashed.value, id)
  const isRight = timingSafeEqual(commitment, wrap.commitment)
  const associatedData = noteData('secret.wrap.password', id, accountId)
  const noteKey = isRight ? decryptBlob({ key: innerKey, associatedData, blob: wrap.inner }) : undefined
  if (!isRight) return err({ code: 'password_wrong' })
  return noteKey === undefined ? err(damaged(id)) : ok(noteKey)
}

function damaged(id: string): DataDamaged {
  return { code: 'data_damaged', what: 'secret.wrap', id }
}

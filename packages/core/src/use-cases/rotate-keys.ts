import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, KeyRetired, KeysUnwritable, StorageError } from '../errors.ts'
import type { TextPlace } from '../ports/cipher.ts'
import type { StoredText, StoredWrap } from '../ports/key-store.ts'
import type { RotationPorts } from '../ports/ports.ts'

/** Rows read at once. Each is replaced by itself, so that nobody waits long behind it. */
const batchSize = 50

const columns: readonly TextPlace['column'][] = ['account.email', 'folder.label', 'access_token.name']

export type RotateKeysError = KeysUnwritable | KeyRetired | StorageError

/** How far a rotation has come; what a rotation ends with. */
export interface RotationProgress {
  /** The key under which rows are put. */
  readonly kid: number
  /** Whether that key was made active by this rotation; false when it finishes one that was cut off. */
  readonly added: boolean
  /** Rows put under it so far. */
  readonly rewrapped: number
  /** Rows that do not decrypt, and were left as they are. */
  readonly damaged: readonly DecryptError[]
}

/**
 * Adds a key, makes it the active one and puts every row under it, while everything else goes on. Needs no password. Killed
 * at any point and started again it goes on where it was: as long as there are rows to put under the active key no further one is
 * added. Damaged rows are left as they are. The old keys stay in the ring until they are retired.
 *
 * @param input.onProgress called after each batch
 */
export function rotateKeys(
  ports: RotationPorts,
  { onProgress }: { readonly onProgress?: (progress: RotationProgress) => void } = {},
): ResultAsync<RotationProgress, RotateKeysError> {
  return new ResultAsync(rotate(ports, onProgress ?? (() => undefined)))
}

async function rotate(
  ports: RotationPorts,
  onProgress: (progress: RotationProgress) => void,
): Promise<Result<RotationProgress, RotateKeysError>> {
  ports.keyRing.refresh()
  const finished = await rewrapAll(ports, { kid: ports.keyRing.activeKid(), added: false, onProgress })
  if (finished.isErr() || finished.value.rewrapped > 0) return finished
  const kid = await activateNextKey(ports)
  return kid.isErr() ? err(kid.error) : rewrapAll(ports, { kid: kid.value, added: true, onProgress })
}

/**
 * The order matters: the key is in the ring before the store admits it, and the store admits it before anybody writes under it.
 * A key that waits in the ring, because a rotation was cut off, is taken before another is made. Ok with its kid.
 */
async function activateNextKey({
  keyRing,
  keys,
  clock,
}: RotationPorts): Promise<Result<number, RotateKeysError>> {
  const waiting = keyRing.kids().find((kid) => kid > keyRing.activeKid())
  const next = waiting === undefined ? await keyRing.addKey() : ok<number, RotateKeysError>(waiting)
  if (next.isErr()) return err(next.error)
  const kid = next.value
  const key = { kid, checkValue: keyRing.checkValue(kid), createdAtMicros: clock.nowMicros() }
  const admitted = await keys.add(key)
  if (admitted.isErr()) return err(admitted.error)
  const activated = await keyRing.activate(kid)
  return activated.isErr() ? err(activated.error) : ok(kid)
}

async function rewrapAll(
  ports: RotationPorts,
  { kid, added, onProgress }: Pick<Progress, 'kid' | 'added' | 'onProgress'>,
): Promise<Result<RotationProgress, RotateKeysError>> {
  const state: Progress = { kid, added, rewrapped: 0, damaged: [], onProgress }
  for (const column of columns) {
    const done = await everyBatch(
      (after) => ports.rewraps.texts(column, kid, after, batchSize),
      ({ place }) => place.rowId,
      (text) => rewrapText(ports, text),
      state,
    )
    if (done.isErr()) return err(done.error)
  }
  const done = await everyBatch(
    (after) => ports.rewraps.secrets(kid, after, batchSize),
    ({ secret }) => secret.id,
    (stored) => rewrapSecret(ports, stored),
    state,
  )
  return done.isErr() ? err(done.error) : ok(shown(state))
}

interface Progress {
  readonly kid: number
  readonly added: boolean
  rewrapped: number
  readonly damaged: DecryptError[]
  readonly onProgress: (progress: RotationProgress) => void
}

type Rewrapped = Result<boolean, DecryptError | KeyRetired | StorageError>

async function everyBatch<Row>(
  read: (after: Uuid | undefined) => ResultAsync<readonly Row[], StorageError>,
  idOf: (row: Row) => Uuid,
  rewrap: (row: Row) => Promise<Rewrapped>,
  state: Progress,
): Promise<Result<void, RotateKeysError>> {
  let after: Uuid | undefined
  for (;;) {
    const rows = await read(after)
    if (rows.isErr()) return err(rows.error)
    for (const row of rows.value) {
      const rewrapped = await rewrap(row)
      if (rewrapped.isOk()) state.rewrapped += rewrapped.value ? 1 : 0
      else if (isDamage(rewrapped.error)) state.damaged.push(rewrapped.error)
      else return err(rewrapped.error)
    }
    state.onProgress(shown(state))
    const last = rows.value.at(-1)
    if (last === undefined || rows.value.length < batchSize) return ok()
    after = idOf(last)
  }
}

function shown({ kid, added, rewrapped, damaged }: Progress): RotationProgress {
  return { kid, added, rewrapped, damaged: [...damaged] }
}

/** Ok(false) when the row was changed meanwhile: whoever changed it wrote it under a key of his own time. */
async function rewrapText(
  { textCipher, digests, rewraps }: RotationPorts,
  text: StoredText,
): Promise<Rewrapped> {
  const plain = textCipher.decryptText(text.place, text.encrypted)
  if (plain.isErr()) return err(plain.error)
  const encrypted = textCipher.encryptText(text.place, plain.value)
  const isEmail = text.place.column === 'account.email'
  return rewraps.replaceText(text, encrypted, isEmail ? digests.emailIndexes(plain.value)[0] : undefined)
}

async function rewrapSecret(
  { secretCipher, rewraps }: RotationPorts,
  stored: StoredWrap,
): Promise<Rewrapped> {
  const { secret, wrap } = stored
  const head = secretCipher.decryptHead(secret)
  if (head.isErr()) return err(head.error)
  const { link } = secret
  const keys = secretCipher.rebind(secret, wrap, { link, linkToken: head.value.linkToken })
  return keys.isErr() ? err(keys.error) : rewraps.replaceSecret(stored, keys.value)
}

function isDamage(error: DecryptError | KeyRetired | StorageError): error is DecryptError {
  return error.code === 'data_damaged' || error.code === 'key_unknown'
}

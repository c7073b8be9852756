import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, KeyRetired, KeyRingUnfit, KeysUnwritable, StorageError } from '../errors.ts'
import type { StoredText, StoredWrap } from '../ports/key-store.ts'
import type { PortMethods } from '../ports/ports.ts'
import { textColumns } from '../ports/text-columns.ts'
import { knownKids, type KnownKidsDeps } from './keys.ts'

/**
 * Rows that are read together, and replaced together: a store can commit them together. One by one, each would hold the store's lock during
 * an fsync, and a server beside it would hardly get the lock.
 */
const batchSize = 50

export type RotateKeysDeps = KnownKidsDeps &
  PortMethods<{
    keyRing: 'activeKid' | 'settled' | 'kids' | 'addKey' | 'checkValue' | 'activate' | 'removeKey'
    keys: 'add'
    rewraps: 'texts' | 'secrets' | 'replaceText' | 'replaceSecret'
    textCipher: 'decryptText' | 'encryptText'
    secretCipher: 'decryptHead' | 'rebind'
    digests: 'accountIndexes'
    clock: 'nowMicros'
  }>
export interface RotateKeysInput {
  /** Called after each batch. */
  readonly onProgress?: ((progress: RotationProgress) => void) | undefined
}
export type RotateKeysError = KeyRingUnfit | KeysUnwritable | KeyRetired | StorageError

/** How far a rotation has got; at the end, what it did. */
export interface RotationProgress {
  /** The key that rows are put under. */
  readonly kid: number
  /** Whether this rotation added that key; false when it finishes one that was interrupted. */
  readonly added: boolean
  /** Rows put under it so far. */
  readonly rewrapped: number
  /** Rows that do not decrypt, and were left as they are. */
  readonly corrupted: readonly DecryptError[]
}

/**
 * Adds a key, makes it the active one and puts every row under it, while everything else keeps running. Needs no password. A rotation that
 * was killed at any point continues when it is run again. As long as there are rows to put under the active key, no further key is added.
 * Corrupted rows are left as they are. The old keys stay in the ring until they are retired.
 *
 * It moves rows only after the other processes of this machine have changed to the new key (`KeyRingAdmin.settled`), so that none is left under
 * an old one. A row that is written there later still is moved by another run.
 * @errors `key_ring_unfit` when another machine has added a key to the store that is not in this ring; nothing is changed then
 */
export function rotateKeys(
  deps: RotateKeysDeps,
  { onProgress = () => undefined }: RotateKeysInput = {},
): ResultAsync<RotationProgress, RotateKeysError> {
  return new ResultAsync(rotate(deps, onProgress))
}

async function rotate(
  deps: RotateKeysDeps,
  onProgress: (progress: RotationProgress) => void,
): Promise<Result<RotationProgress, RotateKeysError>> {
  const known = await knownKids(deps)
  if (known.isErr()) return err(known.error)
  const interrupted = await rewrapAll(deps, {
    kid: deps.keyRing.activeKid(),
    added: false,
    rewrapped: 0,
    onProgress,
  })
  if (interrupted.isErr()) return err(interrupted.error)
  const { rewrapped } = interrupted.value
  const added = rewrapped === 0
  const activated = added ? await activateNextKey(deps) : ok()
  if (activated.isErr()) return err(activated.error)
  await deps.keyRing.settled()
  // Another rotation may have activated a newer key.
  return rewrapAll(deps, { kid: deps.keyRing.activeKid(), added, rewrapped, onProgress })
}

/**
 * The order matters: the key is in the ring before the store knows it, and the store knows it before anything is written under it.
 * A key that an interrupted rotation left in the ring is used before another one is added.
 */
async function activateNextKey({
  keyRing,
  keys,
  clock,
}: RotateKeysDeps): Promise<Result<void, RotateKeysError>> {
  const waiting = keyRing.kids().find((kid) => kid > keyRing.activeKid())
  const next = waiting === undefined ? await keyRing.addKey() : ok<number, RotateKeysError>(waiting)
  if (next.isErr()) return err(next.error)
  const kid = next.value
  const key = { kid, checkValue: keyRing.checkValue(kid), createdAtMicros: clock.nowMicros() }
  const known = await keys.add(key)
  if (known.isErr()) return err(known.error)
  const fits = await knownKids({ keyRing, keys })
  if (fits.isOk()) return keyRing.activate(kid)
  // Another machine was first to add a key under this number. Nothing can have been written under ours.
  if (fits.error.code !== 'key_ring_unfit' || fits.error.kid !== kid) return err(fits.error)
  const removed = await keyRing.removeKey(kid)
  return err(removed.isErr() ? removed.error : fits.error)
}

/** Puts every row that is not under this key now under it, and counts on from `rewrapped`. */
async function rewrapAll(
  deps: RotateKeysDeps,
  { kid, ...before }: Omit<Progress, 'corrupted'>,
): Promise<Result<RotationProgress, RotateKeysError>> {
  const state: Progress = { kid, ...before, corrupted: [] }
  for (const column of textColumns) {
    const done = await everyBatch(
      (after) => deps.rewraps.texts(column, kid, after, batchSize),
      ({ place }) => place.rowId,
      (text) => rewrapText(deps, text),
      state,
    )
    if (done.isErr()) return err(done.error)
  }
  const done = await everyBatch(
    (after) => deps.rewraps.secrets(kid, after, batchSize),
    ({ secret }) => secret.id,
    (stored) => rewrapSecret(deps, stored),
    state,
  )
  return done.isErr() ? err(done.error) : ok(shown(state))
}

interface Progress {
  readonly kid: number
  readonly added: boolean
  rewrapped: number
  readonly corrupted: DecryptError[]
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
    for (const rewrapped of await Promise.all(rows.value.map(rewrap))) {
      if (rewrapped.isOk()) state.rewrapped += rewrapped.value ? 1 : 0
      else if (isCorruption(rewrapped.error)) state.corrupted.push(rewrapped.error)
      else return err(rewrapped.error)
    }
    const last = rows.value.at(-1)
    if (last === undefined) return ok()
    state.onProgress(shown(state))
    if (rows.value.length < batchSize) return ok()
    after = idOf(last)
  }
}

function shown({ kid, added, rewrapped, corrupted }: Progress): RotationProgress {
  return { kid, added, rewrapped, corrupted: [...corrupted] }
}

/** Ok(false) when the row was changed after it was read: it is then already under the key that was active at that time. */
async function rewrapText(
  { textCipher, digests, rewraps }: RotateKeysDeps,
  text: StoredText,
): Promise<Rewrapped> {
  const plain = textCipher.decryptText(text.place, text.encrypted)
  if (plain.isErr()) return err(plain.error)
  const encrypted = textCipher.encryptText(text.place, plain.value)
  const isName = text.place.column === 'account.name'
  return rewraps.replaceText(text, encrypted, isName ? digests.accountIndexes(plain.value)[0] : undefined)
}

async function rewrapSecret(
  { secretCipher, rewraps }: RotateKeysDeps,
  stored: StoredWrap,
): Promise<Rewrapped> {
  const { secret, wrap } = stored
  const head = secretCipher.decryptHead(secret)
  if (head.isErr()) return err(head.error)
  const rebound = secretCipher.rebind({ from: secret, wrap, link: secret.link, head: head.value })
  return rebound.isErr() ? err(rebound.error) : rewraps.replaceSecret(stored, rebound.value)
}

function isCorruption(error: DecryptError | KeyRetired | StorageError): error is DecryptError {
  return error.code === 'data_damaged' || error.code === 'key_unknown'
}

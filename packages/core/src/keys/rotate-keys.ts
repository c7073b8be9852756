import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { KeyNotEverywhere } from './errors.ts'
import type { DecryptError, KeyRetired, StorageError } from '../shared/errors.ts'
import type { KeyStore, RewrapStore, ServerStore, StoredText, StoredWrappedKey } from './key-store.ts'
import type { KeyRingAdmin } from './key-ring-admin.ts'
import type { TextCipher } from '../shared/cipher.ts'
import type { SecretCipher } from '../secrets/secret-cipher.ts'
import type { Digests } from '../shared/digests.ts'
import { textColumns, type TextColumn } from '../shared/text-columns.ts'
import { serversWithout } from './key-ring.ts'
import { addKey, type AddKeyDeps, type AddKeyError } from './add-key.ts'
import { allFittingKeys } from './keys.ts'

/**
 * Rows that are read together, and replaced together: a store can commit them together. One by one, each would hold the store's lock during
 * an fsync, and a server beside it would hardly get the lock.
 */
const batchSize = 50

export type RotateKeysDeps = AddKeyDeps & {
  readonly keyRing: Pick<KeyRingAdmin, 'activeKid' | 'follow' | 'activate'>
  readonly keys: Pick<KeyStore, 'activate'>
  readonly servers: Pick<ServerStore, 'list'>
  readonly rewraps: Pick<RewrapStore, 'texts' | 'secrets' | 'replaceText' | 'replaceSecret'>
  readonly textCipher: Pick<TextCipher, 'decryptText' | 'encryptText'>
  readonly secretCipher: Pick<SecretCipher, 'decryptHead' | 'rebind'>
  readonly digests: Pick<Digests, 'accountIndexes' | 'keyedDigests'>
}
export interface RotateKeysInput {
  /** Called after each batch. */
  readonly onProgress?: ((progress: RotationProgress) => void) | undefined
}
export type RotateKeysError = AddKeyError | KeyNotEverywhere | KeyRetired

/** How far a rotation has got; at the end, what it did. */
export interface RotationProgress {
  /** The key that rows are put under. */
  readonly kid: number
  /** Whether this rotation made it the active key; false when it finishes one that was interrupted. */
  readonly added: boolean
  /** Rows put under it so far. */
  readonly rewrapped: number
  /** Rows that do not decrypt, and were left as they are. */
  readonly corrupted: readonly DecryptError[]
}

/**
 * Makes the key that waits the active one, adding it when there is none, and puts every row under it, while everything else keeps running.
 * Needs no password. A rotation that was killed at any point continues when it is run again. As long as there are rows to put under the
 * active key, no further key becomes active. Corrupted rows are left as they are. The old keys stay in the ring until they are retired.
 * @errors `key_ring_unfit` when another machine has added a key to the store that is not in this ring; nothing is changed then;
 *   `key_not_everywhere` while a server that runs lacks the key: it waits, and everything is as before; `key_retired` when another rotation
 *   has made a newer key active
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
  const known = await allFittingKeys(deps)
  if (known.isErr()) return err(known.error)
  await deps.keyRing.follow()
  const interrupted = await rewrapAll(deps, {
    kid: deps.keyRing.activeKid(),
    added: false,
    rewrapped: 0,
    onProgress,
  })
  if (interrupted.isErr()) return err(interrupted.error)
  const { kid, rewrapped } = interrupted.value
  const added = rewrapped === 0
  const next = added ? await nextKey(deps) : ok(kid)
  if (next.isErr()) return err(next.error)
  const activated = await activate(deps, next.value)
  if (activated.isErr()) return err(activated.error)
  // Another rotation may have activated a newer key.
  await deps.keyRing.follow()
  return rewrapAll(deps, { kid: deps.keyRing.activeKid(), added, rewrapped, onProgress })
}

/** The key that waits, once every server that runs has shown that it holds it. */
async function nextKey(deps: RotateKeysDeps): Promise<Result<number, RotateKeysError>> {
  const { servers, clock } = deps
  const next = await addKey(deps)
  if (next.isErr()) return err(next.error)
  const { kid } = next.value
  const shown = await servers.list()
  if (shown.isErr()) return err(shown.error)
  const without = serversWithout(kid, shown.value, clock.nowMicros())
  return without.length === 0 ? ok(kid) : err({ code: 'key_not_everywhere', kid, servers: without })
}

/**
 * The store comes first: a ring whose active key is newer than the store's would be taken for one from after a backup. Finishes what an
 * interrupted rotation has begun, too.
 */
function activate({ keys, keyRing }: RotateKeysDeps, kid: number): ResultAsync<void, RotateKeysError> {
  return keys
    .activate(kid)
    .andThen((isActive) => (isActive ? keyRing.activate(kid) : errAsync({ code: 'key_retired' } as const)))
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
  return rewraps.replaceText(text, encrypted, nameIndexes[text.place.column]?.(digests, plain.value))
}

/** Makes the index of each column by whose text a row is found. */
const nameIndexes: Partial<
  Record<TextColumn, (digests: RotateKeysDeps['digests'], text: string) => Uint8Array | undefined>
> = {
  'account.name': (digests, text) => digests.accountIndexes(text)[0],
  'identity.name': (digests, text) => digests.keyedDigests('identity', text)[0],
}

async function rewrapSecret(
  { secretCipher, rewraps }: RotateKeysDeps,
  stored: StoredWrappedKey,
): Promise<Rewrapped> {
  const { secret, wrappedKey } = stored
  const head = secretCipher.decryptHead(secret)
  if (head.isErr()) return err(head.error)
  const rebound = secretCipher.rebind({ from: secret, wrappedKey, link: secret.link, head: head.value })
  return rebound.isErr() ? err(rebound.error) : rewraps.replaceSecret(stored, rebound.value)
}

function isCorruption(error: DecryptError | KeyRetired | StorageError): error is DecryptError {
  return error.code === 'data_damaged' || error.code === 'key_unknown'
}

import { err, errAsync, ok, type Result, type ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { KeyNotEverywhere } from './errors.ts'
import type { DecryptError, KeyRetired, StorageError } from '../shared/errors.ts'
import type { StoredText, StoredWrappedKey } from './key-store.ts'
import { aFunction } from '../shared/inputs.ts'
import { textColumns, type TextColumn } from '../shared/text-columns.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import { allFittingKeys, serversWithout } from './key-ring.ts'
import { addKey } from './keys.ts'

/**
 * Rows that are read together, and replaced together: a store can commit them together. One by one, each would hold the store's lock during
 * an fsync, and a server beside it would hardly get the lock.
 */
const batchSize = 50

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

const needs = [
  ...addKey.needs,
  'keyRing.activeKid',
  'keyRing.follow',
  'keyRing.activate',
  'keys.activate',
  'servers.list',
  'rewraps.texts',
  'rewraps.secrets',
  'rewraps.replaceText',
  'rewraps.replaceSecret',
  'textCipher.decryptText',
  'textCipher.encryptText',
  'secretCipher.decryptHead',
  'secretCipher.rebind',
  'digests.accountIndexes',
  'digests.keyedDigests',
] as const

type Deps = DepsOf<(typeof needs)[number]>

/**
 * Makes the key that waits the active one, adding it when there is none, and puts every row under it, while everything else keeps running.
 * Needs no password. A rotation that was killed at any point continues when it is run again. As long as there are rows to put under the
 * active key, no further key becomes active. Corrupted rows are left as they are. The old keys stay in the ring until they are retired.
 * @errors `key_ring_unfit` when another machine has added a key to the store that is not in this ring; nothing is changed then;
 *   `key_not_everywhere` while a server that runs lacks the key: it waits, and everything is as before; `key_retired` when another rotation
 *   has made a newer key active; `keys_unwritable`
 */
export const rotateKeys = useCase({
  needs,
  mayTake: {
    /** Called after each batch. */
    onProgress: aFunction<(progress: RotationProgress) => void>,
  },
  async run(deps, { onProgress = () => undefined }) {
    const known = await allFittingKeys(deps)
    if (known.isErr()) return known
    await deps.keyRing.follow()
    const interrupted = await rewrapAll(deps, {
      kid: deps.keyRing.activeKid(),
      added: false,
      rewrapped: 0,
      onProgress,
    })
    if (interrupted.isErr()) return interrupted
    const { kid, rewrapped } = interrupted.value
    const added = rewrapped === 0
    const next = added ? await nextKey(deps) : ok(kid)
    if (next.isErr()) return next
    const activated = await activate(deps, next.value)
    if (activated.isErr()) return activated
    // Another rotation may have activated a newer key.
    await deps.keyRing.follow()
    return rewrapAll(deps, { kid: deps.keyRing.activeKid(), added, rewrapped, onProgress })
  },
})

/** The key that waits, once every server that runs has shown that it holds it. */
async function nextKey(deps: Deps) {
  const { servers, clock } = deps
  const next = await addKey(deps)
  if (next.isErr()) return next
  const { kid } = next.value
  const shown = await servers.list()
  if (shown.isErr()) return shown
  const without = serversWithout(kid, shown.value, clock.nowMicros())
  return without.length === 0
    ? ok(kid)
    : err<never, KeyNotEverywhere>({ code: 'key_not_everywhere', kid, servers: without })
}

/**
 * The store comes first: a ring whose active key is newer than the store's would be taken for one from after a backup. Finishes what an
 * interrupted rotation has begun, too.
 */
function activate({ keys, keyRing }: Deps, kid: number) {
  return keys
    .activate(kid)
    .andThen((isActive) =>
      isActive ? keyRing.activate(kid) : errAsync<never, KeyRetired>({ code: 'key_retired' }),
    )
}

/** Puts every row that is not under this key now under it, and counts on from `rewrapped`. */
async function rewrapAll(
  deps: Deps,
  { kid, ...before }: Omit<Progress, 'corrupted'>,
): Promise<Result<RotationProgress, KeyRetired | StorageError>> {
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
): Promise<Result<void, KeyRetired | StorageError>> {
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
async function rewrapText({ textCipher, digests, rewraps }: Deps, text: StoredText): Promise<Rewrapped> {
  const plain = textCipher.decryptText(text.place, text.encrypted)
  if (plain.isErr()) return err(plain.error)
  const encrypted = textCipher.encryptText(text.place, plain.value)
  return rewraps.replaceText(text, encrypted, nameIndexes[text.place.column]?.(digests, plain.value))
}

/** Makes the index of each column by whose text a row is found. */
const nameIndexes: Partial<
  Record<TextColumn, (digests: Deps['digests'], text: string) => Uint8Array | undefined>
> = {
  'account.name': (digests, text) => digests.accountIndexes(text)[0],
  'identity.name': (digests, text) => digests.keyedDigests('identity', text)[0],
}

async function rewrapSecret({ secretCipher, rewraps }: Deps, stored: StoredWrappedKey): Promise<Rewrapped> {
  const { secret, wrappedKey } = stored
  const head = secretCipher.decryptHead(secret)
  if (head.isErr()) return err(head.error)
  const rebound = secretCipher.rebind({ from: secret, wrappedKey, link: secret.link, head: head.value })
  return rebound.isErr() ? err(rebound.error) : rewraps.replaceSecret(stored, rebound.value)
}

function isCorruption(error: DecryptError | KeyRetired | StorageError): error is DecryptError {
  return error.code === 'data_damaged' || error.code === 'key_unknown'
}

import { statSync } from 'node:fs'
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow'
import type { Clock, KeyRingAdmin, KeysUnwritable, StoredKey } from '@sotto/core'
import { activateKey, addKey, removeKey } from './key-file-changes.ts'
import { identityOf, keyFileError, readKeyFile, type KeyFileError, type KeyFileRead } from './key-file.ts'
import { createRingKey, type RingKey } from './ring-key.ts'

/** What a key ring reads, and for which database. */
export interface KeyRingOptions {
  /** The path of the key file. */
  readonly keyFile: string
  /** The random id of the database, 16 to 64 bytes: the salt of all derived keys. */
  readonly instanceId: Uint8Array
  /** Says when the file is looked at again, and gives a new key its time. */
  readonly clock: Clock
  /**
   * Asks the database for its active key; `undefined` when it gives no answer. Without it, and until the database has another one, the active
   * key of the file is used.
   */
  readonly activeKey?: (() => Promise<Pick<StoredKey, 'kid' | 'checkValue'> | undefined>) | undefined
  /** Called when the key file has changed and cannot be read. The keys that were read before remain in use. */
  readonly onReadError?: ((error: KeyFileError) => void) | undefined
}

/** The keys, for the ciphers of this package. */
export interface RingKeys {
  /** The random id of the database. */
  readonly instanceId: Uint8Array
  /** The key to encrypt under. Checks at most once a second whether the file has changed. */
  active(): RingKey
  /** The key of this kid. For an unknown kid the file is read again if it has changed. */
  find(kid: number): RingKey | undefined
  /** All keys, by kid ascending. */
  all(): readonly RingKey[]
}

/** A key ring: the port that administers the keys, and the keys for the ciphers of this package. */
export type NodeKeyRing = KeyRingAdmin & RingKeys

const checkEveryMicros = 1_000_000

interface Loaded {
  readonly activeKid: number
  readonly keys: ReadonlyMap<number, RingKey>
  readonly identity: string
}

/**
 * Creates a ring that follows its key file, which other processes may change at any time. The file is read again when a row names an
 * unknown key, when the active key is used and the file has changed, and on `refresh` and `follow`. When the file cannot be read, or has
 * another key under a known kid, the ring stays as it was. A key that the database has made active after the file was copied is used in place
 * of the file's. Throws a `TypeError` when the instance id is too short or too long.
 * @errors those of `openKeyFile`
 */
export function createKeyRing(options: KeyRingOptions): Result<NodeKeyRing, KeyFileError> {
  const { length } = options.instanceId
  if (length < 16 || length > 64) throw new TypeError('an instance id has 16 to 64 bytes')
  const instanceId = Uint8Array.from(options.instanceId)
  return load(options.keyFile, instanceId, undefined).map((first) => {
    const file = followFile({ ...options, instanceId }, first)
    return { instanceId, ...ringKeys(file), ...ringAdmin(options, file) }
  })
}

interface FollowedFile {
  /** What was read last, with the key that is active by now. */
  now(): Loaded
  /** Encrypts with this key of the file from now on: it is active in the database. */
  use(kid: number): void
  /** Reads the file. */
  reload(): void
  /** Reads the file if it has changed. Costs a system call. */
  reloadIfChanged(): void
  /** Reads the key file again, at most once a second. */
  reloadIfDue(): void
}

function followFile(
  { keyFile, instanceId, clock, onReadError }: KeyRingOptions,
  first: Loaded,
): FollowedFile {
  let loaded = first
  let used = 0
  let checkedAtMicros = clock.nowMicros()
  let failedAtMicros: number | undefined
  // The difference is absolute, because the clock may be set back.
  const isOld = (atMicros: number): boolean => Math.abs(clock.nowMicros() - atMicros) >= checkEveryMicros

  function reload(): void {
    const read = load(keyFile, instanceId, loaded)
    failedAtMicros = read.isErr() ? clock.nowMicros() : undefined
    if (read.isOk()) loaded = read.value
    else onReadError?.(read.error)
  }

  function reloadIfChanged(): void {
    // A file that cannot be read is not tried again for every row with an unknown kid.
    if (failedAtMicros !== undefined && !isOld(failedAtMicros)) return
    if (currentIdentity(keyFile) !== loaded.identity) reload()
  }

  return {
    now: () => (used > loaded.activeKid && loaded.keys.has(used) ? { ...loaded, activeKid: used } : loaded),
    use: (kid) => void (used = kid),
    reload,
    reloadIfChanged,
    reloadIfDue() {
      if (!isOld(checkedAtMicros)) return
      checkedAtMicros = clock.nowMicros()
      reloadIfChanged()
    },
  }
}

function ringKeys(file: FollowedFile): Omit<RingKeys, 'instanceId'> {
  return {
    active() {
      file.reloadIfDue()
      const { activeKid, keys } = file.now()
      return keys.get(activeKid) ?? unreachable()
    },
    find(kid) {
      const known = file.now().keys.get(kid)
      if (known !== undefined) return known
      file.reloadIfChanged()
      return file.now().keys.get(kid)
    },
    all: () => [...file.now().keys.values()],
  }
}

function ringAdmin(options: KeyRingOptions, file: FollowedFile): KeyRingAdmin {
  const where = { path: options.keyFile, clock: options.clock }
  const changed = <T>(result: Result<T, KeyFileError>): ResultAsync<T, KeysUnwritable> => {
    file.reload()
    return result.isOk()
      ? okAsync(result.value)
      : errAsync({ code: 'keys_unwritable', detail: result.error.message })
  }
  return {
    activeKid() {
      file.reloadIfDue()
      return file.now().activeKid
    },
    refresh: file.reload,
    async follow() {
      file.reload()
      const active = await options.activeKey?.()
      if (active === undefined) return
      const ours = file.now().keys.get(active.kid)?.checkValue()
      if (ours !== undefined && Buffer.compare(ours, active.checkValue) === 0) file.use(active.kid)
    },
    kids: () => [...file.now().keys.keys()],
    checkValue(kid) {
      const key = file.now().keys.get(kid)
      if (key === undefined) throw new TypeError('the ring has no key of this kid')
      return key.checkValue()
    },
    addKey: () => changed(addKey(where)),
    activate: (kid) => changed(activateKey(where, kid)).map(() => undefined),
    removeKey: (kid) => changed(removeKey(where, kid)).map(() => undefined),
  }
}

/** Keys that are the same as before keep their cache of derived keys. */
function load(
  path: string,
  instanceId: Uint8Array,
  before: Loaded | undefined,
): Result<Loaded, KeyFileError> {
  const read = readKeyFile(path)
  if (read.isErr()) return err(read.error)
  const { keyFile, identity }: KeyFileRead = read.value
  const keys = new Map<number, RingKey>()
  for (const { kid, key } of keyFile.keys) {
    const known = before?.keys.get(kid)
    if (known?.equals(key) === false) {
      return keyFileError(
        'key_file_keys_changed',
        `The key file ${path} holds another key under a known kid.`,
      )
    }
    keys.set(kid, known ?? createRingKey({ kid, key, instanceId }))
  }
  return ok({ activeKid: keyFile.activeKid, keys, identity })
}

function currentIdentity(path: string): string | undefined {
  try {
    return identityOf(statSync(path, { bigint: true }))
  } catch {
    return undefined
  }
}

function unreachable(): never {
  throw new TypeError('a ring always has its active key')
}

import { statSync } from 'node:fs'
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow'
import type { Clock, KeyRingAdmin, KeysUnwritable } from '@sotto/core'
import { activateKey, addKey, removeKey } from './key-file-changes.ts'
import { fault, identityOf, readKeyFile, type KeyFileError, type KeyFileRead } from './key-file.ts'
import { createRingKey, type RingKey } from './ring-key.ts'

export interface KeyRingOptions {
  /** Where the key file is. */
  readonly keyFile: string
  /** The database's own random id, 16 to 64 bytes: the salt of all keys that are derived. */
  readonly instanceId: Uint8Array
  readonly clock: Clock
  /** Told when the key file was to be read anew and could not be; the keys in use stay in use. */
  readonly onReadError?: ((error: KeyFileError) => void) | undefined
}

/** The keys, for the ciphers of this package. */
export interface RingKeys {
  /** The key to encrypt under. Looks at most once a second whether the file names another one. */
  active(): RingKey
  /** The key of this kid. One that is not known is looked for in the file, if that has changed. */
  find(kid: number): RingKey | undefined
  /** All keys, by kid ascending. */
  all(): readonly RingKey[]
}

export type NodeKeyRing = KeyRingAdmin & RingKeys

const checkEveryMicros = 1_000_000

interface Loaded {
  readonly activeKid: number
  readonly keys: ReadonlyMap<number, RingKey>
  readonly identity: string
}

/**
 * A ring that follows its key file, which other processes may change at any time: it is read anew when a row names an unknown
 * key, when the active key is asked for and the file has changed, and on `refresh`. A ring that cannot be read, or in which a
 * kid suddenly stands for another key, stays as it was.
 * @errors what is wrong with the key file, as of `openKeyFile`
 */
export function createKeyRing(options: KeyRingOptions): Result<NodeKeyRing, KeyFileError> {
  const { length } = options.instanceId
  if (length < 16 || length > 64) throw new TypeError('an instance id has 16 to 64 bytes')
  const instanceId = Uint8Array.from(options.instanceId)
  return load(options.keyFile, instanceId, undefined).map((first) => {
    const file = followFile({ ...options, instanceId }, first)
    return { ...ringKeys(file), ...ringAdmin(options, file) }
  })
}

interface FollowedFile {
  now(): Loaded
  /** Reads the file. */
  reload(): void
  /** Reads the file if it is another one than before. Costs a system call. */
  reloadIfChanged(): void
  /** The same, at most once a second. */
  reloadIfChangedLately(): void
}

function followFile(
  { keyFile, instanceId, clock, onReadError }: KeyRingOptions,
  first: Loaded,
): FollowedFile {
  let loaded = first
  let checkedAtMicros = clock.nowMicros()
  let failedAtMicros: number | undefined
  // Also when the clock was set back.
  const isOld = (atMicros: number): boolean => Math.abs(clock.nowMicros() - atMicros) >= checkEveryMicros

  function reload(): void {
    const anew = load(keyFile, instanceId, loaded)
    failedAtMicros = anew.isErr() ? clock.nowMicros() : undefined
    if (anew.isOk()) loaded = anew.value
    else onReadError?.(anew.error)
  }

  function reloadIfChanged(): void {
    // A file that cannot be read is not tried again for each row that asks.
    if (failedAtMicros !== undefined && !isOld(failedAtMicros)) return
    if (currentIdentity(keyFile) !== loaded.identity) reload()
  }

  return {
    now: () => loaded,
    reload,
    reloadIfChanged,
    reloadIfChangedLately() {
      if (!isOld(checkedAtMicros)) return
      checkedAtMicros = clock.nowMicros()
      reloadIfChanged()
    },
  }
}

function ringKeys(file: FollowedFile): RingKeys {
  return {
    active() {
      file.reloadIfChangedLately()
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
      file.reloadIfChangedLately()
      return file.now().activeKid
    },
    refresh: file.reload,
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

/** Keys that are the same as `before` keep what was derived from them. */
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
      return fault('key_file_keys_changed', `The key file ${path} holds another key under a kid than before.`)
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

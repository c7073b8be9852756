import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { err, ok, type Result } from 'neverthrow'
import type { Clock } from '@sotto/core'
import {
  createNewFile,
  makePrivateDirectory,
  syncPath,
  systemErrorCode,
  takeLock,
  type FileLock,
} from '@sotto/system'
import {
  errorReason,
  keyFileError,
  keyFileText,
  openKeyFile,
  readKeyFile,
  type KeyFile,
  type KeyFileError,
  type KeyFileKey,
} from './key-file.ts'
import { secretKeyFrom } from './ring-key.ts'

/** The path of the key file, and the clock for the times in it. */
export interface KeyFileOptions {
  /** The path of the key file. */
  readonly path: string
  /** Gives a new key its `createdAt`. */
  readonly clock: Clock
}

/**
 * Creates a key file with one fresh key, durably, and the directory for it with mode 0700 when it is missing. A key file that exists is
 * used as it is: when several processes do this at the same time, all end with the same keys.
 * @errors `key_file_not_written`; those of {@link openKeyFile} for the file that exists
 */
export function createKeyFile({ path, clock }: KeyFileOptions): Result<KeyFile, KeyFileError> {
  const target = resolve(path)
  try {
    if (existsSync(target)) {
      // Another process may have created it and not synced it yet. This process may be the first to rely on it.
      syncPath(target)
    } else {
      makePrivateDirectory(dirname(target))
      publishNew(target, { activeKid: 1, nextKid: 2, keys: [freshKey(1, clock)] })
    }
  } catch (error) {
    return notWritten(path, error)
  }
  return openKeyFile(path)
}

/** Adds a fresh key that is not active. Ok with its kid. @errors those of {@link changeKeyFile} */
export function addKey(options: KeyFileOptions): Result<number, KeyFileError> {
  const changed = changeKeyFile(options, ({ activeKid, nextKid, keys }) =>
    ok({ activeKid, nextKid: nextKid + 1, keys: [...keys, freshKey(nextKid, options.clock)] }),
  )
  return changed.map(({ nextKid }) => nextKid - 1)
}

/** Makes a key the active one. @errors `key_file_kid_unknown`; those of {@link changeKeyFile} */
export function activateKey(options: KeyFileOptions, kid: number): Result<KeyFile, KeyFileError> {
  return changeKeyFile(options, (file) => {
    if (file.keys.some((key) => key.kid === kid)) return ok({ ...file, activeKid: kid })
    return keyFileError('key_file_kid_unknown', `The key file ${options.path} has no key of this kid.`)
  })
}

/** Removes a key for good; one that is missing is not an error. @errors `key_file_key_active`; those of {@link changeKeyFile} */
export function removeKey(options: KeyFileOptions, kid: number): Result<KeyFile, KeyFileError> {
  return changeKeyFile(options, (file) => {
    if (file.activeKid !== kid) return ok({ ...file, keys: file.keys.filter((key) => key.kid !== kid) })
    return keyFileError(
      'key_file_key_active',
      `The active key cannot be removed from the key file ${options.path}.`,
    )
  })
}

/**
 * Replaces a key file by what `change` makes of it: completely or not at all, even in a crash; durably; one process at a time.
 * @errors `key_file_busy` when another process is changing it; `key_file_not_written`; those of {@link openKeyFile} and of `change`
 */
function changeKeyFile(
  { path, clock }: KeyFileOptions,
  change: (keyFile: KeyFile) => Result<KeyFile, KeyFileError>,
): Result<KeyFile, KeyFileError> {
  try {
    // The file behind a symbolic link is replaced, not the link.
    const target = realpathSync(path)
    const lock = takeLock(`${target}.lock`, clock.nowMicros())
    if (lock === undefined) return busy(path)
    try {
      return replace(target, change, lock)
    } finally {
      lock.release()
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return keyFileError('key_file_missing', `There is no key file at ${path}.`)
    }
    return notWritten(path, error)
  }
}

function replace(
  target: string,
  change: (keyFile: KeyFile) => Result<KeyFile, KeyFileError>,
  lock: FileLock,
): Result<KeyFile, KeyFileError> {
  const before = readKeyFile(target)
  if (before.isErr()) return err(before.error)
  const after = change(before.value.keyFile)
  if (after.isErr()) return err(after.error)
  // A process that was suspended for a minute may have lost its lock, and must not undo the change of another one.
  const isAllowed = (): boolean => {
    const now = readKeyFile(target)
    return lock.isHeld() && now.isOk() && now.value.text === before.value.text
  }
  const content = keyFileText(after.value)
  const file = createNewFile(target, basename(target), { content, owner: statSync(target), isLocked: true })
  try {
    return file.replace(isAllowed) ? ok(after.value) : busy(target)
  } finally {
    file.discard()
  }
}

/** Publishes a new key file; does nothing when another process has published its file first. */
function publishNew(target: string, keyFile: KeyFile): void {
  const file = createNewFile(target, basename(target), { content: keyFileText(keyFile) })
  try {
    if (!file.publish()) syncPath(dirname(target))
  } finally {
    file.discard()
  }
}

function freshKey(kid: number, clock: Clock): KeyFileKey {
  const createdAt = new Date(Math.floor(clock.nowMicros() / 1_000)).toISOString()
  return { kid, key: secretKeyFrom(randomBytes(32)), createdAt }
}

function busy(path: string): Result<never, KeyFileError> {
  return keyFileError('key_file_busy', `Another process is changing the key file ${path}.`)
}

function notWritten(path: string, error: unknown): Result<never, KeyFileError> {
  return keyFileError(
    'key_file_not_written',
    `The key file ${path} cannot be written (${errorReason(error)}).`,
  )
}

import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from 'neverthrow'
import type { Clock } from '@sotto/core'
import {
  makePrivateDirectory,
  removeLeftovers,
  syncDirectory,
  takeLock,
  writeBeside,
} from './durable-file.ts'
import {
  errnoOf,
  fault,
  keyFileText,
  openKeyFile,
  readKeyFile,
  type KeyFile,
  type KeyFileError,
  type KeyFileKey,
} from './key-file.ts'
import { secretKeyFrom } from './ring-key.ts'

export interface KeyFileOptions {
  readonly path: string
  readonly clock: Clock
}

/**
 * Makes a key file with one fresh key, durably, in a directory that is made for its owner alone when it is not there. If there
 * is a key file by then, that one is used: of several processes at once each ends with the same keys.
 * @errors `key_file_not_written`; what is wrong with the file that was there, as of `openKeyFile`
 */
export function createKeyFile({ path, clock }: KeyFileOptions): Result<KeyFile, KeyFileError> {
  const target = resolve(path)
  try {
    if (!existsSync(target)) {
      makePrivateDirectory(dirname(target))
      const key = freshKey(1, clock)
      linkUnlessThere(target, keyFileText({ activeKid: 1, nextKid: 2, keys: [key] }))
    }
    // Also when another process has made it: this one may be the first to rely on it.
    syncDirectory(dirname(target))
  } catch (error) {
    // A file that was there before, in a place that is not ours to write to, needs nothing done.
    if (!isReadOnly(error) || !existsSync(target)) return notWritten(path, error)
  }
  return openKeyFile(path)
}

/** Adds a fresh key that is not active. Ok with its kid. @errors as {@link changeKeyFile} */
export function addKey(options: KeyFileOptions): Result<number, KeyFileError> {
  const changed = changeKeyFile(options, ({ activeKid, nextKid, keys }) =>
    ok({ activeKid, nextKid: nextKid + 1, keys: [...keys, freshKey(nextKid, options.clock)] }),
  )
  return changed.map(({ nextKid }) => nextKid - 1)
}

/** Makes a key the active one. @errors `key_file_kid_unknown`; as {@link changeKeyFile} */
export function activateKey(options: KeyFileOptions, kid: number): Result<KeyFile, KeyFileError> {
  return changeKeyFile(options, (file) => {
    if (file.keys.some((key) => key.kid === kid)) return ok({ ...file, activeKid: kid })
    return fault('key_file_kid_unknown', `The key file ${options.path} has no key of this kid.`)
  })
}

/** Takes a key away for good; one that is not there is fine. @errors `key_file_key_active`; as {@link changeKeyFile} */
export function removeKey(options: KeyFileOptions, kid: number): Result<KeyFile, KeyFileError> {
  return changeKeyFile(options, (file) => {
    if (file.activeKid !== kid) return ok({ ...file, keys: file.keys.filter((key) => key.kid !== kid) })
    return fault('key_file_key_active', `The active key cannot be taken out of the key file ${options.path}.`)
  })
}

/**
 * Replaces a key file by what `change` makes of it: all of it or nothing, whatever crashes; durably; one process at a time.
 * @errors `key_file_busy` when another process is changing it; `key_file_not_written`; as `openKeyFile`; as `change`
 */
function changeKeyFile(
  { path, clock }: KeyFileOptions,
  change: (keyFile: KeyFile) => Result<KeyFile, KeyFileError>,
): Result<KeyFile, KeyFileError> {
  try {
    // The file itself is replaced, not a symbolic link to it.
    const target = realpathSync(path)
    const lock = takeLock(`${target}.lock`, clock.nowMicros())
    if (lock === undefined) return busy(path)
    try {
      return replace(target, change, () => lock.isHeld())
    } finally {
      lock.release()
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return fault('key_file_missing', `There is no key file at ${path}.`)
    return notWritten(path, error)
  }
}

function replace(
  target: string,
  change: (keyFile: KeyFile) => Result<KeyFile, KeyFileError>,
  isLocked: () => boolean,
): Result<KeyFile, KeyFileError> {
  removeLeftovers(target)
  const before = readKeyFile(target)
  if (before.isErr()) return err(before.error)
  const after = change(before.value.keyFile)
  if (after.isErr()) return err(after.error)
  const temporary = writeBeside(target, keyFileText(after.value), statSync(target))
  // A process that slept on its lock for a minute must not undo what another one did meanwhile.
  const now = readKeyFile(target)
  if (!isLocked() || now.isErr() || now.value.text !== before.value.text) {
    rmSync(temporary, { force: true })
    return busy(target)
  }
  renameSync(temporary, target)
  syncDirectory(dirname(target))
  return ok(after.value)
}

function linkUnlessThere(target: string, text: string): void {
  const temporary = writeBeside(target, text)
  try {
    linkSync(temporary, target)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function isReadOnly(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM', 'EINVAL'].includes(errnoOf(error))
}

function freshKey(kid: number, clock: Clock): KeyFileKey {
  const createdAt = new Date(Math.floor(clock.nowMicros() / 1_000)).toISOString()
  return { kid, key: secretKeyFrom(randomBytes(32)), createdAt }
}

function busy(path: string): Result<never, KeyFileError> {
  return fault('key_file_busy', `Another process is changing the key file ${path}.`)
}

function notWritten(path: string, error: unknown): Result<never, KeyFileError> {
  return fault('key_file_not_written', `The key file ${path} cannot be written (${errnoOf(error)}).`)
}

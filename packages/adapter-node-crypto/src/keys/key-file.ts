import type { KeyObject } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs'
import { err, ok, type Result } from 'neverthrow'
import { isPrivateMode, systemErrorCode } from '@sotto/system'
import { secretKeyFrom } from './ring-key.ts'

/** What is wrong with a key file, or with changing it. Codes are stable; `message` is one sentence and reveals no content. */
export interface KeyFileError {
  readonly code:
    | 'key_file_missing'
    | 'key_file_unreadable'
    | 'key_file_exposed'
    | 'key_file_not_json'
    | 'key_file_version_unknown'
    | 'key_file_malformed'
    | 'key_file_key_malformed'
    | 'key_file_kid_duplicate'
    | 'key_file_keys_changed'
    | 'key_file_busy'
    | 'key_file_not_written'
    | 'key_file_kid_unknown'
    | 'key_file_key_active'
  readonly message: string
}

/** The key ring, as it is in a file. */
export interface KeyFile {
  /** The key that new rows are written under. */
  readonly activeKid: number
  /** The kid of the next key; higher than any kid that this file has ever held. */
  readonly nextKid: number
  /** The keys, at least one, by kid ascending. */
  readonly keys: readonly KeyFileKey[]
}

/** One key of the key file. */
export interface KeyFileKey {
  /** The number of the key, from 1 to 2^31 - 1. */
  readonly kid: number
  /** The key: 32 random bytes. */
  readonly key: KeyObject
  /** When it was created: ISO 8601, UTC. For people only. */
  readonly createdAt: string
}

/** A key file, and what shows whether the file has changed since it was read. */
export interface KeyFileRead {
  readonly keyFile: KeyFile
  readonly text: string
  readonly identity: string
}

const keyLength = 32
const maxKid = 2 ** 31 - 1
/** The largest key file: it holds thousands of keys. A larger file is not a key file. */
const maxBytes = 1_048_576

/**
 * Reads a key file.
 * @errors `key_file_missing`; `key_file_unreadable`; `key_file_exposed` when anybody but its owner has a permission on it, unless
 * it is root's and a group of this process may read it;
 * `key_file_not_json`, `key_file_version_unknown`, `key_file_malformed`, `key_file_key_malformed`, `key_file_kid_duplicate`
 */
export function openKeyFile(path: string): Result<KeyFile, KeyFileError> {
  return readKeyFile(path).map(({ keyFile }) => keyFile)
}

export function readKeyFile(path: string): Result<KeyFileRead, KeyFileError> {
  let fd: number | undefined
  try {
    // Opening a FIFO would wait for its writer without O_NONBLOCK.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return readOpened(path, fd)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT')
      return keyFileError('key_file_missing', `There is no key file at ${path}.`)
    return keyFileError('key_file_unreadable', `The key file ${path} cannot be read (${errorReason(error)}).`)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** The identity of a file, which changes when the file is replaced or rewritten. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join('/')
}

/** The file's text: two spaces of indent, a line feed at the end. */
export function keyFileText({ activeKid, nextKid, keys }: KeyFile): string {
  const entries = keys.map(({ kid, key, createdAt }) => {
    const bytes = key.export()
    const entry = { kid, key: bytes.toString('base64'), created_at: createdAt }
    bytes.fill(0)
    return entry
  })
  const file = { version: 1, active_kid: activeKid, next_kid: nextKid, keys: entries }
  return `${JSON.stringify(file, undefined, 2)}\n`
}

export function keyFileError(code: KeyFileError['code'], message: string): Result<never, KeyFileError> {
  return err({ code, message })
}

/** The reason of an error for a message, such as `ENOSPC`. */
export function errorReason(error: unknown): string {
  return systemErrorCode(error) ?? 'unknown error'
}

function readOpened(path: string, fd: number): Result<KeyFileRead, KeyFileError> {
  const stats = fstatSync(fd, { bigint: true })
  if (!stats.isFile() || stats.size > maxBytes) {
    return keyFileError('key_file_unreadable', `The key file ${path} is not a file, or is too large.`)
  }
  if (!isPrivateMode({ mode: Number(stats.mode), uid: Number(stats.uid), gid: Number(stats.gid) })) {
    return keyFileError('key_file_exposed', `The key file ${path} is open to others: set its mode to 0600.`)
  }
  const bytes = readWhole(fd, Number(stats.size))
  const text = bytes.toString('utf8')
  bytes.fill(0)
  return parse(path, text).map((keyFile) => ({ keyFile, text, identity: identityOf(stats) }))
}

function readWhole(fd: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let at = 0
  while (at < size) {
    const count = readSync(fd, bytes, at, size - at, at)
    if (count === 0) break
    at += count
  }
  return bytes.subarray(0, at)
}

function parse(path: string, text: string): Result<KeyFile, KeyFileError> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's message would quote the file.
    return keyFileError('key_file_not_json', `The key file ${path} is not JSON.`)
  }
  if (!isRecord(json)) return malformed(path)
  const { version } = json
  if (version === 1) return parseKeys(path, json)
  if (typeof version !== 'number') return malformed(path)
  return keyFileError(
    'key_file_version_unknown',
    `The key file ${path} has a version that this program does not know.`,
  )
}

function parseKeys(path: string, file: Record<string, unknown>): Result<KeyFile, KeyFileError> {
  const { active_kid: activeKid, next_kid: nextKid, keys: entries } = file
  if (!hasFieldsOnly(file, ['version', 'active_kid', 'next_kid', 'keys'])) return malformed(path)
  if (!isKid(activeKid) || !isKid(nextKid) || !Array.isArray(entries)) return malformed(path)
  const keys: KeyFileKey[] = []
  for (const entry of entries as unknown[]) {
    const key = parseKey(path, entry)
    if (key.isErr()) return err(key.error)
    keys.push(key.value)
  }
  const kids = new Set(keys.map(({ kid }) => kid))
  if (kids.size < keys.length) {
    return keyFileError('key_file_kid_duplicate', `The key file ${path} has two keys with the same kid.`)
  }
  if (!kids.has(activeKid) || Math.max(...kids) >= nextKid) return malformed(path)
  return ok({ activeKid, nextKid, keys: keys.sort((one, other) => one.kid - other.kid) })
}

function parseKey(path: string, entry: unknown): Result<KeyFileKey, KeyFileError> {
  if (!isRecord(entry) || !hasFieldsOnly(entry, ['kid', 'key', 'created_at'])) return malformed(path)
  const { kid, key: base64, created_at: createdAt } = entry
  if (!isKid(kid) || typeof base64 !== 'string' || typeof createdAt !== 'string') return malformed(path)
  const key = keyFrom(base64)
  if (key !== undefined) return ok({ kid, key, createdAt })
  return keyFileError('key_file_key_malformed', `A key in the key file ${path} is not 32 bytes in base64.`)
}

function keyFrom(base64: string): KeyObject | undefined {
  const bytes = Buffer.from(base64, 'base64')
  // Decoding is lenient: encoding must give the same text.
  const isSound = bytes.length === keyLength && bytes.toString('base64') === base64
  const key = isSound ? secretKeyFrom(bytes) : undefined
  bytes.fill(0)
  return key
}

function malformed(path: string): Result<never, KeyFileError> {
  return keyFileError('key_file_malformed', `The key file ${path} does not have the shape of a key file.`)
}

function isKid(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxKid
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasFieldsOnly(value: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name))
}

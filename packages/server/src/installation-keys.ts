import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  createKeyFile,
  createKeyRing,
  openKeyFile,
  type KeyFile,
  type KeyFileError,
  type NodeKeyRing,
} from '@sotto/adapter-node-crypto'
import type { Database, Log } from '@sotto/adapter-sqlite'
import { fitKeyRing, type Clock, type StorageError } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'

/** What keeps keys and data from each other. */
export type KeysFault =
  | KeyFileError
  | DataDirUnusable
  /** There is a database but no key file: a new key could read none of it. */
  | { readonly code: 'key_file_lost'; readonly path: string }
  /** The database was written under another key of this number than the key file has. */
  | { readonly code: 'key_wrong'; readonly path: string; readonly kid: number }
  /** The key file lacks a key that the database may have been written under. */
  | { readonly code: 'key_missing'; readonly path: string; readonly kid: number }

/** The data directory cannot be made or written to; `reason` is the system's code, such as EACCES. */
export interface DataDirUnusable {
  readonly code: 'data_dir_unusable'
  readonly path: string
  readonly reason: string
}

interface Places {
  readonly dataDir: string
  readonly keysFile: string
  readonly clock: Clock
}

/**
 * Sees to it that there is a key file before anything is committed. It is made on the very first use only; one that is there
 * without a database is used, and a database without one is refused.
 */
export function prepareKeyFile({ dataDir, keysFile, clock }: Places): Result<KeyFile, KeysFault> {
  if (!hasDatabase(dataDir)) {
    const usable = prepareDataDir(dataDir)
    return usable.isErr() ? err(usable.error) : createKeyFile({ path: keysFile, clock })
  }
  const opened = openKeyFile(keysFile)
  if (opened.isOk() || opened.error.code !== 'key_file_missing') return opened
  return err({ code: 'key_file_lost', path: keysFile })
}

/** Opens the ring and holds each key against what the database knows of it. A database that knows none gets the active one. */
export async function openKeyRing({
  database,
  keysFile,
  clock,
  log,
}: Pick<Places, 'keysFile' | 'clock'> & {
  readonly database: Pick<Database, 'keys' | 'instanceId'>
  readonly log: Log
}): Promise<Result<NodeKeyRing, KeysFault | StorageError>> {
  const onReadError = ({ message }: KeyFileError): void => log('warn', message)
  const opened = createKeyRing({ keyFile: keysFile, instanceId: database.instanceId, clock, onReadError })
  if (opened.isErr()) return err(opened.error)
  const keyRing = opened.value
  const fits = await fitKeyRing({ keyRing, keys: database.keys, clock })
  if (fits.isOk()) return ok(keyRing)
  if (fits.error.code !== 'key_ring_unfit') return err(fits.error)
  const { kid, reason } = fits.error
  return err({ code: `key_${reason}`, path: keysFile, kid })
}

/** An empty file is one that was about to become a database. */
export function hasDatabase(dataDir: string): boolean {
  try {
    return statSync(join(dataDir, 'sotto.sqlite')).size > 0
  } catch {
    return false
  }
}

/** Found out before a key file is made, so that a refusal leaves nothing behind. */
function prepareDataDir(path: string): Result<void, DataDirUnusable> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK | constants.X_OK)
    return ok()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return err({ code: 'data_dir_unusable', path, reason })
  }
}

import {
  createKeyFile,
  createKeyRing,
  openKeyFile,
  type KeyFile,
  type KeyFileError,
  type NodeKeyRing,
} from '@sotto/adapter-node-crypto'
import {
  fitKeyRing,
  type Clock,
  type Log,
  type OpenStorage,
  type StorageDriver,
  type StorageError,
  type StorageOpenError,
} from '@sotto/core'
import { err, errAsync, type Result, type ResultAsync } from 'neverthrow'

/** Why the key file cannot be used with the data. */
export type KeysError =
  | KeyFileError
  /** There is a database but no key file: a new key could read none of it. */
  | { readonly code: 'key_file_lost'; readonly path: string }
  /** The key of this number in the key file is not the key that the database was written under. */
  | { readonly code: 'key_wrong'; readonly path: string; readonly kid: number }
  /** The key file lacks a key that the database may have been written under. */
  | { readonly code: 'key_missing'; readonly path: string; readonly kid: number }

/**
 * Opens the key file before anything is written to the storage, and creates it when there is no data yet. An existing key file is used
 * also when there is no data; data without a key file is an error.
 */
export async function prepareKeyFile({
  driver,
  keysFile,
  clock,
}: {
  readonly driver: Pick<StorageDriver, 'hasData' | 'prepare'>
  readonly keysFile: string
  readonly clock: Clock
}): Promise<Result<KeyFile, KeysError | StorageOpenError>> {
  const hasData = await driver.hasData()
  // Nobody knows then whether there is data, which a new key could not read.
  if (hasData.isErr()) return err(hasData.error)
  if (!hasData.value) {
    // First, so that a place that cannot be used leaves no key file behind.
    const prepared = await driver.prepare()
    return prepared.isErr() ? err(prepared.error) : createKeyFile({ path: keysFile, clock })
  }
  return openKeyFile(keysFile).mapErr((error) =>
    error.code === 'key_file_missing' ? { code: 'key_file_lost', path: keysFile } : error,
  )
}

/** Opens the key ring and compares it with what the storage knows of each key. A storage without keys gets the active one. */
export function openKeyRing({
  storage,
  keysFile,
  clock,
  log,
}: {
  readonly storage: Pick<OpenStorage, 'keys' | 'instanceId'>
  readonly keysFile: string
  readonly clock: Clock
  readonly log: Log
}): ResultAsync<NodeKeyRing, KeysError | StorageError> {
  const { keys, instanceId } = storage
  const onReadError = ({ message }: KeyFileError): void => log('warn', message)
  const opened = createKeyRing({ keyFile: keysFile, instanceId, clock, onReadError })
  if (opened.isErr()) return errAsync(opened.error)
  const keyRing = opened.value
  return fitKeyRing({ keyRing, keys, clock })
    .map(() => keyRing)
    .mapErr((error) => {
      if (error.code !== 'key_ring_unfit') return error
      return { code: `key_${error.reason}`, path: keysFile, kid: error.kid } as const
    })
}

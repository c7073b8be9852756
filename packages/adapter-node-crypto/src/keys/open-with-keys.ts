import {
  activeKeyOf,
  fitKeyRing,
  type Clock,
  type OpenStorage,
  type OpenStorageOptions,
  type StorageDriver,
  type StorageError,
  type StorageOpenError,
  type StoredKey,
} from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { createKeyFile } from './key-file-changes.ts'
import { openKeyFile, type KeyFile, type KeyFileError } from './key-file.ts'
import { createKeyRing, type NodeKeyRing } from './key-ring.ts'

/** Why the key file cannot be used with the data. */
export type KeysError =
  | KeyFileError
  /** There is a database but no key file: a new key could read none of it. */
  | { readonly code: 'key_file_lost'; readonly path: string }
  /** The key of this number in the key file is not the key that the database was written under. */
  | KeyFault<'key_wrong'>
  /** The key file lacks a key that the database may have been written under. */
  | KeyFault<'key_missing'>

interface KeyFault<Code extends string> {
  readonly code: Code
  readonly path: string
  /** The number of the key. */
  readonly kid: number
}

/** What `openWithKeys` takes. */
export interface OpenWithKeysOptions<Opened extends OpenStorage = OpenStorage> extends Pick<
  OpenStorageOptions,
  'onFatal' | 'log' | 'meter'
> {
  /** The way to the data. */
  readonly driver: Pick<StorageDriver<Opened>, 'hasData' | 'prepare' | 'open'>
  /** The path of the key file: outside the place of the data, so that no copy of the data includes it. */
  readonly keyFile: string
  /** Dates a key that is made. */
  readonly clock: Clock
}

/** An open storage, and the keys that its rows are under. */
export interface OpenedWithKeys<Opened extends OpenStorage = OpenStorage> {
  readonly storage: Opened
  /** The key ring for `createNodeCrypto`. */
  readonly ring: NodeKeyRing
}

export type OpenWithKeysError = KeysError | StorageOpenError | StorageError

/**
 * Opens a storage together with its key file, and creates both where there is nothing yet. The key file comes first: rows that are committed
 * without it could never be read. It is only created where there is no data; an existing one is used there, too. Then the ring is compared
 * with what the storage knows of each key.
 * @errors nothing that existed has changed, and the storage is closed
 */
export function openWithKeys<Opened extends OpenStorage>(
  options: OpenWithKeysOptions<Opened>,
): ResultAsync<OpenedWithKeys<Opened>, OpenWithKeysError> {
  return new ResultAsync(open(options))
}

async function open<Opened extends OpenStorage>(
  options: OpenWithKeysOptions<Opened>,
): Promise<Result<OpenedWithKeys<Opened>, OpenWithKeysError>> {
  const { driver, onFatal, log, meter } = options
  const prepared = await prepareKeyFile(options)
  if (prepared.isErr()) return err(prepared.error)
  const opened = await driver.open({ onFatal, log, meter })
  if (opened.isErr()) return err(opened.error)
  const storage = opened.value
  const ring = await openKeyRing(options, storage)
  if (ring.isOk()) return ok({ storage, ring: ring.value })
  await storage.close()
  return err(ring.error)
}

async function prepareKeyFile({
  driver,
  keyFile,
  clock,
}: OpenWithKeysOptions): Promise<Result<KeyFile, KeysError | StorageOpenError>> {
  const hasData = await driver.hasData()
  // Nobody knows then whether there is data, which a new key could not read.
  if (hasData.isErr()) return err(hasData.error)
  if (!hasData.value) {
    // The place is prepared first, so that one that cannot be used leaves no key file behind.
    const prepared = await driver.prepare()
    return prepared.isErr() ? err(prepared.error) : createKeyFile({ path: keyFile, clock })
  }
  return openKeyFile(keyFile).mapErr((error) =>
    error.code === 'key_file_missing' ? { code: 'key_file_lost', path: keyFile } : error,
  )
}

/** A storage without keys gets the active one. */
async function openKeyRing(
  { keyFile, clock, log }: OpenWithKeysOptions,
  { keys, instanceId }: OpenStorage,
): Promise<Result<NodeKeyRing, KeysError | StorageError>> {
  const onReadError = ({ message }: KeyFileError): void => log('warn', message)
  const activeKey = async (): Promise<StoredKey | undefined> =>
    (await keys.known()).map(activeKeyOf).unwrapOr(undefined)
  const opened = createKeyRing({ keyFile, instanceId, clock, onReadError, activeKey })
  if (opened.isErr()) return err(opened.error)
  const keyRing = opened.value
  const fitted = await fitKeyRing({ keyRing, keys, clock })
  return fitted
    .map(() => keyRing)
    .mapErr((error) => {
      if (error.code !== 'key_ring_unfit') return error
      return { code: `key_${error.reason}`, path: keyFile, kid: error.kid } as const
    })
}

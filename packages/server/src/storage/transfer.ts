import type { TransferInstallationError } from '../errors/errors.ts'
import { createKeyRing, type KeysError } from '@sotto/adapter-node-crypto'
import {
  type Clock,
  compareKeyRing,
  compareRows,
  copyFiles,
  copyRows,
  type StorageError,
  type TransferredCounts,
  type TransferredFiles,
  type TransferredRows,
  type TransferSource,
  type TransferTarget,
} from '@sotto/core'
import type { FullStorageDriver } from '@sotto/identity'
import { createSystemClock } from '@sotto/system'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Settings } from '../config/settings.ts'
import { storageDriverOf, type StorageSettings } from '../installation/storage-driver.ts'

export interface TransferInstallationOptions {
  readonly settings: StorageSettings & Pick<Settings, 'keysFile'>
  /** The place that is copied to. */
  readonly to: StorageSettings
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined
  readonly clock?: Clock
}

/** Rows that were copied or compared so far, or contents of files that were copied and compared. */
export type TransferProgress =
  | { readonly step: 'copied' | 'compared'; readonly table: string; readonly rows: number }
  | ({ readonly step: 'contents' } & TransferredFiles)

export interface TransferredInstallation {
  readonly from: string
  readonly to: string
  /** How many rows were moved; `undefined` when an earlier move had finished already. */
  readonly rows: TransferredCounts | undefined
  /** The contents of files that were moved. */
  readonly contents: TransferredFiles
}

/**
 * Copies an installation to another place, which is empty or has a copy of it that was interrupted; compares all rows and contents of files, and
 * leaves the source for good. Until then nobody else can use either place. Needs the key file, which stays as it is.
 */
export function transferInstallation(
  options: TransferInstallationOptions,
): ResultAsync<TransferredInstallation, TransferInstallationError> {
  return new ResultAsync(move(options))
}

type Transferred = Promise<Result<TransferredInstallation, TransferInstallationError>>

async function move(options: TransferInstallationOptions): Transferred {
  const from = await storageDriverOf(options.settings)
  const to = await storageDriverOf(options.to)
  if (from.location === to.location) return err({ code: 'move_same_place', location: from.location })
  const opened = await from.openTransferSource({ to: to.location })
  if (opened.isErr()) return err(opened.error)
  const source = opened.value
  try {
    const keys = await checkKeys(source, source.instanceId, options)
    return keys.isErr() ? err(keys.error) : await transferTo({ source, from, to }, options)
  } finally {
    await source.close()
  }
}

interface Places {
  readonly source: TransferSource
  readonly from: FullStorageDriver
  readonly to: FullStorageDriver
}

async function transferTo({ source, from, to }: Places, options: TransferInstallationOptions): Transferred {
  const { instanceId, sweptAtMicros, isLeft } = source
  const prepared = await to.prepare()
  if (prepared.isErr()) return err(prepared.error)
  const opened = await to.openTransferTarget({ instanceId, sweptAtMicros, create: !isLeft })
  const places = { from: from.location, to: to.location }
  if (opened.isErr()) {
    const { error } = opened
    if (isLeft && error.code === 'move_target_used' && error.isCopy)
      return ok({ ...places, rows: undefined, contents: { files: 0, bytes: 0 } })
    // The copy was used since, and is gone: another one would bring back what was opened there.
    if (isLeft && error.code === 'database_missing')
      return err({ code: 'database_moved', location: from.location, to: to.location })
    return err(error)
  }
  const target = opened.value
  try {
    return (await copy(source, target, options)).map((moved) => ({ ...places, ...moved }))
  } finally {
    await target.close()
  }
}

async function copy(
  source: TransferSource,
  target: TransferTarget,
  options: TransferInstallationOptions,
): Promise<Result<Pick<TransferredInstallation, 'rows' | 'contents'>, TransferInstallationError>> {
  const { onProgress = () => undefined } = options
  const copied = await copyRows(source, target, (table, rows) => onProgress({ step: 'copied', table, rows }))
  if (copied.isErr()) return err(copied.error)
  const contents = await copyFiles(source, target, (moved) => onProgress({ step: 'contents', ...moved }))
  if (contents.isErr()) return err(contents.error)
  const compared = await compareRows(source, target, (table, rows) =>
    onProgress({ step: 'compared', table, rows }),
  )
  if (compared.isErr()) return err(compared.error)
  const keys = await checkKeys(target, source.instanceId, options)
  if (keys.isErr()) return err(keys.error)
  // This order matters: neither a crash nor an error leaves two installations that can be used, with two counts of every link's opens.
  const left = await source.leave()
  if (left.isErr()) return err(left.error)
  const finished = await target.finish()
  return finished.map(() => ({ rows: compared.value, contents: contents.value }))
}

/** Compares the key file with the keys of one side: it must be able to read what is moved. */
async function checkKeys(
  rows: TransferredRows,
  instanceId: Uint8Array,
  { settings: { keysFile }, clock = createSystemClock() }: TransferInstallationOptions,
): Promise<Result<void, KeysError | StorageError>> {
  const ring = createKeyRing({ keyFile: keysFile, instanceId, clock })
  if (ring.isErr()) {
    const { error } = ring
    return err(error.code === 'key_file_missing' ? { code: 'key_file_lost', path: keysFile } : error)
  }
  const table = rows.tables.find(({ name }) => name === 'keys')
  if (table === undefined) throw new TypeError('a storage has a table of keys')
  const keys = await rows.page(table, undefined, keysMax)
  if (keys.isErr()) return err(keys.error)
  const known = keys.value.map(([kid, checkValue]) => ({
    kid: kid as number,
    checkValue: checkValue as Uint8Array,
  }))
  const [unfit] = compareKeyRing(ring.value, known)
  return unfit === undefined ? ok() : err({ code: `key_${unfit.reason}`, path: keysFile, kid: unfit.kid })
}

/** The most keys that are read: more than a ring ever has. */
const keysMax = 10_000

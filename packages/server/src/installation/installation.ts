import {
  createNodeCrypto,
  defaultConcurrency,
  openWithKeys,
  type NodeCrypto,
  type NodeCryptoOptions,
  type OpenWithKeysError,
} from '@sotto/adapter-node-crypto'
import { passkeyVerifier } from '@sotto/adapter-node-crypto/passkeys'
import { type Clock, type Log, type Meter, type OpenStorageOptions } from '@sotto/core'
import { createFullSotto, type FullOpenStorage, type FullPorts, type FullSotto } from '@sotto/identity'
import { createSystemClock } from '@sotto/system'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Settings } from '../config/settings.ts'
import type { Instruments } from '../metrics/instruments.ts'
import { measurePorts, measureSotto } from '../metrics/measure.ts'
import { openIdentityProvider } from './identity-provider.ts'
import { roomyContents } from './roomy-contents.ts'
import { openSenders } from './senders.ts'
import { storageDriverOf, type CheckpointTurn } from './storage-driver.ts'
import { createWatchers, watchStorage, type StorageWatcher } from './watch-storage.ts'

/** Why an installation cannot be opened. Nothing that was in it has changed. */
export type InstallationError =
  | OpenWithKeysError
  /** There is none, and {@link InstallationOptions.mustExist} forbids to make one. */
  | { readonly code: 'database_missing'; readonly location: string }

/** What `openInstallation` takes. */
export interface InstallationOptions {
  /** The settings, from `readSettings`. */
  readonly settings: Settings
  /** Whether it is an error when there is no database, and nothing is made. False by default. */
  readonly mustExist?: boolean
  /** Called when the disk did not keep what was written, so that the state of the data is unknown: the process must end. */
  readonly onFatal: OpenStorageOptions['onFatal']
  /** Receives what an operator should know. */
  readonly log: Log
  /** What a worker of a server shares with the others: what one process may hash. */
  readonly worker?:
    | {
        /** Whether this worker empties the logs of the databases. */
        readonly checkpoints: CheckpointTurn
      }
    | undefined
  /** Receives what the process measures of itself. Without it nothing is measured. */
  readonly metrics?:
    | {
        /** The meter of the adapters. */
        readonly meter: Meter
        /** The instruments that measure use-cases and ports. */
        readonly instruments: Instruments
      }
    | undefined
  /** What tests replace: they set the time (`clock`) or use a cheaper cryptography (`createCrypto`). */
  readonly replace?: {
    readonly clock?: Clock
    readonly createCrypto?: (options: NodeCryptoOptions) => NodeCrypto
  }
}

/** An open installation. */
export interface Installation {
  readonly settings: Settings
  /** Names the place of the data for people, without credentials. */
  readonly location: string
  /** Every use-case, on this installation's ports. */
  readonly sotto: FullSotto
  /** The storage, with what the process that runs it needs: upkeep and erasure. */
  readonly storage: FullOpenStorage
  /** What the use-cases work with, to call one of them with a port replaced. */
  readonly ports: FullPorts
  /** Has the watcher called after each commit that concerns it, of this process, until the returned function is called. */
  watch(watcher: StorageWatcher): () => void
  /** Commits what was accepted, then closes all files. */
  close(): Promise<void>
}

/**
 * Opens an installation, and creates it when there is none, unless it must exist. Several processes may do so at the same time, also where
 * there is nothing yet: they end up with one key file and one database.
 * @errors nothing that existed has changed
 */
export function openInstallation(options: InstallationOptions): ResultAsync<Installation, InstallationError> {
  return new ResultAsync(open(options))
}

async function open(options: InstallationOptions): Promise<Result<Installation, InstallationError>> {
  const { settings, mustExist = false, onFatal, log, metrics, worker, replace = {} } = options
  const { keysFile, policy } = settings
  const { clock: machineClock = createSystemClock(), createCrypto = createNodeCrypto } = replace
  const driver = await storageDriverOf(settings, worker)
  const found = mustExist ? await driver.hasData() : ok(true)
  if (found.isErr()) return err(found.error)
  if (!found.value) return err({ code: 'database_missing', location: driver.location })

  const opened = await openWithKeys({
    ...{ driver, keyFile: keysFile, clock: machineClock, onFatal, log },
    meter: metrics?.meter,
  })
  if (opened.isErr()) return err(opened.error)
  const { storage, ring } = opened.value
  const clock = replace.clock ?? storage.databaseClock ?? machineClock

  const crypto = createCrypto({ ring, ...hashingOf(options) })
  const { close: closeCrypto, ...cryptoPorts } = crypto
  const watchers = createWatchers()
  const senders = await openSenders(settings)
  const watched: FullPorts = {
    ...watchStorage(storage, watchers.all),
    fileContents: roomyContents(storage.fileContents),
    passkeyVerifier,
    ...cryptoPorts,
    clock,
    ...senders.ports,
    identityProvider: await openIdentityProvider(settings, clock),
  }
  // This is the one place where anything is measured that passes through a port.
  const ports = metrics === undefined ? watched : measurePorts(watched, metrics.instruments)
  const bound = createFullSotto({ ports, policy, checksInputs: false })
  const sotto = metrics === undefined ? bound : measureSotto(bound, metrics.instruments)
  const close = async (): Promise<void> => {
    senders.close()
    await closeCrypto()
    await storage.close()
  }
  const { watch } = watchers
  const { location } = driver
  return ok({ settings, location, sotto, storage, ports, watch, close })
}

/** Workers divide what one process would hash at the same time; each hashes one password at least. */
function hashingOf({ settings, metrics, worker }: InstallationOptions): Pick<NodeCryptoOptions, 'hashing'> {
  if (metrics === undefined && worker === undefined) return {}
  const share = Math.max(1, Math.floor(defaultConcurrency() / settings.workers))
  return { hashing: { meter: metrics?.meter, ...(worker && { concurrency: share }) } }
}

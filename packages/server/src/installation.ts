import { createNodeCrypto, type NodeCrypto, type NodeCryptoOptions } from '@sotto/adapter-node-crypto'
import { openDatabase, openQuota, type Database, type Log, type OpenError } from '@sotto/adapter-sqlite'
import type { Clock, Ports, RotationPorts, StorageError } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Settings } from './config/settings.ts'
import { openKeyRing, prepareKeyFile, type KeysFault } from './installation-keys.ts'
import { createSystemClock } from './system-clock.ts'

/** Why an installation cannot be used. Nothing that was in it is changed. */
export type InstallationFault = KeysFault | OpenError | StorageError

export interface InstallationOptions {
  readonly settings: Settings
  /** Called when the disk did not keep what was written: the process must end. */
  readonly onFatal: () => void
  /** Told what an operator should know. */
  readonly log: Log
  /** Only tests have a reason to say this: to make the time pass, or to see what is found without encryption. */
  readonly standIns?: {
    readonly clock?: Clock
    readonly createCrypto?: (options: NodeCryptoOptions) => NodeCrypto
  }
}

/** An installation that is open: everything that the core needs, and what its keeper needs beside it. */
export interface Installation {
  readonly settings: Settings
  readonly ports: Ports
  readonly rotation: RotationPorts
  readonly upkeep: Database['upkeep']
  readonly erasure: Database['erasure']
  /** Commits what was asked for already, then lets go of all files. */
  close(): Promise<void>
}

/**
 * Opens an installation, and makes it when there is none: the one place that knows which adapters there are. Several processes may
 * do so at once, on nothing as well: they end with one key file and one database.
 */
export async function openInstallation(
  options: InstallationOptions,
): Promise<Result<Installation, InstallationFault>> {
  const { settings, onFatal, log, standIns = {} } = options
  const { dataDir, keysFile, limits } = settings
  const { clock = createSystemClock(), createCrypto = createNodeCrypto } = standIns

  // The keys come first: what is committed without them could never be read.
  const prepared = prepareKeyFile({ dataDir, keysFile, clock })
  if (prepared.isErr()) return err(prepared.error)
  const opened = await openDatabase({ dataDir, onFatal, log })
  if (opened.isErr()) return err(opened.error)
  const database = opened.value
  const ring = await openKeyRing({ database, keysFile, clock, log })
  const quota = ring.isErr() ? err(ring.error) : await openQuota({ dataDir, onFatal, log })
  if (ring.isErr() || quota.isErr()) {
    await database.close()
    return err(ring.isErr() ? ring.error : quota._unsafeUnwrapErr())
  }

  const { accounts, folders, secrets, drafts, links, accessTokens, keys, rewraps, upkeep, erasure } = database
  const crypto = createCrypto({ ring: ring.value })
  const { textCipher, secretCipher, keyRing, digests, random } = crypto
  const stores = { accounts, folders, secrets, drafts, links, accessTokens, quota: quota.value.quota }
  const ports = { ...stores, textCipher, secretCipher, keyRing, digests, random, clock, limits }
  const rotation = { textCipher, secretCipher, digests, clock, keyRing, keys, rewraps }
  const close = async (): Promise<void> => {
    await crypto.close()
    await quota.value.close()
    await database.close()
  }
  return ok({ settings, ports, rotation, upkeep, erasure, close })
}

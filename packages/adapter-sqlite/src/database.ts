import type {
  AccessTokenStore,
  AccountStore,
  DraftStore,
  FolderStore,
  KeyStore,
  LinkStore,
  RewrapStore,
  SecretStore,
} from '@sotto/core'
import { ResultAsync } from 'neverthrow'
import { createAccessTokens } from './access-tokens.ts'
import { createAccounts } from './accounts.ts'
import type { Checkpointer } from './checkpointer.ts'
import { createDrafts } from './drafts.ts'
import { createFolders } from './folders.ts'
import { createKeyCheck } from './key-check.ts'
import { createKeys } from './keys.ts'
import { createLinks } from './links.ts'
import { exitProcess, silent, type Log, type OnFatal } from './log.ts'
import { openFile, type OpenError, type OpenFile } from './opening.ts'
import { createRewraps } from './rewraps.ts'
import { mainSchema } from './schema.ts'
import { createSecrets } from './secrets.ts'
import type { Timers } from './timers.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

export interface OpenDatabaseOptions {
  /** Where the file lies, or is to be made: `sotto.sqlite`, and what SQLite adds beside it. */
  readonly dataDir: string
  /** Called when an fsync has failed. Ends the process unless told otherwise. */
  readonly onFatal?: OnFatal
  readonly log?: Log
  /** Only tests have a reason to say this. */
  readonly timers?: Timers
}

/** The stores of the main file, and what its keeper needs. From {@link Database.close} on every method answers an Err. */
export interface Database {
  readonly accounts: AccountStore
  readonly folders: FolderStore
  readonly secrets: SecretStore
  readonly drafts: DraftStore
  readonly links: LinkStore
  readonly accessTokens: AccessTokenStore
  /** Holds no key when the file is fresh: one has to be added before anything else can be. */
  readonly keys: KeyStore
  readonly rewraps: RewrapStore
  /** 32 random bytes that were made with the file. */
  readonly instanceId: Uint8Array
  readonly upkeep: Upkeep
  readonly erasure: Erasure
  /** Commits what was asked for already, then lets go of the file. */
  close(): Promise<void>
}

/** Whether what was erased is gone from every file. It goes by itself, within a second or two as a rule. */
export interface Erasure {
  /** For how many milliseconds something erased may have been living on in the write-ahead log; `undefined` when nothing is. */
  pendingForMillis(): number | undefined
  /** Tries at once to make it gone. False when another process is in the way, or the file is closed. */
  finish(): boolean
}

/**
 * Opens the main file, which is made if it is not there. What is committed survives a power cut. Several processes may have it open
 * at once; within one process open it once.
 */
export function openDatabase({
  dataDir,
  onFatal = exitProcess,
  log = silent,
  timers,
}: OpenDatabaseOptions): ResultAsync<Database, OpenError> {
  const file = { name: 'sotto.sqlite', schema: mainSchema, synchronous: 'FULL' } as const
  return new ResultAsync(openFile({ ...file, dataDir, onFatal, log, timers }, databaseOn))
}

function databaseOn({ storage, checkpointer, close }: OpenFile): Database {
  const keyCheck = createKeyCheck(storage)
  return {
    accounts: createAccounts(storage, keyCheck),
    folders: createFolders(storage, keyCheck),
    secrets: createSecrets(storage, keyCheck),
    drafts: createDrafts(storage, keyCheck),
    links: createLinks(storage),
    accessTokens: createAccessTokens(storage, keyCheck),
    keys: createKeys(storage),
    rewraps: createRewraps(storage, keyCheck),
    instanceId: storage.reader.prepare('SELECT instance_id FROM meta').pluck().get() as Buffer,
    upkeep: createUpkeep(storage),
    erasure: erasureOf(checkpointer),
    close,
  }
}

export function erasureOf(checkpointer: Checkpointer): Erasure {
  return {
    pendingForMillis: () => checkpointer.pendingForMillis(),
    finish: () => checkpointer.empty(),
  }
}

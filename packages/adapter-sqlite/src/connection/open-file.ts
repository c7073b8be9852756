import { realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Meter, OpenStorageOptions, StorageOpenError } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { CheckpointTurn } from './checkpoint-turn.ts'
import { Checkpointer, logBytes } from './checkpointer.ts'
import {
  connect,
  connectRaw,
  makeFile,
  PragmaIneffective,
  setPragmas,
  type ConnectionOptions,
} from './connection.ts'
import { createConnections, type Connections } from './connections.ts'
import { FileCorrupted, isBusy, isCorrupted, isFileSystemError, reasonOf } from './errors.ts'
import { GroupCommit, type Report } from './group-commit.ts'
import {
  isOlder,
  migrate,
  migrateAlone,
  newestVersion,
  stateOf,
  type FileState,
  type Schema,
} from './migrations.ts'
import { identityOf, watchPlace } from './place.ts'
import { createSnapshotReads } from './snapshot-reads.ts'
import { systemTimers, type Timers } from './timers.ts'

/** What opening any file of the data directory needs. */
export interface OpenOptions extends OpenStorageOptions {
  /** The directory of the file. It is created if it does not exist. */
  readonly dataDir: string
  /** The timers; the system's by default. */
  readonly timers?: Timers | undefined
  /** Decides which process empties the log; each by default. */
  readonly checkpoints?: CheckpointTurn | undefined
}

interface OpenFileOptions extends OpenOptions {
  /** The file's name in the directory. */
  readonly name: string
  /** What the file is called in measurements; `data` by default. */
  readonly part?: string
  readonly schema: Schema
  /** Why a file of a known version is not opened; `undefined` when nothing is in the way. */
  readonly refuse?: (db: Sqlite.Database, location: string) => StorageOpenError | undefined
  readonly synchronous: ConnectionOptions['synchronous']
  /** Called when a file was moved, replaced or removed: nothing is written until it is back. See `watchPlace`. */
  readonly onMoved?: (path: string) => void
}

/** An open file. */
export interface OpenFile {
  /** What its stores share. */
  readonly connections: Connections
  readonly checkpointer: Checkpointer
  readonly timers: Timers
  /** Whether the file's path still leads to this file. A file that was moved or removed lives on for those who have it open. */
  isSameFile(): boolean
  /** Commits what is queued, then closes all connections. */
  close(): Promise<void>
}

/**
 * How old the last look for a file may be. The file of commits that must not be lost is looked for before and after each of them. Counters
 * may lose their last moments, and each request counts: their file is looked for less often.
 */
const placeMaxAgeMillis = { FULL: 0, NORMAL: 100 } as const

/** How long opening is tried again while another process holds a lock, for instance because it is creating the same file. */
const openWaitMillis = 10_000
/** How long opening may block: nothing is served yet. */
const openBusyMillis = 250

/**
 * Opens a file; creates and migrates it where needed.
 * @param build makes what the caller needs from the open file; if it throws, the file is closed again and that is the error
 */
export function openFile<T>(
  options: OpenFileOptions,
  build: (file: OpenFile) => T,
): ResultAsync<T, StorageOpenError> {
  return new ResultAsync(openWithRetries(options, build))
}

async function openWithRetries<T>(
  options: OpenFileOptions,
  build: (file: OpenFile) => T,
): Promise<Result<T, StorageOpenError>> {
  const { timers = systemTimers } = options
  const endMillis = timers.nowMillis() + openWaitMillis
  for (let waitMillis = 5; ; waitMillis = Math.min(2 * waitMillis, 200)) {
    const opened = openOnce({ ...options, timers }, build)
    if (opened.isOk() || !isPassing(opened.error, options) || timers.nowMillis() >= endMillis) return opened
    await new Promise<void>((resolve) => timers.after(waitMillis, resolve, { background: false }))
  }
}

/** Whether the error may be gone in a moment: another process is creating or migrating the file. */
function isPassing({ code }: StorageOpenError, { create = true }: OpenFileOptions): boolean {
  return code === 'database_busy' || (code === 'database_older' && create)
}

type TimedOptions = OpenFileOptions & { readonly timers: Timers }

function openOnce<T>(options: TimedOptions, build: (file: OpenFile) => T): Result<T, StorageOpenError> {
  const path = join(resolve(options.dataDir), options.name)
  try {
    if (options.create !== false) makeFile(path)
    else if (!isFilled(path)) return err({ code: 'database_missing', location: path })
    const prepared = prepareFile(path, options)
    return prepared.isErr() ? err(prepared.error) : ok(assemble(path, options, build))
  } catch (error) {
    return err(openErrorOf(error, path))
  }
}

function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Checks the file before anything in it is changed, then brings it to the newest version. */
function prepareFile(path: string, options: OpenFileOptions): Result<void, StorageOpenError> {
  const { schema, synchronous, refuse, create = true } = options
  const connection = { path, synchronous, busyTimeoutMillis: openBusyMillis }
  const db = connectRaw(connection)
  try {
    const state = stateOf(db, schema)
    const error =
      stateErrorOf(state, schema, path) ?? (state.kind === 'known' ? refuse?.(db, path) : undefined)
    if (error !== undefined) return err(error)
    if (state.kind === 'fresh' && !create) return err({ code: 'database_missing', location: path })
    if (isOlder(state, schema)) {
      db.close()
      return create && migrateAlone(connection, schema) ? ok() : err(olderError(state.version, schema, path))
    }
    setPragmas(db, connection)
    migrate(db, schema)
    return ok()
  } finally {
    db.close()
  }
}

function olderError(version: number, schema: Schema, location: string): StorageOpenError {
  return { code: 'database_older', location, version, known: newestVersion(schema) }
}

/** Why a file in this state is not opened; `undefined` for one that is fresh or known. */
export function stateErrorOf(
  state: FileState,
  schema: Schema,
  location: string,
): StorageOpenError | undefined {
  if (state.kind === 'foreign') return { code: 'database_foreign', location }
  if (state.kind === 'moving') {
    if (state.to === undefined) return { code: 'database_incomplete', location }
    return { code: 'database_moved', location, to: state.to }
  }
  if (state.kind !== 'newer') return undefined
  return { code: 'database_newer', location, version: state.version, known: newestVersion(schema) }
}

function assemble<T>(path: string, options: TimedOptions, build: (file: OpenFile) => T): T {
  const {
    name,
    schema,
    synchronous,
    onFatal,
    log,
    timers,
    meter,
    checkpoints,
    onMoved,
    part = 'data',
  } = options
  const report: Report | undefined = meter && ((what, value) => meter.observe(what, part, value))
  const identity = identityOf(path)
  // SQLite keeps the log beside the file itself, not beside a symbolic link to it.
  const realPath = realpathSync(path)
  const cleanups: (() => void)[] = []
  const open = (special: Partial<ConnectionOptions>): Sqlite.Database => {
    const db = connect({ path: realPath, synchronous, busyTimeoutMillis: 0, ...special })
    cleanups.push(() => db.close())
    return db
  }
  try {
    const db = open({})
    // Whichever connection is closed last copies the log into the file, unless it can only read.
    const last = open({ readonly: true })
    const reads = createSnapshotReads(db)
    const { isSameFile, isIntact, isOurs } = watchPlace({
      path,
      realPath,
      identity,
      timers,
      maxAgeMillis: placeMaxAgeMillis[synchronous],
      onMoved(movedPath) {
        onMoved?.(movedPath)
        // If only the log was removed, this is the way to keep what was committed last.
        if (isOurs()) checkpointer.erased()
      },
    })
    const turn = checkpoints && { turn: checkpoints, file: name }
    const shared = { onFatal, timers, report }
    const checkpointer = new Checkpointer({
      ...shared,
      db: open({}),
      log,
      isOurs,
      endReads: reads.end,
      ...turn,
    })
    cleanups.push(() => checkpointer.stop())
    const version = newestVersion(schema)
    // Calls of one turn wait for a read and for one of two commits of the quota. What they then write shares an fsync.
    const turns = synchronous === 'FULL' ? 3 : 1
    const group = new GroupCommit({ ...shared, db, isIntact, version, turns })
    if (meter !== undefined) addGauges(meter, part, { group, path: realPath })
    const connections = createConnections({
      db,
      group,
      reads,
      erased: () => checkpointer.erased(),
    })
    const close = async (): Promise<void> => {
      await group.close()
      if (isOurs()) last.close()
      await checkpointer.close()
      reads.close()
      last.close()
    }
    return build({ connections, checkpointer, timers, isSameFile, close })
  } catch (error) {
    for (const cleanUp of cleanups.reverse()) cleanUp()
    throw error
  }
}

function addGauges(
  meter: Meter,
  part: string,
  { group, path }: { readonly group: GroupCommit; readonly path: string },
): void {
  meter.gauge('commit_queue_length', part, () => group.queueLength)
  meter.gauge('wal_bytes', part, () => {
    try {
      return logBytes(path)
    } catch {
      // The directory cannot be read any more.
      return 0
    }
  })
}

/** The error for something that the file system, SQLite or a check threw. */
export function openErrorOf(error: unknown, location: string): StorageOpenError {
  if (isBusy(error)) return { code: 'database_busy', location }
  if (error instanceof PragmaIneffective) return { code: 'database_unfit', location, detail: error.message }
  if (error instanceof FileCorrupted) return { code: 'database_damaged', location, detail: error.message }
  if (isFileSystemError(error)) return { code: 'database_not_writable', location, detail: error.code }
  const code = isCorrupted(error) ? 'database_damaged' : 'database_not_writable'
  return { code, location, detail: reasonOf(error) }
}

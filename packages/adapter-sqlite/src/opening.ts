import type Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { Checkpointer } from './checkpointer.ts'
import {
  bringIntoForce,
  connect,
  connectRaw,
  makeFile,
  PragmaNotInForce,
  type ConnectionOptions,
} from './connection.ts'
import { isBusy, isDamaged, isFileSystemError, storageErrorOf } from './errors.ts'
import { GroupCommit } from './group-commit.ts'
import type { Log, OnFatal } from './log.ts'
import { migrate, standingOf, type Schema } from './migrations.ts'
import { createStorage, type Storage } from './storage.ts'
import { systemTimers, type Timers } from './timers.ts'

/** Why a file cannot be opened. `path` is the file; it says nothing about what is in it. */
export type OpenError =
  /** The directory or the file cannot be made, read or written. */
  | { readonly code: 'database_not_writable'; readonly path: string; readonly detail: string }
  /** It was written by a later version of this package. */
  | {
      readonly code: 'database_newer'
      readonly path: string
      readonly version: number
      readonly known: number
    }
  /** It is a database, but not one of ours. It was not touched. */
  | { readonly code: 'database_foreign'; readonly path: string }
  /** It is no database, or torn. It was not touched. */
  | { readonly code: 'database_damaged'; readonly path: string; readonly detail: string }
  /** Another process holds its lock, and has done so the whole time. */
  | { readonly code: 'database_busy'; readonly path: string }
  /** Something that durability or confidentiality relies on cannot be had there, such as WAL on some network file systems. */
  | { readonly code: 'database_unfit'; readonly path: string; readonly detail: string }

export interface OpenFileOptions {
  readonly dataDir: string
  readonly name: string
  readonly schema: Schema
  readonly synchronous: ConnectionOptions['synchronous']
  readonly onFatal: OnFatal
  readonly log: Log
  readonly timers?: Timers | undefined
}

/** An open file: what its stores share, and its end. */
export interface OpenFile {
  readonly storage: Storage
  readonly checkpointer: Checkpointer
  close(): Promise<void>
}

/** How long an open is tried again while another process is in the way: making a fresh file at the same time, for instance. */
const openWaitMillis = 10_000
/** While nothing is served yet, a lock may block; and a reader may wait for the end of another process's recovery. */
const openBusyMillis = 250
const readerBusyMillis = 100

/** Thrown by whoever looks closer at a file that could be opened. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged'
}

/**
 * Opens a file, making and migrating it where needed.
 * @param build makes what is wanted of it; what it throws is a reason not to open the file
 */
export async function openFile<T>(
  options: OpenFileOptions,
  build: (file: OpenFile) => T,
): Promise<Result<T, OpenError>> {
  const timers = options.timers ?? systemTimers
  const endMillis = timers.nowMillis() + openWaitMillis
  for (let waitMillis = 5; ; waitMillis = Math.min(2 * waitMillis, 200)) {
    const opened = openOnce(options, timers, build)
    if (opened.isOk() || opened.error.code !== 'database_busy' || timers.nowMillis() >= endMillis)
      return opened
    await new Promise<void>((resolve) => timers.after(waitMillis, resolve, { background: false }))
  }
}

function openOnce<T>(
  options: OpenFileOptions,
  timers: Timers,
  build: (file: OpenFile) => T,
): Result<T, OpenError> {
  const { dataDir, name } = options
  let path = name
  try {
    path = makeFile(dataDir, name)
    const prepared = prepareFile(path, options)
    return prepared.isErr() ? err(prepared.error) : ok(assemble(path, options, timers, build))
  } catch (error) {
    return err(openErrorOf(error, path))
  }
}

/** Judges the file before anything in it is changed, then brings it to the newest version. */
function prepareFile(path: string, { schema, synchronous }: OpenFileOptions): Result<void, OpenError> {
  const connection = { path, synchronous, busyTimeoutMillis: openBusyMillis }
  const db = connectRaw(connection)
  try {
    const standing = standingOf(db, schema)
    if (standing.kind === 'foreign') return err({ code: 'database_foreign', path })
    if (standing.kind === 'newer') {
      return err({ code: 'database_newer', path, version: standing.version, known: schema.steps.length })
    }
    bringIntoForce(db, connection)
    migrate(db, schema)
    return ok()
  } finally {
    db.close()
  }
}

function assemble<T>(
  path: string,
  { synchronous, onFatal, log }: OpenFileOptions,
  timers: Timers,
  build: (file: OpenFile) => T,
): T {
  const connections: Sqlite.Database[] = []
  const open = (special: Partial<ConnectionOptions>): Sqlite.Database => {
    const db = connect({ path, synchronous, busyTimeoutMillis: 0, ...special })
    connections.push(db)
    return db
  }
  try {
    const writer = open({})
    const reader = open({ readonly: true, busyTimeoutMillis: readerBusyMillis })
    const checkpointer = new Checkpointer({ db: open({}), onFatal, log, timers })
    const group = new GroupCommit({ db: writer, onFatal, timers })
    const storage = createStorage({ reader, writer, group, erased: () => checkpointer.erased() })
    const close = async (): Promise<void> => {
      await group.close()
      reader.close()
      await checkpointer.close()
      writer.close()
    }
    return build({ storage, checkpointer, close })
  } catch (error) {
    for (const db of connections) db.close()
    throw error
  }
}

/** What is told of something that the file system, SQLite or an opening threw. */
export function openErrorOf(error: unknown, path: string): OpenError {
  if (isBusy(error)) return { code: 'database_busy', path }
  if (error instanceof PragmaNotInForce) return { code: 'database_unfit', path, detail: error.message }
  if (error instanceof FileDamaged) return { code: 'database_damaged', path, detail: error.message }
  if (isFileSystemError(error)) return { code: 'database_not_writable', path, detail: error.code }
  const failure = storageErrorOf(error)
  const detail = failure.code === 'storage_failed' ? failure.detail : failure.reason
  return { code: isDamaged(error) ? 'database_damaged' : 'database_not_writable', path, detail }
}

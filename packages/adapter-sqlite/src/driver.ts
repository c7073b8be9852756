import { accessSync, constants, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Erasure, StorageOpenError } from '@sotto/core'
import type { FullOpenStorage, FullStorageDriver } from '@sotto/identity'
import { makePrivateDirectory, removeLeftovers } from '@sotto/system'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import { backUpDatabase } from './backup/backup.ts'
import { restoreDatabase } from './backup/restore.ts'
import { openDatabase, type Database } from './database.ts'
import { databaseName } from './tables/main-file.ts'
import { examinePlace } from './examine/place.ts'
import type { SqliteDriverOptions } from './driver-options.ts'
import { isFileSystemError, reasonOf } from './connection/errors.ts'
import type { OpenOptions } from './connection/open-file.ts'
import { openSource } from './transfer/source.ts'
import { openTarget } from './transfer/target.ts'
import { createFileStore, filesName } from './files/file-store.ts'
import { canWriteContents, examineContents } from './files/writable.ts'
import { openQuota, type QuotaDatabase } from './quota/quota-database.ts'

/** The driver of a storage on SQLite: one directory that holds two databases, and the contents of files. */
export function sqliteDriver({
  dataDir: given,
  timers,
  checkpoints,
}: SqliteDriverOptions): FullStorageDriver {
  const dataDir = resolve(given)
  return {
    location: dataDir,
    hasData: () => okAsync(hasDatabase(dataDir)),
    prepare: () => prepareDirectory(dataDir).asyncAndThen(() => okAsync()),
    open: (options) => new ResultAsync(open({ ...options, dataDir, timers, checkpoints })),
    examine: () => Promise.resolve(examinePlace(dataDir)),
    backUp: (options) => backUpDatabase({ ...options, dataDir }),
    restore: (options) => restoreDatabase({ ...options, dataDir }),
    openTransferSource: ({ to }) => new ResultAsync(Promise.resolve(openSource(dataDir, to))),
    openTransferTarget: (options) =>
      new ResultAsync(Promise.resolve(openTarget(dataDir, { ...options, hasData: hasDatabase(dataDir) }))),
  }
}

/** Whether there is a database. An empty file was about to become one when its process ended. */
function hasDatabase(dataDir: string): boolean {
  try {
    return statSync(join(dataDir, databaseName)).size > 0
  } catch {
    return false
  }
}

function prepareDirectory(dataDir: string): Result<void, StorageOpenError> {
  try {
    makePrivateDirectory(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    return ok()
  } catch (error) {
    return err({ code: 'database_not_writable', location: dataDir, detail: reasonOf(error) })
  }
}

async function open(options: OpenOptions): Promise<Result<FullOpenStorage, StorageOpenError>> {
  removeCopies(options.dataDir)
  const database = await openDatabase(options)
  if (database.isErr()) return err(database.error)
  const quota = await openQuota(options)
  if (quota.isOk()) return ok(storageOf(database.value, quota.value, join(options.dataDir, filesName)))
  await database.value.close()
  return err(quota.error)
}

/** Removes the copy of a whole database that a restore left when it was killed. Nothing else depends on whether that succeeds. */
function removeCopies(dataDir: string): void {
  try {
    removeLeftovers(dataDir)
  } catch (error) {
    if (!isFileSystemError(error)) throw error
  }
}

function storageOf(
  database: Database,
  { quota, ...counters }: QuotaDatabase,
  directory: string,
): FullOpenStorage {
  return {
    ...database,
    quota,
    fileContents: createFileStore({ directory }),
    upkeep: {
      ...database.upkeep,
      canWrite: () =>
        database.upkeep
          .canWrite()
          .andThen(() => counters.canWrite())
          .andThen(() => canWriteContents(directory)),
      examine: async () => [
        ...(await database.upkeep.examine()),
        await counters.examine(),
        ...(await examineContents(directory)),
      ],
    },
    erasure: erasureOfBoth(database.erasure, counters.erasure),
    async close() {
      await counters.close()
      await database.close()
    },
  }
}

function erasureOfBoth(one: Erasure, other: Erasure): Erasure {
  return {
    pendingForMillis() {
      const pending = [one, other].flatMap((each) => each.pendingForMillis() ?? [])
      return pending.length === 0 ? undefined : Math.max(...pending)
    },
    finish() {
      const finished = [one, other].map((each) => each.finish())
      return !finished.includes(false)
    },
  }
}

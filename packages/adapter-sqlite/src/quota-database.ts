import { renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Erasure, Log, QuotaStore, StorageOpenError } from '@sotto/core'
import { errAsync, type ResultAsync } from 'neverthrow'
import { erasureOf } from './database.ts'
import type { Schema } from './file/migrations.ts'
import { FileDamaged, openErrorOf, openFile, type OpenFile, type OpenOptions } from './file/open-file.ts'
import { createQuota } from './stores/quota.ts'

const fileName = 'quota.sqlite'

/**
 * The quota's file.
 * - `bucket`: whose calls are counted. The `_start` columns are microseconds since the epoch.
 * The index serves the erasure of buckets whose windows are over.
 */
const quotaSchema: Schema = {
  applicationId: 0x536f7471, // "Sotq"
  steps: [
    (db) =>
      db.exec(`
        CREATE TABLE quota (
          bucket TEXT NOT NULL PRIMARY KEY,
          minute_start INTEGER NOT NULL,
          minute_count INTEGER NOT NULL,
          day_start INTEGER NOT NULL,
          day_count INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX quota_by_day ON quota (day_start)`),
  ],
}

export interface QuotaDatabase {
  readonly quota: QuotaStore
  readonly erasure: Erasure
  /** Commits what is queued, then closes the file. */
  close(): Promise<void>
}

/**
 * Opens `quota.sqlite`, and creates it if it does not exist. Counts survive a crash of the process; a power cut may lose the latest. A
 * damaged file is renamed to `quota.sqlite.damaged`, where it stays until a sound one is opened, and replaced, with a warning.
 */
export function openQuota(options: OpenOptions): ResultAsync<QuotaDatabase, StorageOpenError> {
  const { dataDir, log } = options
  const path = join(resolve(dataDir), fileName)
  const file = { ...options, name: fileName, schema: quotaSchema, synchronous: 'NORMAL' } as const
  const open = (): ResultAsync<QuotaDatabase, StorageOpenError> =>
    openFile(file, (opened) => quotaOn(opened, log))
  const inode = inodeOf(path)
  return open()
    .andTee(() => rmSync(damagedPathOf(path), { force: true }))
    .orElse((error) => {
      if (error.code !== 'database_damaged') return errAsync(error)
      log('warn', 'the quota file is damaged and is replaced', { path, detail: error.detail })
      try {
        // Unless another process has replaced it in the meantime.
        if (inodeOf(path) === inode) setAside(path)
        return open()
      } catch (thrown) {
        return errAsync(openErrorOf(thrown, path))
      }
    })
}

/** Throws {@link FileDamaged} when the file is torn. It is small, so all of it is checked. */
function quotaOn({ connections, checkpointer, close }: OpenFile, log: Log): QuotaDatabase {
  const finding = connections.reader.pragma('quick_check(1)', { simple: true }) as string
  if (finding !== 'ok') throw new FileDamaged(finding)
  return { quota: createQuota(connections, log), erasure: erasureOf(checkpointer), close }
}

function setAside(path: string): void {
  renameSync(path, damagedPathOf(path))
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true })
}

function damagedPathOf(path: string): string {
  return `${path}.damaged`
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

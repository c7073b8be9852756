import { renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { QuotaStore } from '@sotto/core'
import { ResultAsync, type Result } from 'neverthrow'
import { erasureOf, type Erasure, type OpenDatabaseOptions } from './database.ts'
import { exitProcess, silent, type Log } from './log.ts'
import type { Schema } from './migrations.ts'
import { FileDamaged, openFile, type OpenError, type OpenFile } from './opening.ts'
import { createQuota } from './quota.ts'

const fileName = 'quota.sqlite'

/**
 * The quota's file.
 * - `bucket`: whose calls are counted. The `_start` columns are microseconds since the epoch.
 * The index serves the erasure of what is over.
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

export interface Quota {
  readonly quota: QuotaStore
  readonly erasure: Erasure
  close(): Promise<void>
}

/**
 * Opens `quota.sqlite`, which is made if it is not there. Counts survive a crash of the process; a power cut may forget the latest. A
 * damaged file is set aside as `quota.sqlite.damaged` (until it is opened sound again) and made anew, with a warning.
 */
export function openQuota(options: OpenDatabaseOptions): ResultAsync<Quota, OpenError> {
  return new ResultAsync(open(options))
}

async function open({
  dataDir,
  onFatal = exitProcess,
  log = silent,
  timers,
}: OpenDatabaseOptions): Promise<Result<Quota, OpenError>> {
  const path = join(resolve(dataDir), fileName)
  const judged = inodeOf(path)
  const file = {
    name: fileName,
    schema: quotaSchema,
    synchronous: 'NORMAL',
    dataDir,
    onFatal,
    log,
    timers,
  } as const
  const opened = await openFile(file, (sound) => quotaOn(sound, log))
  if (opened.isOk()) rmSync(damagedPathOf(path), { force: true })
  if (opened.isOk() || opened.error.code !== 'database_damaged') return opened
  log('warn', 'the quota file is damaged and made anew', { path, detail: opened.error.detail })
  // Another process may have made it anew meanwhile.
  if (inodeOf(path) === judged) setAside(path)
  return openFile(file, (sound) => quotaOn(sound, log))
}

/** Throws {@link FileDamaged} when the file is torn. It is small, so all of it is looked at. */
function quotaOn({ storage, checkpointer, close }: OpenFile, log: Log): Quota {
  const finding = storage.reader.pragma('quick_check(1)', { simple: true }) as string
  if (finding !== 'ok') throw new FileDamaged(finding)
  return { quota: createQuota(storage, log), erasure: erasureOf(checkpointer), close }
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

import type { Erasure, Finding, QuotaStore, StorageError, StorageOpenError, Upkeep } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import { erasureOf } from '../connection/erasure.ts'
import { bad, good } from '../connection/finding.ts'
import type { Connections } from '../connection/connections.ts'
import { FileCorrupted, reasonOfStorageError } from '../connection/errors.ts'
import type { Schema } from '../connection/migrations.ts'
import { openFile, type OpenFile, type OpenOptions } from '../connection/open-file.ts'
import { addressIndexed, createQuota } from './quota.ts'

export const quotaName = 'quota.sqlite'

/**
 * The quota's file.
 * - `bucket`: whose calls are counted. The `_start` columns are microseconds since the epoch.
 * - `address_buckets`: how many buckets of addresses there are.
 * The indexes serve the erasure of buckets whose windows are over, and that of addresses whose minute is over.
 */
const quotaSchema: Schema = {
  applicationId: 0x536f7471, // "Sotq"
  create: (db) =>
    db.exec(`
        CREATE TABLE quota (
          bucket TEXT NOT NULL PRIMARY KEY,
          minute_start INTEGER NOT NULL,
          minute_count INTEGER NOT NULL,
          day_start INTEGER NOT NULL,
          day_count INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX quota_by_day ON quota (day_start);
        CREATE INDEX quota_addresses_by_minute ON quota (minute_start) WHERE ${addressIndexed('bucket')};
        CREATE TABLE address_buckets (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL) STRICT;
        INSERT INTO address_buckets (one, number) VALUES (1, 0);
        CREATE TRIGGER address_added AFTER INSERT ON quota WHEN ${addressIndexed('new.bucket')} BEGIN
          UPDATE address_buckets SET number = number + 1;
        END;
        CREATE TRIGGER address_removed AFTER DELETE ON quota WHEN ${addressIndexed('old.bucket')} BEGIN
          UPDATE address_buckets SET number = number - 1;
        END`),
  steps: [],
}

/** The open file. Its errors are those of the file. */
export interface QuotaFile {
  readonly quota: QuotaStore
  readonly erasure: Erasure
  readonly canWrite: Upkeep['canWrite']
  isSameFile(): boolean
  examine(): Promise<Finding>
  close(): Promise<void>
}

export function openQuotaFile(options: OpenOptions): ResultAsync<QuotaFile, StorageOpenError> {
  const file = { name: quotaName, part: 'quota', schema: quotaSchema, synchronous: 'NORMAL' } as const
  return openFile({ ...options, ...file }, quotaOn)
}

/** Throws {@link FileCorrupted} when the file is torn. It is small, so all of it is checked. */
function quotaOn({ connections, checkpointer, isSameFile, close }: OpenFile): QuotaFile {
  const corruption = corruptionOf(connections)
  if (corruption !== undefined) throw new FileCorrupted(corruption)
  const canWrite = createCanWrite(connections)
  return {
    quota: createQuota(connections),
    erasure: erasureOf(checkpointer),
    canWrite,
    isSameFile,
    examine: () => examine(connections, canWrite),
    close,
  }
}

function corruptionOf({ db }: Connections): string | undefined {
  const finding = db.pragma('quick_check(1)', { simple: true }) as string
  return finding === 'ok' ? undefined : finding
}

/** Writes and removes a row as a call does. */
function createCanWrite({ db, write }: Connections): Upkeep['canWrite'] {
  const name = 'can-write'
  const add = db.prepare(
    'INSERT OR REPLACE INTO quota (bucket, minute_start, minute_count, day_start, day_count) VALUES (?, 0, 0, 0, 0)',
  )
  const remove = db.prepare('DELETE FROM quota WHERE bucket = ?')
  return () =>
    write(() => {
      add.run(name)
      remove.run(name)
      return ok()
    })
}

async function examine(connections: Connections, canWrite: Upkeep['canWrite']): Promise<Finding> {
  const inspected = await connections.read(() => corruptionOf(connections))
  const written = await canWrite()
  const problem = inspected.match(
    (corruption) => (corruption === undefined ? undefined : `are corrupted (${corruption})`),
    (error: StorageError) => `cannot be read (${reasonOfStorageError(error)})`,
  )
  if (problem !== undefined)
    return bad('quota', `the counters ${problem}: check the disk, and restart the server`)
  if (written.isOk()) return good('quota', 'the counters can be read and written')
  return bad('quota', `the counters cannot be written (${reasonOfStorageError(written.error)})`)
}

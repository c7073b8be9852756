import { statSync } from 'node:fs'
import type { StorageError } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import { pragmasInForce } from './connection.ts'
import { faultsIn } from './contents.ts'
import type { Storage } from './storage.ts'

/** What whoever runs the service asks about the file itself. No method throws or rejects. */
export interface Upkeep {
  /** Ok when something could just be written durably. Costs an fsync. */
  canWrite(): ResultAsync<void, StorageError>

  /** When expired rows were last erased, as {@link noteSweep} was told; `undefined` before the first time. */
  lastSweep(): ResultAsync<number | undefined, StorageError>

  /** Notes that expired rows were erased at this moment. */
  noteSweep(atMicros: number): ResultAsync<void, StorageError>

  /** Reads the whole file and blocks the process as long as that takes: for a command, not for a server. */
  inspect(): ResultAsync<Inspection, StorageError>
}

export interface Inspection {
  /** What SQLite finds wrong with the file or between its tables; nothing when all is well. */
  readonly faults: readonly string[]
  /** The pragmas of the connection that writes. */
  readonly pragmas: Readonly<Record<string, string | number>>
  readonly version: number
  /** When something was last written, as far as rows tell; `undefined` for a fresh file. */
  readonly lastWriteMicros: number | undefined
  /** True of a file that `backUpDatabase` made and that was not restored but put in its place. */
  readonly isBackup: boolean
  readonly fileBytes: number
  /** Bytes of the write-ahead log. */
  readonly logBytes: number
}

const inspectedPragmas = [
  'journal_mode',
  'synchronous',
  'busy_timeout',
  'foreign_keys',
  'secure_delete',
  'trusted_schema',
  'cell_size_check',
  'page_size',
]

const latestMoment = `SELECT max(at) FROM (
  SELECT swept_at AS at FROM meta
  UNION ALL SELECT max(created_at) FROM secrets
  UNION ALL SELECT max(link_created_at) FROM secrets
  UNION ALL SELECT max(created_at) FROM accounts
  UNION ALL SELECT max(created_at) FROM access_tokens
  UNION ALL SELECT max(last_used_at) FROM access_tokens)`

export function createUpkeep({ reader, writer, read, write }: Storage): Upkeep {
  const touch = writer.prepare('UPDATE meta SET swept_at = swept_at')
  const lastSweep = reader.prepare<[], number | null>('SELECT swept_at FROM meta').pluck()
  const noteSweep = writer.prepare<[number]>('UPDATE meta SET swept_at = ?')
  const lastWrite = reader.prepare<[], number | null>(latestMoment).pluck()
  const isBackup = reader.prepare<[], number>('SELECT backed_up_at IS NOT NULL FROM meta').pluck()

  return {
    canWrite: () =>
      write(() => {
        touch.run()
        return ok()
      }),

    lastSweep: () => read(() => lastSweep.get() ?? undefined),

    noteSweep: (atMicros) =>
      write(() => {
        noteSweep.run(atMicros)
        return ok()
      }),

    inspect: () =>
      read(() => {
        const faults = faultsIn(reader)
        return {
          faults,
          pragmas: pragmasInForce(writer, inspectedPragmas),
          version: reader.pragma('user_version', { simple: true }) as number,
          // Rows of a damaged file may not be there to be read.
          lastWriteMicros: faults.length > 0 ? undefined : (lastWrite.get() ?? undefined),
          isBackup: isBackup.get() === 1,
          fileBytes: sizeOf(reader.name),
          logBytes: sizeOf(`${reader.name}-wal`),
        }
      }),
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

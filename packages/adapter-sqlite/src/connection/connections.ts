import type { StorageError } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { ResultAsync, type Result } from 'neverthrow'
import type { GroupCommit } from './group-commit.ts'
import type { SnapshotReads } from './snapshot-reads.ts'

/**
 * What the stores of one file share. One connection reads and writes: a second one would forget the pages that it has read with every
 * commit of the first. A write is begun and committed within one callback of the event loop, so a read never sees half of one.
 */
export interface Connections {
  /** The connection for statements that {@link read} runs, and for those in jobs of {@link write}. */
  readonly db: Sqlite.Database
  /** Answers with what `query` returns; with a storage error when it throws. See `SnapshotReads`. */
  read<T>(query: () => T): ResultAsync<T, StorageError>
  /** See `GroupCommit.run`. */
  write<T, E = never>(job: () => Result<T, E>): ResultAsync<T, E | StorageError>
  /** Called by a job that erases something: once it is committed, the write-ahead log has to be emptied. */
  erased(): void
}

interface ConnectionsParts extends Pick<Connections, 'db' | 'erased'> {
  readonly group: GroupCommit
  readonly reads: SnapshotReads
}

export function createConnections({ db, group, reads, erased }: ConnectionsParts): Connections {
  return {
    db,
    erased,
    read: (query) => new ResultAsync(reads.read(query)),
    write: (job) => group.run(job),
  }
}

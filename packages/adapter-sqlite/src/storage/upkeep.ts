import type { Erasure, RowCounts, Upkeep } from '@sotto/core'
import { latestWrites } from '@sotto/storage-sql'
import { ok } from 'neverthrow'
import { examineDatabase } from '../examine/database.ts'
import type { OpenFile } from '../connection/open-file.ts'

const latestTime = `SELECT max(at) FROM (
  SELECT swept_at AS at FROM meta
  UNION ALL SELECT max(created_at) FROM secrets
  UNION ALL SELECT max(link_created_at) FROM secrets
  ${latestWrites})`

/** The ids of rows that are tried in the outbox: so many that they need more than one page. Events have UUIDs of version 7, so none has these. */
const triedIds = Array.from({ length: 64 }, (_, nr) => Uint8Array.of(...new Uint8Array(15), nr))

interface UpkeepOptions extends Pick<OpenFile, 'connections' | 'timers'> {
  readonly erasure: Erasure
}

export function createUpkeep({ connections, erasure, timers }: UpkeepOptions): Upkeep {
  const { db, read, write } = connections
  const lastSweep = db.prepare<[], number | null>('SELECT swept_at FROM meta').pluck()
  const recordSweep = db.prepare<[number | null]>('UPDATE meta SET swept_at = ?')
  const tryRow = db.prepare(
    `INSERT INTO outbox (event_id, event_type, account_id, secret_id, folder_id, event_at, opens, expires_at)
     VALUES (?, '', ?, ?, ?, 0, 0, 0)`,
  )
  const undoRow = db.prepare('DELETE FROM outbox WHERE event_id = ?')
  const lastWrite = db.prepare<[], number | null>(latestTime).pluck()
  const oldestExpiry = db
    .prepare<[], number | null>('SELECT min(expires_at) FROM secrets WHERE expires_at IS NOT NULL')
    .pluck()
  const rows = db.prepare<[], RowCounts>(`SELECT
    (SELECT count(*) FROM accounts) AS accounts,
    (SELECT count(*) FROM folders) AS folders,
    (SELECT count(*) FROM secrets WHERE expires_at IS NULL) AS drafts,
    (SELECT count(*) FROM secrets WHERE expires_at IS NOT NULL) AS secrets,
    (SELECT count(*) FROM requests) AS requests,
    (SELECT count(*) FROM files) AS files,
    (SELECT coalesce(sum(bytes), 0) FROM file_sums) AS fileBytes`)
  const canWrite: Upkeep['canWrite'] = () => {
    return write(() => {
      // SQLite writes nothing for a row that stays as it is, so the row changes and changes back.
      const sweptAt = lastSweep.get() ?? null
      recordSweep.run((sweptAt ?? 0) + 1)
      recordSweep.run(sweptAt)
      // Several pages, as a create writes them: they come from free ones, or make the file longer.
      for (const id of triedIds) tryRow.run(id, id, id, id)
      for (const id of triedIds) undoRow.run(id)
      return ok()
    })
  }

  return {
    canWrite,

    lastSweep: () => read(() => lastSweep.get() ?? undefined),

    recordSweep: (atMicros) =>
      write(() => {
        recordSweep.run(atMicros)
        return ok()
      }),

    lastWrite: () => read(() => lastWrite.get() ?? undefined),

    oldestExpiry: () => read(() => oldestExpiry.get() ?? undefined),

    countRows: () =>
      read(
        () =>
          rows.get() ?? {
            ...{ accounts: 0, folders: 0, drafts: 0, secrets: 0 },
            ...{ requests: 0, files: 0, fileBytes: 0 },
          },
      ),

    examine: () => examineDatabase({ connections, canWrite, erasure, timers }),
  }
}

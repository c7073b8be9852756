import type { Uuid } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { uuidOf } from '../engine/codec.ts'

/** What a file counts at least. A step of the schema depends on it, so it never changes. */
const countedMinBytes = 4_096

/**
 * Has each file count as many bytes as its content has, and each account what its files and its contents under way count.
 * @param lengthOf how long a content is; `undefined` leaves what its file counts
 */
export function recountFiles(db: Sqlite.Database, lengthOf: (id: Uuid) => number | undefined): void {
  const set = db.prepare<[number, string]>('UPDATE files SET bytes = ? WHERE id = unhex(?)')
  const ids = db.prepare<[], string>('SELECT hex(id) FROM files ORDER BY id').pluck().all()
  for (const id of ids) {
    const length = lengthOf(uuidOf(id))
    if (length !== undefined) set.run(Math.max(length, countedMinBytes), id)
  }
  db.exec(`
    UPDATE file_sums SET bytes = (SELECT coalesce(sum(bytes), 0) FROM files f WHERE f.account_id = file_sums.account_id)
      + (SELECT coalesce(sum(bytes), 0) FROM file_uploads u WHERE u.account_id = file_sums.account_id)`)
}

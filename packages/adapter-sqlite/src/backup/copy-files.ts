import type { BackUpError, MissingFile } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { connectRaw } from '../connection/connection.ts'
import { reasonOfStorageError } from '../connection/errors.ts'
import { contentPath, createFileStore, findContent } from '../files/file-store.ts'
import { writeFilePart } from './file-part.ts'
import { neededFiles, whyMissing } from './needed-files.ts'

/** A file was removed from a draft before it was copied: the backup has a state of the draft with it. */
export interface DraftEdited {
  readonly code: 'draft_edited'
}

export interface CopyFilesOptions {
  /** The database as it is now. */
  readonly live: Sqlite.Database
  /** The path of its copy. */
  readonly copy: string
  /** Where the contents are. */
  readonly directory: string
  /** The path of the backup, for messages. */
  readonly file: string
  /** Called again and again with how many bytes of contents were copied. */
  readonly onCopied: (bytes: number) => void
}

/**
 * Copies the contents of the files that the copy of a database needs behind it. A content that is missing because its note was destroyed since
 * the copy was made is noted as gone, any other one as missing. Ok with those.
 * @throws the errors of the file system and of SQLite
 */
export async function copyFiles({
  live,
  copy,
  directory,
  file,
  onCopied,
}: CopyFilesOptions): Promise<Result<readonly MissingFile[], BackUpError | DraftEdited>> {
  const db = connectRaw({ path: copy, synchronous: 'FULL', busyTimeoutMillis: 0, readonly: true })
  const store = createFileStore({ directory })
  const part = await writeFilePart(copy)
  const missing: MissingFile[] = []
  let copiedBytes = 0
  try {
    for (const needed of neededFiles(db)) {
      const { id, secretId } = needed
      const { length = 0 } = (await findContent(id, contentPath(directory, id))) ?? {}
      const added = await part.add(id, length, counting(store.read(id, { start: 0, end: length || 1 })))
      if (added.isOk()) continue
      if (added.error.code !== 'file_missing')
        return err({ code: 'backup_not_written', path: file, detail: reasonOfStorageError(added.error) })
      const why = whyMissing(live, needed)
      if (why === 'edited') return err({ code: 'draft_edited' })
      if (why === 'missing') missing.push({ id, secretId })
      await part.addNone(id, why)
    }
    await part.finish()
    return ok(missing)
  } finally {
    await part.close()
    db.close()
  }

  async function* counting<E>(pieces: AsyncIterable<Result<Uint8Array, E>>) {
    for await (const piece of pieces) {
      yield piece
      copiedBytes += piece.isOk() ? piece.value.length : 0
      onCopied(copiedBytes)
    }
  }
}

/** How many bytes of contents a backup of the database has. Rejects with the errors of the file system. */
export async function bytesOfFiles(db: Sqlite.Database, directory: string): Promise<number> {
  let bytes = 0
  for (const { id } of neededFiles(db))
    bytes += (await findContent(id, contentPath(directory, id)))?.length ?? 0
  return bytes
}

import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Uuid } from '@sotto/core'
import { syncPathAsync, temporaryPathBeside } from '@sotto/system'
import { isFileSystemError } from '../connection/errors.ts'
import { contentPath, dropContent, filesName, writeAll } from '../files/file-store.ts'
import { readContent, type FilePart } from './file-part.ts'

/** Contents of files that are brought back. Every method rejects with the errors of the file system. */
export interface RestoredFiles {
  /** Writes the contents of these files to the disk, beside their places. */
  write(ids: readonly Uuid[], onCopied: (bytes: number) => void): Promise<void>
  /** Puts them in their places, durably. A content that is there already is the same, left by a restore that was cut off. */
  publish(): Promise<void>
  /** Removes what has no use: all of it, unless there is a database now. */
  end(): Promise<void>
}

/** Brings the contents of a backup back, for the database at this path. */
export function restoredFiles(backup: string, part: FilePart, database: string): RestoredFiles {
  const temporary = temporaryPathBeside(database, 'restore')
  const directory = join(dirname(database), filesName)
  let written: readonly Uuid[] = []
  const placed: Uuid[] = []

  async function writeOne(id: Uuid, onPiece: (bytes: number) => void): Promise<void> {
    const content = part.contents.get(id)
    if (content === undefined) throw new TypeError('the contents were compared with the rows before')
    const file = await open(join(temporary, id), 'wx', 0o600)
    try {
      for await (const bytes of readContent(backup, content)) {
        await writeAll(file, bytes)
        onPiece(bytes.length)
      }
      await file.sync()
    } finally {
      await file.close()
    }
  }

  return {
    async write(ids, onCopied) {
      if (ids.length === 0) return
      await mkdir(temporary, { mode: 0o700 })
      let copiedBytes = 0
      for (const id of ids) await writeOne(id, (bytes) => onCopied((copiedBytes += bytes)))
      written = ids
    },

    async publish() {
      const directories = new Set<string>()
      for (const id of written) {
        const path = contentPath(directory, id)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        const isNew = !existsSync(path)
        await rename(join(temporary, id), path)
        if (isNew) placed.push(id)
        directories.add(dirname(path))
      }
      for (const each of directories) await syncPathAsync(each)
    },

    async end() {
      await rm(temporary, { recursive: true, force: true })
      if (placed.length === 0 || existsSync(database)) return
      for (const id of placed) await dropContent(contentPath(directory, id))
      await rmdir(directory).catch((error: unknown) => {
        if (!isFileSystemError(error)) throw error
      })
    },
  }
}

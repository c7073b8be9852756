import type { FileMissing, FileStore, Pieces, StorageError, Uuid } from '@sotto/core'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { MemoryContent } from '../stores/memory-data.ts'

/** A store of files in memory. */
export interface MemoryFiles extends FileStore {
  /** The contents by id. Two stores that share them are two processes on the same files. */
  readonly contents: Map<Uuid, MemoryContent>
}

/** Creates one, by default without contents. */
export function createMemoryFiles(contents = new Map<Uuid, MemoryContent>()): MemoryFiles {
  return {
    contents,

    append: (id, content) => new ResultAsync(append(contents, id, content)),

    async *read(
      id,
      { start, end },
    ): AsyncGenerator<Result<Uint8Array, FileMissing | StorageError>, void, void> {
      const found = contents.get(id)
      if (found === undefined) return yield err({ code: 'file_missing', id })
      yield await Promise.resolve(ok(found.bytes.slice(start, end)))
    },

    drop(id) {
      contents.delete(id)
      return okAsync()
    },

    freeBytes: () => okAsync(undefined),

    page(after = '', limit) {
      const ids = [...contents.keys()].filter((id) => id > after).toSorted()
      return okAsync(
        ids.slice(0, limit).flatMap((id) => {
          const found = contents.get(id)
          return found === undefined
            ? []
            : [{ id, length: found.bytes.length, writtenAtMicros: found.writtenAtMicros }]
        }),
      )
    },
  }
}

async function append<E>(
  contents: MemoryFiles['contents'],
  id: Uuid,
  content: Pieces<E>,
): Promise<Result<void, E | StorageError>> {
  if (contents.has(id)) return err({ code: 'storage_failed', detail: 'the id of the file is taken' })
  const file: MemoryContent = { bytes: new Uint8Array(), writtenAtMicros: 1 }
  contents.set(id, file)
  // The new array can take as much again: a copy for each piece would make a large file slow.
  let buffer = file.bytes
  for await (const piece of content) {
    if (piece.isErr()) {
      contents.delete(id)
      return err(piece.error)
    }
    const [begin, end] = [file.bytes.length, file.bytes.length + piece.value.length]
    if (end > buffer.length) {
      buffer = new Uint8Array(2 * end)
      buffer.set(file.bytes)
    }
    buffer.set(piece.value, begin)
    file.bytes = buffer.subarray(0, end)
  }
  return ok()
}

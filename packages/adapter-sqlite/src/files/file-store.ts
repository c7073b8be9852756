import { open, mkdir, readdir, rm, rmdir, stat, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  parseUuid,
  uuidToFind,
  type ByteRange,
  type FileMissing,
  type FileStore,
  type Pieces,
  type StorageError,
  type StoredFileInfo,
  type Uuid,
} from '@sotto/core'
import { syncPathAsync, systemErrorCode } from '@sotto/system'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { fileErrorOf } from './file-error.ts'

/** The directory of the contents, beside the databases. */
export const filesName = 'files'

/** How many bytes are read at once. */
const readLength = 262_144

/** A file that is dropped while it is written has no name any more, and is gone when it is closed. */
const dropped: StorageError = { code: 'storage_failed', detail: 'the file was dropped while it was written' }

/** How many characters the ids in one directory have in common: those of ids that were made within five hours. */
const prefixLength = 6

/**
 * Stores contents as plain files: `{directory}/{first six characters of the id}/{id}`, mode 0600. Directories and files sort as the ids do.
 * Nothing is kept open between calls. A directory is made with its first file, and removed with its last one.
 */
export function createFileStore({ directory }: { readonly directory: string }): FileStore {
  const pathOf = (id: Uuid): string => contentPath(directory, id)
  return {
    append: (id, content) => new ResultAsync(append(pathOf(uuidToFind(id)), content)),
    read: (id, range) => read(id, pathOf(uuidToFind(id)), range),
    drop: (id) => ResultAsync.fromPromise(dropContent(pathOf(uuidToFind(id))), fileErrorOf),
    freeBytes: () => ResultAsync.fromPromise(freeBytes(directory), fileErrorOf),
    page: (after, limit) => ResultAsync.fromPromise(page(directory, after ?? '', limit), fileErrorOf),
  }
}

/** Where a content is, or would be. */
export function contentPath(directory: string, id: Uuid): string {
  return join(directory, id.slice(0, prefixLength), id)
}

async function append<E>(path: string, content: Pieces<E>): Promise<Result<void, E | StorageError>> {
  const opened = await ResultAsync.fromPromise(create(path), fileErrorOf)
  if (opened.isErr()) return err(opened.error)
  const file = opened.value
  const written = await write(file, content)
  const closed = await ResultAsync.fromPromise(file.close(), fileErrorOf)
  const ended = await written.andThen(() => closed).asyncAndThen(() => syncName(path))
  if (ended.isErr()) await dropContent(path).catch(() => undefined)
  return ended
}

/**
 * Makes the file, after its directory, which may be removed with the last file in it between the two steps: then it tries again. The directory
 * above that of all contents is never made: it is missing where the data was moved away.
 */
async function create(path: string, tries = 5): Promise<FileHandle> {
  for (const directory of [dirname(dirname(path)), dirname(path)]) await makeDirectory(directory)
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || tries === 0) throw error
    return create(path, tries - 1)
  }
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
  }
}

async function write<E>(file: FileHandle, content: Pieces<E>): Promise<Result<void, E | StorageError>> {
  try {
    for await (const piece of content) {
      if (piece.isErr()) return err(piece.error)
      await writeAll(file, piece.value)
    }
    await file.sync()
    return (await file.stat()).nlink === 0 ? err(dropped) : ok()
  } catch (error) {
    return err(fileErrorOf(error))
  }
}

/** Writes all of the bytes: `write` may write less than it is given, as on a disk that becomes full. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}

/** Makes the names of the file and of its directories durable. */
function syncName(path: string): ResultAsync<void, StorageError> {
  return ResultAsync.fromPromise(syncPathAsync(dirname(path)), fileErrorOf)
}

async function* read(
  id: Uuid,
  path: string,
  { start, end }: ByteRange,
): AsyncGenerator<Result<Uint8Array, FileMissing | StorageError>, void> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    for (let at = start; at < end;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(readLength, end - at)), {
        position: at,
      })
      if (bytesRead === 0) return
      at += bytesRead
      yield ok(buffer.subarray(0, bytesRead))
    }
  } catch (error) {
    yield err(systemErrorCode(error) === 'ENOENT' ? { code: 'file_missing', id } : fileErrorOf(error))
  } finally {
    await file?.close().catch(() => undefined)
  }
}

/** Removes the content at this path, and its directory with the last one in it. Rejects with the errors of the file system. */
export async function dropContent(path: string): Promise<void> {
  await rm(path, { force: true })
  try {
    await rmdir(dirname(path))
  } catch (error) {
    const code = systemErrorCode(error) ?? ''
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(code)) throw error
  }
}

/** What a user without special rights may still write. Before the first content, the disk is that of the directory above. */
async function freeBytes(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    const { bavail, bsize } = await statfs(dirname(directory))
    return bavail * bsize
  }
}

async function page(directory: string, after: string, limit: number): Promise<readonly StoredFileInfo[]> {
  const found: StoredFileInfo[] = []
  for (const prefix of (await namesIn(directory)).filter(
    (name) => name.length === prefixLength && name >= after.slice(0, prefixLength),
  )) {
    const ids = (await namesIn(join(directory, prefix))).filter(
      (name) => name > after && parseUuid(name) === name && name.startsWith(prefix),
    )
    for (const id of ids) {
      if (found.length === limit) return found
      const info = await findContent(id, join(directory, prefix, id))
      if (info !== undefined) found.push(info)
    }
  }
  return found
}

/** The names in a directory, sorted; none when there is no such directory. */
async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).toSorted()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return []
    throw error
  }
}

/** The content at this path; `undefined` when there is none, or no file. Rejects with the errors of the file system. */
export async function findContent(id: Uuid, path: string): Promise<StoredFileInfo | undefined> {
  try {
    const found = await stat(path)
    if (!found.isFile()) return undefined
    const { size, mtimeMs } = found
    return { id, length: size, writtenAtMicros: Math.floor(mtimeMs * 1_000) }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

import type { AttachedUnreadable } from '../errors/remote-errors.ts'
import { openAsBlob } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { fileNameError } from '@sotto/core'
import { systemErrorCode } from '@sotto/system'
import { err, ok, type Result } from 'neverthrow'
import { printable } from '../shared/printable.ts'

/**
 * The files that `--file` names. Large ones are not read before they are sent, and fail then if they have changed.
 * @param paths from `cwd`
 */
export async function attachedFiles(
  cwd: string,
  paths: readonly string[],
): Promise<Result<readonly File[], AttachedUnreadable>> {
  const files: File[] = []
  for (const path of paths) {
    const file = await attachedFile(resolve(cwd, path))
    if (typeof file === 'string')
      return err({ code: 'attached_unreadable', path: printable(path), detail: file })
    files.push(file)
  }
  return ok(files)
}

/** The file, or why there is none. */
async function attachedFile(path: string): Promise<File | string> {
  const name = basename(path)
  if (fileNameError(name) !== undefined) return 'its name has \\ or an invisible character, or is too long'
  try {
    // A pipe without a writer would be waited for.
    if (!(await stat(path)).isFile()) return 'no regular file'
    const handle = await open(path)
    try {
      const { size } = await handle.stat()
      if (size > inMemoryMaxBytes && (await endsAt(handle, size)))
        return new File([await openAsBlob(path)], name)
      const content = await readToEnd(handle)
      return content === undefined ? 'its size is not known' : new File([content], name)
    } finally {
      await handle.close()
    }
  } catch (error) {
    return systemErrorCode(error) ?? 'unknown error'
  }
}

/** How much of a file is kept in memory until it is sent. Those of a system (/proc, /sys) say another size than they have. */
const inMemoryMaxBytes = 1_048_576

/** Whether the file has the size that its metadata says. */
async function endsAt(handle: FileHandle, size: number): Promise<boolean> {
  const [last, next] = [size - 1, size].map((at) => handle.read(Buffer.alloc(1), 0, 1, at))
  return (await last)?.bytesRead === 1 && (await next)?.bytesRead === 0
}

/** All bytes of the file, whatever its metadata says; `undefined` when there are too many. */
async function readToEnd(handle: FileHandle): Promise<Buffer<ArrayBuffer> | undefined> {
  const bytes = Buffer.alloc(inMemoryMaxBytes + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null)
    length += bytesRead
    if (length > inMemoryMaxBytes) return undefined
    if (bytesRead === 0) return bytes.subarray(0, length)
  }
}

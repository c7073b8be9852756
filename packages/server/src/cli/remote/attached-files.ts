import { constants, openAsBlob } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { systemErrorCode } from '@sotto/system'
import { err, ok, type Result } from 'neverthrow'
import { printable } from '../output.ts'

/** What `--file` names cannot be sent. */
export interface AttachedUnreadable {
  readonly code: 'attached_unreadable'
  readonly path: string
  readonly detail: string
}

/** The files that `--file` names. They are not read before they are sent. @param paths from `cwd` */
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
  try {
    if (!(await stat(path)).isFile()) return 'no regular file'
    await access(path, constants.R_OK)
    return new File([await openAsBlob(path)], basename(path))
  } catch (error) {
    return systemErrorCode(error) ?? 'unknown error'
  }
}

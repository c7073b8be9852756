import { constants } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { SottoError, type OpenedFile } from '@sotto/client'
import { createNewFile, systemErrorCode, type NewFile } from '@sotto/system'
import { err, ok, type Result } from 'neverthrow'
import type { Surroundings } from '../cli/command.ts'
import { printable } from '../shared/printable.ts'
import { called, transferSeconds } from '../remote/remote-command.ts'
import { remoteText, type OutputUnusable } from '../errors/remote-errors.ts'
import { endings } from '../cli/terminal.ts'

/** A file of an open, and where it was saved. Without `--output` it has neither `path` nor `fault`. */
export interface SavedFile extends Pick<OpenedFile, 'name' | 'size' | 'type' | 'url'> {
  readonly path: string | undefined
  /** Why it was not saved. */
  readonly fault: string | undefined
}

/** Makes a file in the directory and removes it, before an open is spent. @param directory from `cwd` */
export function tryDirectory(cwd: string, directory: string): Result<void, OutputUnusable> {
  try {
    createNewFile(join(resolve(cwd, directory), 'any'), 'open').discard()
    return ok()
  } catch (error) {
    const detail = systemErrorCode(error) ?? 'unknown error'
    return err({ code: 'output_unusable', path: printable(directory), detail })
  }
}

/**
 * Saves one file after another in the directory of `--output`, if there is one. A file has its name only when it is complete, and no file is
 * overwritten. When the process is told to end, what is left is not saved.
 */
export async function saveFiles(
  { cwd }: Pick<Surroundings, 'cwd'>,
  directory: string | undefined,
  files: readonly OpenedFile[],
): Promise<readonly SavedFile[]> {
  if (directory === undefined) return files.map((file) => ({ ...file, path: undefined, fault: undefined }))
  return untilStopped(async (stopped) => {
    const outcomes: SavedFile[] = []
    for (const file of files) {
      const saved = await save(file, resolve(cwd, directory), stopped)
      const outcome = saved.match(
        (name) => ({ path: join(directory, name), fault: undefined }),
        (fault) => ({ path: undefined, fault }),
      )
      outcomes.push({ ...file, ...outcome })
    }
    return outcomes
  })
}

async function untilStopped<T>(work: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  for (const signal of endings) process.on(signal, end)
  try {
    return await work(stop.signal)
  } finally {
    for (const signal of endings) process.off(signal, end)
  }
}

/** The name under which the file is saved, or why it is not. */
async function save(
  file: OpenedFile,
  directory: string,
  stopped: AbortSignal,
): Promise<Result<string, string>> {
  if (stopped.aborted) return err('stopped')
  const download = (signal: AbortSignal): Promise<Result<string, string>> =>
    write(file, directory, { signal: AbortSignal.any([signal, stopped]), stopped })
  const outcome = await called('download', download, transferSeconds([file]))
  return outcome.isErr() ? err(remoteText(outcome.error)) : outcome.value
}

/** Opens a file that is there, and no symbolic link: others may write in the directory, too. */
const existing = constants.O_WRONLY | constants.O_NOFOLLOW

async function write(
  file: OpenedFile,
  directory: string,
  { signal, stopped }: { readonly signal: AbortSignal; readonly stopped: AbortSignal },
): Promise<Result<string, string>> {
  let temporary: NewFile | undefined
  try {
    temporary = createNewFile(join(directory, 'any'), 'open')
    await writeFile(temporary.path, file.stream({ signal }), { flag: existing })
    return ok(publish(temporary, directory, file.name))
  } catch (error) {
    if (stopped.aborted) return err('stopped')
    if (signal.aborted || error instanceof SottoError) throw error
    return err(systemErrorCode(error) ?? 'unknown error')
  } finally {
    temporary?.discard()
  }
}

/** Gives the file the first name that is free. */
function publish(file: NewFile, directory: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const free = fileNameOf(name, number)
    if (file.publish(join(directory, free))) return free
  }
}

/** How long a name may be, in bytes. */
const nameMaxBytes = 255

/**
 * The name with a number, from 2, before its ending. In front of a dot or hyphen is `_`: a stranger chose the name, and programs take `.bashrc`
 * for what they run and `-rf` for an option. A name that becomes too long loses the end of its stem.
 */
export function fileNameOf(name: string, number: number): string {
  const visible = /^[.-]/.test(name) ? `_${name}` : name
  const ending = extname(name).length > 20 ? '' : extname(name)
  const end = (number === 1 ? '' : `-${number}`) + ending
  let stem = visible.slice(0, visible.length - ending.length)
  while (Buffer.byteLength(stem + end) > nameMaxBytes) stem = stem.replace(/.$/su, '')
  return stem + end
}

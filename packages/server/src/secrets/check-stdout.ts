import type { StdoutUnusable } from '../errors/remote-errors.ts'
import { fstatSync, readFileSync, statfsSync, writeSync, type Stats } from 'node:fs'
import { systemErrorCode } from '@sotto/system'
import { err, ok, type Result } from 'neverthrow'
import type { Surroundings } from '../cli/command.ts'
import { noteMaxBytes } from './note-file.ts'

/** Whether standard output can take a note or a link, as far as that can be known without writing to it. */
export function checkStdout(stdout: Surroundings['stdout']): Result<void, StdoutUnusable> {
  const { fd } = stdout as { readonly fd?: unknown }
  const detail = typeof fd === 'number' ? faultOf(fd) : undefined
  return detail === undefined ? ok() : err({ code: 'stdout_unusable', detail })
}

function faultOf(fd: number): string | undefined {
  try {
    const stats = fstatSync(fd)
    if (wasClosed(fd, stats)) return 'closed'
    // Fails on /dev/full, and where it is open for reading only.
    writeSync(fd, Buffer.alloc(0))
    if (!stats.isFile()) return undefined
    const { bavail, bsize } = statfsSync(`/proc/self/fd/${fd}`)
    return bavail * bsize < noteMaxBytes ? 'ENOSPC' : undefined
  } catch (error) {
    const code = systemErrorCode(error)
    // There is no /proc everywhere.
    return code === 'ENOENT' ? undefined : (code ?? 'unknown error')
  }
}

/** Node.js opens /dev/null for reading and writing in the place of a standard output that is closed. A shell opens it for writing only. */
function wasClosed(fd: number, stats: Stats): boolean {
  if (!stats.isCharacterDevice() || stats.rdev !== nullDevice) return false
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? []
    return (parseInt(flags, 8) & 3) === 2
  } catch {
    return false
  }
}

/** The device number of /dev/null: major 1, minor 3. */
const nullDevice = 0x103

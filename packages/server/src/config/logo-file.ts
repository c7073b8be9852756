import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { brandingRules } from '@sotto/html'
import { err, ok, type Result } from 'neverthrow'

/** Far more than a logo may have; what is larger is not read. */
const readMaxBytes = 1024 * 1024

/**
 * Reads the file that SOTTO_LOGO_FILE names.
 *
 * @returns its bytes, `undefined` when the setting is not there, or one sentence about what is wrong with the file
 */
export function readLogo(named: string | undefined, cwd: string): Result<Uint8Array | undefined, string> {
  // The rule of the setting reports an empty one.
  if (named === undefined || named === '') return ok(undefined)
  try {
    const bytes = readSmallFile(resolve(cwd, named))
    if (bytes !== undefined && brandingRules.logo(bytes)) return ok(bytes)
    return err(
      'the file that SOTTO_LOGO_FILE names must be a PNG file or a plain SVG drawing (no script, event attribute, foreignObject, ' +
        'embedded picture or reference to anything outside it) of at most 100 KiB',
    )
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return err(`the file that SOTTO_LOGO_FILE names cannot be read (${reason})`)
  }
}

/** `undefined` for what is no regular file, such as a pipe that nobody writes to, or is too large. */
function readSmallFile(path: string): Uint8Array | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    return stat.isFile() && stat.size <= readMaxBytes ? readFileSync(file) : undefined
  } finally {
    closeSync(file)
  }
}

import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { systemErrorCode } from '@sotto/system'
import { err, ok, type Result } from 'neverthrow'
import { readConfidentialInput } from '../cli/confidential-input.ts'
import type { CliError } from '../errors/errors.ts'

/** The longest note that any service takes: the most that SOTTO_NOTE_MAX_BYTES can be. */
export const noteMaxBytes = 1_048_576

/** The note that a file holds, including its last line break. @param path from `cwd` */
export async function readNoteFile(
  cwd: string,
  path: string,
  maxBytes = noteMaxBytes,
): Promise<Result<string, CliError>> {
  try {
    const input = await readConfidentialInput(createReadStream(resolve(cwd, path)), {
      lines: 0,
      noteMaxBytes: maxBytes,
      name: 'the file',
    })
    if (input.isOk()) return ok(input.value.note)
    if (input.error.code === 'input_not_text') return err(input.error)
    return err({
      code: 'note_unreadable',
      detail: `longer than ${maxBytes} bytes; sotto share --file sends larger ones`,
    })
  } catch (error) {
    return err({ code: 'note_unreadable', detail: systemErrorCode(error) ?? 'unknown error' })
  }
}

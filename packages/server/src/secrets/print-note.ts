import type { Result } from 'neverthrow'
import type { CliError } from '../errors/errors.ts'
import type { RemoteContext } from '../remote/remote-command.ts'
import { printableLines } from '../shared/printable.ts'

/** Prints a note, byte for byte. A terminal gets control characters as escapes unless `raw` is set, and a last line break besides. */
export function printNote(
  { stdout, output, inform }: RemoteContext,
  { raw }: { readonly raw: boolean },
  note: string,
): Promise<Result<void, CliError>> {
  const isTerminal = stdout.isTTY === true
  const text = isTerminal && !raw ? printableLines(note) : note
  if (text !== note)
    inform('the text has control characters, which are shown as escapes; --raw would print them')
  const end = isTerminal && !note.endsWith('\n') ? '\n' : ''
  return output.answer({ text, end, json: undefined })
}

import { isSealed, lockOf, openNote, readKey } from '@sotto/sealed'
import type { Command } from 'commander'
import { err, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../cli/command.ts'
import { readConfidentialInput, readLines, type ConfidentialInput } from '../cli/confidential-input.ts'
import type { CliError } from '../errors/errors.ts'
import { remoteCommand, type RemoteContext } from '../remote/remote-command.ts'
import { printNote } from '../secrets/print-note.ts'
import { noteMaxBytes, readNoteFile } from '../secrets/note-file.ts'

/** How long a sealed text may be: one of the longest note, in base64url and with what is around it. */
const sealedMaxBytes = 2 * noteMaxBytes

interface UnsealOptions {
  readonly passwordStdin: boolean
  readonly raw: boolean
  readonly json?: boolean
}

/** `sotto unseal` */
export function addUnsealCommand(program: Command, cli: Cli): void {
  addCommand(program, 'unseal', {
    description:
      'Decrypts a sealed text that was saved as it was, from the file, or else from what follows on standard input. The first line of standard ' +
      'input is the key: what follows the # of the link, or the link itself. No service is asked.',
    examples: ['$ sotto unseal saved.txt < link.txt', '$ cat link.txt saved.txt | sotto unseal'].join('\n'),
  })
    .summary('decrypts a sealed text that was saved')
    .argument('[file]', 'the file with the sealed text (default: standard input)')
    .option('--password-stdin', 'take the second line of standard input as the password of the link', false)
    .option('--raw', 'print control characters to a terminal, too: they can change what it shows', false)
    .action(remoteCommand<UnsealOptions>(cli, unseal))
}

async function unseal(
  context: RemoteContext,
  options: UnsealOptions,
  file: string | undefined,
): Promise<Result<void, CliError>> {
  const given = await readGiven(context, options, file === '-' ? undefined : file)
  if (given.isErr()) return err(given.error)
  const [first = '', password] = given.value.lines
  const key = readKey(first.slice(first.indexOf('#') + 1).trim())
  if (key === undefined) return err({ code: 'key_invalid' })
  const sealed = given.value.note.trim()
  if (!isSealed(sealed)) return err({ code: 'not_sealed' })
  const content = await openNote(await lockOf(key, password), sealed)
  if (content === undefined) return err({ code: 'not_unsealed' })
  const names = content.files.map(({ name }) => name)
  if (options.json === true)
    return context.output.answer({ text: '', json: { note: content.text, files: names } })
  return printNote(context, options, content.text)
}

async function readGiven(
  { stdin, cwd }: RemoteContext,
  { passwordStdin }: UnsealOptions,
  file: string | undefined,
): Promise<Result<ConfidentialInput, CliError>> {
  const lines = 1 + Number(passwordStdin)
  if (file === undefined) return readConfidentialInput(stdin, { lines, noteMaxBytes: sealedMaxBytes })
  const note = await readNoteFile(cwd, file, sealedMaxBytes)
  if (note.isErr()) return err(note.error)
  return (await readLines(stdin, lines)).map((read) => ({ lines: read, note: note.value }))
}

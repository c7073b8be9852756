import { openLink, type OpenedSecret } from '@sotto/client'
import { sizeText } from '@sotto/system'
import { toWireOpened } from '@sotto/wire'
import { Option, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../cli/command.ts'
import { readLines } from '../cli/confidential-input.ts'
import type { CliError } from '../errors/errors.ts'
import { printable } from '../shared/printable.ts'
import { checkStdout } from './check-stdout.ts'
import { printNote } from './print-note.ts'
import {
  called,
  exitCodesHelp,
  linkArgument,
  linkIn,
  remoteCommand,
  type RemoteContext,
} from '../remote/remote-command.ts'
import { saveFiles, tryDirectory } from '../files/save-files.ts'

interface OpenOptions {
  readonly passwordPrompt: boolean
  readonly passwordStdin: boolean
  readonly raw: boolean
  readonly output?: string
  readonly json?: boolean
}

/** `sotto open` */
export function addOpenCommand(program: Command, cli: Cli): void {
  addCommand(program, 'open', {
    description:
      'Opens a link and prints its text, byte for byte, and nothing else; nothing where files say it all. A terminal gets control characters as escapes, unless --raw is ' +
      'there, and a last line break besides. This counts as an open: after the last permitted one the text is gone. It takes no account. ' +
      'With - the link is the first line of standard input, or is asked for without being shown: other users of a machine can read ' +
      'arguments, and a shell keeps them. Files of the secret are saved with --output; otherwise their addresses are printed on standard ' +
      'error, from which they can be fetched for an hour.',
    examples: ['$ sotto open - --password-prompt', '$ sotto open - --output . < link.txt > text.txt'].join(
      '\n',
    ),
  })
    .summary('opens a link and prints its text')
    .addHelpText('after', exitCodesHelp)
    .argument('<url>', 'the link, or - to read it', linkArgument)
    .addOption(passwordPrompt())
    .option(
      '--password-stdin',
      'take the first line of standard input as the password, or the second behind the link',
      false,
    )
    .option('--output <dir>', 'save the files of the secret in this directory, and overwrite nothing')
    .option('--raw', 'print control characters to a terminal, too: they can change what it shows', false)
    .action(remoteCommand<OpenOptions>(cli, (context, options, url = '') => open(context, options, url)))
}

/** The option of the password, for `share` too. */
export function passwordPrompt(): Option {
  return new Option('--password-prompt', 'ask for the password on the terminal, without showing it')
    .default(false, 'no password')
    .conflicts('passwordStdin')
}

async function open(
  context: RemoteContext,
  options: OpenOptions,
  argument: string,
): Promise<Result<void, CliError>> {
  const { inform } = context
  const isUsable = options.output === undefined ? ok() : tryDirectory(context.cwd, options.output)
  if (isUsable.isErr()) return err(isUsable.error)
  inform('opening the link counts; after its last permitted open the text is gone')
  const given = await readGiven(context, options, argument)
  if (given.isErr()) return err(given.error)
  const canPrint = checkStdout(context.stdout)
  if (canPrint.isErr()) return err(canPrint.error)
  const { url, password } = given.value
  const work = password === undefined ? 'open' : 'open_with_password'
  const opened = await called(work, (signal) => openLink(url, { password, signal }))
  if (opened.isOk()) return handOver(context, options, opened.value)
  const { code, sealed } = opened.error.error
  // The open may have been the last one, so what cannot be decrypted is not thrown away.
  if (sealed !== undefined) {
    const answered = await context.output.answer({ text: sealed, json: { sealed } })
    if (answered.isErr()) return err(answered.error)
  }
  return err(code === 'not_found' ? { code: 'link_gone' } : opened.error)
}

/** The note is printed before any file is fetched, so that it is not lost. A document has the paths of the files, so it comes after them. */
async function handOver(
  context: RemoteContext,
  options: OpenOptions,
  secret: OpenedSecret,
): Promise<Result<void, CliError>> {
  const { output, inform } = context
  const isDocument = options.json ?? false
  const printed = isDocument || secret.note === '' ? ok() : await printNote(context, options, secret.note)
  const files = await saveFiles(context, options.output, secret.files)
  const document = () => output.answer({ text: '', json: toWireOpened({ ...secret, files }) })
  const answered = isDocument ? await document() : printed
  if (options.output === undefined && files.length > 0)
    inform(
      'the secret has files; for an hour they can be fetched from these addresses, without another open:',
    )
  for (const { name, size, url, path } of files) {
    const place = path === undefined ? url : `saved as ${path}`
    inform(`${printable(name)}, ${sizeText(size)}: ${printable(place)}`)
  }
  if (answered.isErr()) return err(answered.error)
  const faults = files.flatMap(({ name, fault }) =>
    fault === undefined ? [] : `${printable(name)} (${fault})`,
  )
  return faults.length === 0 ? ok() : err({ code: 'files_not_saved', faults })
}

/** The link and the password from where they are: an argument, the terminal, or the first lines of standard input. */
async function readGiven(
  { stdin, prompt }: RemoteContext,
  { passwordPrompt, passwordStdin }: OpenOptions,
  argument: string,
): Promise<Result<{ readonly url: string; readonly password: string | undefined }, CliError>> {
  const isTyped = argument === '-' && stdin.isTTY === true
  const isPiped = argument === '-' && !isTyped
  const named = isTyped ? await prompt('Link: ') : ok(argument)
  if (named.isErr()) return err(named.error)
  const lines = await readLines(stdin, Number(isPiped) + Number(passwordStdin))
  if (lines.isErr()) return err(lines.error)
  const url = linkIn(isPiped ? (lines.value[0] ?? '') : named.value)
  if (url === undefined) return err({ code: 'link_invalid' })
  const password = passwordPrompt ? await prompt('Password of the link: ') : ok(lines.value[Number(isPiped)])
  return password.map((text) => ({ url, password: text }))
}

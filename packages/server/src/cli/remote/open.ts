import { openLink } from '@sotto/client'
import { toWireOpened } from '@sotto/wire'
import { Option, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../command.ts'
import { readLines } from '../confidential-input.ts'
import type { CliError } from '../errors.ts'
import { printableLines } from '../output.ts'
import {
  called,
  exitCodesHelp,
  isWebUrl,
  remoteCommand,
  urlArgument,
  type RemoteContext,
} from './remote-command.ts'

interface OpenOptions {
  readonly passwordPrompt: boolean
  readonly passwordStdin: boolean
  readonly raw: boolean
}

/** `sotto open` */
export function addOpenCommand(program: Command, cli: Cli): void {
  addCommand(program, 'open', {
    description:
      'Opens a link and prints its note, byte for byte, and nothing else. A terminal gets control characters as escapes, unless --raw is ' +
      'there, and a last line break besides. This counts as an open: after the last permitted one the note is gone. It takes no account. ' +
      'With - the link is the first line of standard input, or is asked for without being shown: other users of a machine can read ' +
      'arguments, and a shell keeps them.',
    examples: ['$ sotto open - --password-prompt', '$ sotto open - < link.txt > note.txt'].join('\n'),
  })
    .summary('opens a link and prints its note')
    .addHelpText('after', exitCodesHelp)
    .argument('<url>', 'the link, or - to read it', (text) => (text === '-' ? text : urlArgument(text)))
    .addOption(passwordPrompt())
    .option(
      '--password-stdin',
      'take the first line of standard input as the password, or the second behind the link',
      false,
    )
    .option('--raw', 'print control characters to a terminal, too: they can change what it shows', false)
    .action(remoteCommand<OpenOptions>(cli, (context, options, url = '') => open(context, options, url)))
}

/** Of `share` too. */
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
  const { stdout, output, inform } = context
  inform('opening the link counts; after its last permitted open the note is gone')
  const given = await readGiven(context, options, argument)
  if (given.isErr()) return err(given.error)
  const { url, password } = given.value
  const work = password === undefined ? 'open' : 'open_with_password'
  const opened = await called(work, (signal) => openLink(url, { password, signal }))
  if (opened.isErr()) {
    return err(opened.error.error.code === 'not_found' ? { code: 'link_gone' } : opened.error)
  }
  const { note } = opened.value
  const isTerminal = stdout.isTTY === true
  const text = isTerminal && !options.raw ? printableLines(note) : note
  if (text !== note)
    inform('the note has control characters, which are shown as escapes; --raw would print them')
  const end = isTerminal && !note.endsWith('\n') ? '\n' : ''
  return output.answer({ text, end, json: toWireOpened(opened.value) })
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
  const url = (isPiped ? (lines.value[0] ?? '') : named.value).trim()
  if (!isWebUrl(url)) return err({ code: 'link_invalid' })
  const password = passwordPrompt ? await prompt('Password of the link: ') : ok(lines.value[Number(isPiped)])
  return password.map((text) => ({ url, password: text }))
}

import { openLink } from '@sotto/client'
import { toWireOpened } from '@sotto/wire'
import { Option, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../command.ts'
import type { CliError } from '../errors.ts'
import { readFirstLine } from './first-line.ts'
import { called, remoteCommand, urlArgument, type RemoteContext } from './remote-command.ts'

interface OpenOptions {
  readonly passwordPrompt: boolean
  readonly passwordStdin: boolean
}

/** `sotto open` */
export function addOpenCommand(program: Command, cli: Cli): void {
  addCommand(program, 'open', {
    description:
      'Opens a link and prints its note, byte for byte, and nothing else; a terminal gets a last line break besides. This counts as an ' +
      'open: after the last permitted one the note is gone. It takes no account. The exit code is 3 when the link is gone.',
    examples:
      '$ sotto open --password-prompt https://s.example.org/9fVHrA0b7PzQ0m0wC3dUuYl8b1o3eN5JxkT2gRq4iEs',
  })
    .summary('opens a link and prints its note')
    .argument('<url>', 'the link', urlArgument)
    .addOption(passwordPrompt())
    .option('--password-stdin', 'take the first line of standard input as the password', false)
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
  url: string,
): Promise<Result<void, CliError>> {
  const { stdout, stderr, output } = context
  stderr.write('sotto: opening the link counts; after its last permitted open the note is gone\n')
  const password = await passwordOf(context, options)
  if (password.isErr()) return err(password.error)
  const work = password.value === undefined ? 'open' : 'open_with_password'
  const opened = await called(work, (signal) => openLink(url, { password: password.value, signal }))
  if (opened.isErr()) {
    return err(opened.error.error.code === 'not_found' ? { code: 'link_gone' } : opened.error)
  }
  const { note } = opened.value
  const end = stdout.isTTY === true && !note.endsWith('\n') ? '\n' : ''
  return output.answer({ text: note, end, json: toWireOpened(opened.value) })
}

async function passwordOf(
  { stdin, prompt }: RemoteContext,
  options: OpenOptions,
): Promise<Result<string | undefined, CliError>> {
  if (options.passwordPrompt) return prompt('Password of the link: ')
  return options.passwordStdin ? readFirstLine(stdin) : ok(undefined)
}

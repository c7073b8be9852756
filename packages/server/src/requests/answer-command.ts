import { answerRequest } from '@sotto/client'
import { toWireAnswered } from '@sotto/wire'
import type { Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../cli/command.ts'
import { readConfidentialInput, readLines } from '../cli/confidential-input.ts'
import type { CliError } from '../errors/errors.ts'
import { noteMaxBytes, readNoteFile } from '../secrets/note-file.ts'
import {
  called,
  exitCodesHelp,
  linkArgument,
  linkIn,
  remoteCommand,
  type RemoteContext,
} from '../remote/remote-command.ts'

/** `sotto answer` */
export function addAnswerCommand(program: Command, cli: Cli): void {
  addCommand(program, 'answer', {
    description:
      'Hands in a text to whoever asked for it with the link of a request. The text is the file, or else standard input, including the last ' +
      'line break. It takes no account. With - the link is the first line of standard input, or is asked for without being shown: other ' +
      'users of a machine can read arguments, and a shell keeps them.',
    examples: [
      '$ sotto answer - router.txt < link.txt',
      '$ (cat link.txt; printf "4711#") | sotto answer -',
    ].join('\n'),
  })
    .summary('hands in what the link of a request asks for')
    .addHelpText('after', exitCodesHelp)
    .argument('<url>', 'the link, or - to read it', linkArgument)
    .argument('[file]', 'the file with the text (default: standard input)')
    .action(remoteCommand(cli, (context, _options, url = '', file) => answer(context, url, file)))
}

async function answer(
  context: RemoteContext,
  argument: string,
  file: string | undefined,
): Promise<Result<void, CliError>> {
  const given = await readGiven(context, argument, file === '-' ? undefined : file)
  if (given.isErr()) return err(given.error)
  const { url, note } = given.value
  const answered = await called('answer', (signal) => answerRequest(url, note, { signal }))
  if (answered.isErr()) {
    return err(answered.error.error.code === 'not_found' ? { code: 'request_gone' } : answered.error)
  }
  const { receivedAt } = answered.value
  const text = `received at ${receivedAt.slice(0, 16).replace('T', ' ')} UTC`
  return context.output.answer({ text, json: toWireAnswered(answered.value) })
}

/** The link and the text from where they are: arguments, the terminal, or standard input. */
async function readGiven(
  { stdin, stderr, prompt, cwd }: RemoteContext,
  argument: string,
  file: string | undefined,
): Promise<Result<{ readonly url: string; readonly note: string }, CliError>> {
  const isTyped = argument === '-' && stdin.isTTY === true
  const isPiped = argument === '-' && !isTyped
  const named = isTyped ? await prompt('Link: ') : ok(argument)
  if (named.isErr()) return err(named.error)
  if (file === undefined && stdin.isTTY === true)
    stderr.write('Type the text; end with Ctrl-D on a new line. What you type is visible.\n')
  const input =
    file === undefined
      ? await readConfidentialInput(stdin, { lines: Number(isPiped), noteMaxBytes })
      : await readBeside(stdin, Number(isPiped), cwd, file)
  return input.andThen(({ lines, note }): Result<{ url: string; note: string }, CliError> => {
    const url = linkIn(isPiped ? (lines[0] ?? '') : named.value)
    return url === undefined ? err({ code: 'link_invalid' }) : ok({ url, note })
  })
}

async function readBeside(
  stdin: RemoteContext['stdin'],
  count: number,
  cwd: string,
  file: string,
): Promise<Result<{ readonly lines: readonly string[]; readonly note: string }, CliError>> {
  const note = await readNoteFile(cwd, file)
  if (note.isErr()) return err(note.error)
  return (await readLines(stdin, count)).map((lines) => ({ lines, note: note.value }))
}

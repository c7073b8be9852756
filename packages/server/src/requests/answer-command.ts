import { answerRequest } from '@sotto/client'
import { toWireAnswered } from '@sotto/wire'
import { Option, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../cli/command.ts'
import { readConfidentialInput, readLines } from '../cli/confidential-input.ts'
import type { CliError } from '../errors/errors.ts'
import { attachedFiles } from '../files/attached-files.ts'
import { noteMaxBytes, readNoteFile } from '../secrets/note-file.ts'
import {
  called,
  exitCodesHelp,
  linkArgument,
  linkIn,
  remoteCommand,
  transferSeconds,
  type RemoteContext,
} from '../remote/remote-command.ts'

interface AnswerOptions {
  readonly file: readonly string[]
}

/** What the arguments name. */
interface Named {
  /** The link, or where it comes from. */
  readonly argument: string
  /** The file with the text; standard input without it. */
  readonly file: string | undefined
}

/** `sotto answer` */
export function addAnswerCommand(program: Command, cli: Cli): void {
  addCommand(program, 'answer', {
    description:
      'Hands in a text to whoever asked for it with the link of a request. The text is the file, or else standard input, including the last ' +
      'line break. --file sends a file besides, or alone, where the request takes some: then a terminal is not asked for a text, and ' +
      'standard input may be empty. Where the request asks for encrypted answers, all of it is encrypted here. It takes no account. With - the link is the first line of standard input, or is asked for without being shown: other ' +
      'users of a machine can read arguments, and a shell keeps them.',
    examples: [
      '$ sotto answer - router.txt < link.txt',
      '$ (cat link.txt; printf "4711#") | sotto answer -',
      '$ sotto answer - --file passport.pdf < link.txt',
    ].join('\n'),
  })
    .summary('hands in what the link of a request asks for')
    .addHelpText('after', exitCodesHelp)
    .argument('<url>', 'the link, or - to read it', linkArgument)
    .argument('[file]', 'the file with the text (default: standard input)')
    .addOption(
      new Option('--file <path>', 'a file that goes with the text, or alone; once for each file')
        .argParser((path, before: readonly string[]) => [...before, path])
        .default([], 'none'),
    )
    .action(
      remoteCommand<AnswerOptions>(cli, (context, options, url = '', file) =>
        answer(context, options, { argument: url, file: file === '-' ? undefined : file }),
      ),
    )
}

async function answer(
  context: RemoteContext,
  options: AnswerOptions,
  named: Named,
): Promise<Result<void, CliError>> {
  // The files are checked first, so that nobody types a text for a command that then fails.
  const files = await attachedFiles(context.cwd, options.file)
  if (files.isErr()) return err(files.error)
  const given = await readGiven(context, named, files.value.length > 0)
  if (given.isErr()) return err(given.error)
  const { url, note } = given.value
  const answered = await called(
    'answer',
    (signal) => answerRequest(url, note, { files: files.value, signal }),
    transferSeconds(files.value),
  )
  if (answered.isErr()) {
    const { error } = answered
    return err(
      error.error.code === 'not_found' ? { code: 'request_gone' } : { ...error, paths: options.file },
    )
  }
  const { receivedAt } = answered.value
  const text = `received at ${receivedAt.slice(0, 16).replace('T', ' ')} UTC`
  return context.output.answer({ text, json: toWireAnswered(answered.value) })
}

/** The link and the text from where they are: arguments, the terminal, or standard input. */
async function readGiven(
  { stdin, stderr, prompt, cwd }: RemoteContext,
  { argument, file }: Named,
  hasFiles: boolean,
): Promise<Result<{ readonly url: string; readonly note: string }, CliError>> {
  const isTyped = argument === '-' && stdin.isTTY === true
  const isPiped = argument === '-' && !isTyped
  const named = isTyped ? await prompt('Link: ') : ok(argument)
  if (named.isErr()) return err(named.error)
  // Nobody is asked for a text on a terminal where a file may say it all.
  const isFileAlone = hasFiles && file === undefined && stdin.isTTY === true
  if (file === undefined && stdin.isTTY === true && !isFileAlone)
    stderr.write('Type the text; end with Ctrl-D on a new line. What you type is visible.\n')
  const input = isFileAlone
    ? ok({ lines: [], note: '' })
    : file === undefined
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

import { countOption } from '../cli/option-values.ts'
import { randomUUID } from 'node:crypto'
import type { Client, NewSecret, Secret } from '@sotto/client'
import { bounds } from '@sotto/core'
import { toWireShared } from '@sotto/wire'
import { Option, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, labelRule, type Cli } from '../cli/command.ts'
import { readConfidentialInput, readLines, type ConfidentialInput } from '../cli/confidential-input.ts'
import type { CliError } from '../errors/errors.ts'
import { attachedFiles } from '../files/attached-files.ts'
import { checkStdout } from './check-stdout.ts'
import { copyText } from './clipboard.ts'
import { findFolder } from '../folders/find-folder.ts'
import { noteMaxBytes, readNoteFile } from './note-file.ts'
import { passwordPrompt } from './open-command.ts'
import { drawnQrCode } from './qr-code.ts'
import {
  called,
  clientOf,
  exitCodesHelp,
  remoteCommand,
  transferSeconds,
  type RemoteContext,
} from '../remote/remote-command.ts'

interface ShareOptions {
  readonly folder?: string
  readonly label?: string
  readonly labelStdin: boolean
  readonly file: readonly string[]
  readonly openLimit?: number
  readonly notify: boolean
  readonly passwordPrompt: boolean
  readonly passwordStdin: boolean
  readonly sealed: boolean
  readonly copy: boolean
  readonly qr: boolean
}

/** What a person hands over: each part of it may come from standard input. */
interface Given {
  readonly label: string
  readonly password: string | undefined
  readonly note: string
}

/** A link opens once, as on the pages, unless its sender says otherwise. */
const defaultOpenLimit = 1

/** `sotto share` */
export function addShareCommand(program: Command, cli: Cli): void {
  addCommand(program, 'share [file]', {
    description:
      'Creates a secret on the service that sotto login or SOTTO_URL and SOTTO_TOKEN name, and prints its link. The text is the file, or ' +
      'else standard input, including the last line break. With --label-stdin the first line of standard input is the title, with ' +
      '--password-stdin the first line, or the second behind the title, the password. --file sends a file besides, or alone: then a ' +
      'terminal is not asked for a text, and standard input may be empty.',
    examples: [
      '$ printf "4711#" | sotto share --label "Front door"',
      '$ sotto share --label "TLS key" --folder Servers --password-prompt --qr --file tls.p12 text.txt',
      '$ sotto share --label Contract --file contract.pdf',
    ].join('\n'),
  })
    .summary('sends a text over HTTP and prints its link')
    .addHelpText('after', exitCodesHelp)
    .option('--folder <title-or-id>', 'a folder of the account (default: the only one)')
    .option('--label <title>', `the title: ${labelRule}`)
    .addOption(
      new Option('--label-stdin', 'take the first line of standard input as the title, instead of --label')
        .default(false, 'no')
        .conflicts('label'),
    )
    .option(
      '--open-limit <n>',
      `how often the link can be opened, up to ${bounds.openLimitMax}; 0 is without limit (default: 1)`,
      countOption,
    )
    .addOption(
      new Option('--file <path>', 'a file that goes with the text, or alone; once for each file')
        .argParser((path, before: readonly string[]) => [...before, path])
        .default([], 'none'),
    )
    .addOption(
      new Option('--burn', 'the same as --open-limit 1, which is the default').conflicts('openLimit'),
    )
    .option('--notify', 'tell me when it is opened', false)
    .addOption(passwordPrompt())
    .option(
      '--password-stdin',
      `take the first line of standard input, or the second behind the title, as the password: 1 to ${bounds.passwordMaxBytes} bytes`,
      false,
    )
    .option(
      '--sealed',
      'encrypt text and files here; the key is in the link alone, and the service cannot read them',
      false,
    )
    .option('--copy', 'put the link on the clipboard too, with wl-copy, xclip, xsel or pbcopy', false)
    .option('--qr', 'draw the link as a QR code on standard error', false)
    .hook('preAction', requireLabel)
    .action(remoteCommand<ShareOptions>(cli, share))
}

function requireLabel(command: Command): void {
  const { label, labelStdin } = command.opts<ShareOptions>()
  if (label !== undefined || labelStdin) return
  const message = "error: required option '--label <title>' or '--label-stdin' not specified"
  command.error(message, { code: 'commander.missingMandatoryOptionValue' })
}

async function share(
  context: RemoteContext,
  options: ShareOptions,
  file: string | undefined,
): Promise<Result<void, CliError>> {
  const isUsable = checkStdout(context.stdout)
  if (isUsable.isErr()) return err(isUsable.error)
  const client = clientOf(context)
  if (client.isErr()) return err(client.error)
  // The files are checked first, so that nobody types a text or a password for a command that then fails.
  const files = await attachedFiles(context.cwd, options.file)
  if (files.isErr()) return err(files.error)
  const folderId = await findFolder(client.value, options.folder)
  if (folderId.isErr()) return err(folderId.error)
  const input = await readInput(context, options, file)
  if (input.isErr()) return err(input.error)
  const secret = await created(client.value, {
    ...input.value,
    folderId: folderId.value,
    openLimit: options.openLimit ?? defaultOpenLimit,
    notify: options.notify,
    files: files.value,
    sealed: options.sealed,
  })
  return secret.isErr()
    ? err({ ...secret.error, paths: options.file })
    : handOver(context, options, secret.value)
}

function created(client: Client, secret: NewSecret & { files: readonly File[] }) {
  // The key lets the client send the request again when the answer was lost, without creating a second secret.
  const idempotencyKey = randomUUID()
  return called(
    secret.files.length === 0 ? 'share' : 'share_with_files',
    (signal) => client.createSecret(secret, { signal, idempotencyKey }),
    transferSeconds(secret.files),
  )
}

/** How often the link opens, 0 for without limit, and until when. `expiresAt` is as the API writes it: UTC. */
export function reachText(openLimit: number, expiresAt: string): string {
  const until = `until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC`
  if (openLimit === 0) return `the link opens any number of times ${until}`
  return `the link opens ${openLimit === 1 ? 'once' : `${openLimit} times`}, ${until}`
}

/** The link is printed first: whatever fails then, it is not lost. */
async function handOver(
  { output, stderr, env, inform }: RemoteContext,
  { copy, qr, openLimit = defaultOpenLimit }: ShareOptions,
  secret: Secret,
): Promise<Result<void, CliError>> {
  const { url } = secret.link
  const answered = await output.answer({ text: url, json: toWireShared(secret) })
  if (answered.isErr()) return err(answered.error)
  inform(reachText(openLimit, secret.expiresAt))
  if (qr) stderr.write(drawnQrCode(url))
  const copied = copy ? await copyText(url, env) : 'copied'
  return copied === 'copied' ? ok() : err({ code: 'link_not_copied', reason: copied })
}

async function readInput(
  context: RemoteContext,
  options: ShareOptions,
  file: string | undefined,
): Promise<Result<Given, CliError>> {
  const input = await readParts(context, options, file)
  if (input.isErr()) return err(input.error)
  const { note } = input.value
  const lines = [...input.value.lines]
  const label = options.labelStdin ? (lines.shift() ?? '') : (options.label ?? '')
  const [password] = lines
  if (!options.passwordPrompt) return ok({ label, password, note })
  const typed = await askTwice(context)
  return typed.map((text) => ({ label, password: text, note }))
}

async function askTwice({ prompt }: RemoteContext): Promise<Result<string, CliError>> {
  const password = await prompt('Password: ')
  if (password.isErr()) return err(password.error)
  const again = await prompt('The same again: ')
  if (again.isErr()) return err(again.error)
  return again.value === password.value ? ok(password.value) : err({ code: 'passwords_differ' })
}

/** The text, and the lines of standard input that `options` ask for. */
async function readParts(
  { stdin, stderr, cwd }: RemoteContext,
  { labelStdin, passwordStdin, file: sent }: ShareOptions,
  file: string | undefined,
): Promise<Result<ConfidentialInput, CliError>> {
  const count = Number(labelStdin) + Number(passwordStdin)
  // Nobody is asked for a text on a terminal where a file may say it all.
  const isFileAlone = stdin.isTTY === true && sent.length > 0 && file === undefined
  if (file !== undefined && file !== '-') {
    const note = await readNoteFile(cwd, file)
    if (note.isErr()) return err(note.error)
    return (await readLines(stdin, count)).map((lines) => ({ lines, note: note.value }))
  }
  const asked = [
    ...(labelStdin ? ['the title'] : []),
    ...(passwordStdin ? ['the password'] : []),
    ...(isFileAlone ? [] : ['the text']),
  ]
  if (stdin.isTTY === true && asked.length > 0) {
    const end = isFileAlone ? '' : '; end with Ctrl-D on a new line'
    stderr.write(`Type ${asked.join(' on a line of its own, then ')}${end}. What you type is visible.\n`)
  }
  if (isFileAlone) return (await readLines(stdin, count)).map((lines) => ({ lines, note: '' }))
  return readConfidentialInput(stdin, { lines: count, noteMaxBytes })
}

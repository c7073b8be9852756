import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Client, Secret } from '@sotto/client'
import { bounds } from '@sotto/core'
import { systemErrorCode } from '@sotto/system'
import { toWireShared } from '@sotto/wire'
import { Option, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import encodeQr from 'qr'
import { addCommand, labelRule, type Cli } from '../command.ts'
import { readConfidentialInput, type ConfidentialInput } from '../confidential-input.ts'
import { countOption } from '../draft.ts'
import type { CliError } from '../errors.ts'
import { copyText } from './clipboard.ts'
import { readFirstLine } from './first-line.ts'
import { findFolder } from './folders.ts'
import { passwordPrompt } from './open.ts'
import { called, clientOf, remoteCommand, type RemoteContext } from './remote-command.ts'

interface ShareOptions {
  readonly folder?: string
  readonly label: string
  readonly openLimit?: number
  readonly burn?: boolean
  readonly notify: boolean
  readonly passwordPrompt: boolean
  readonly passwordStdin: boolean
  readonly copy: boolean
  readonly qr: boolean
}

/** The longest note that any service takes: the most that SOTTO_NOTE_MAX_BYTES can be. */
const noteMaxBytes = 1_048_576

/** `sotto share` */
export function addShareCommand(program: Command, cli: Cli): void {
  addCommand(program, 'share [file]', {
    description:
      'Creates a secret on the service that sotto login or SOTTO_URL and SOTTO_TOKEN name, and prints its link. The note is the file, or ' +
      'else standard input, including the last line break. With --password-stdin the first line of standard input is the password.',
    examples: [
      '$ printf "4711#" | sotto share --label "Front door" --burn',
      '$ sotto share --label "TLS key" --folder Servers --password-prompt --qr tls.key',
    ].join('\n'),
  })
    .summary('sends a note over HTTP and prints its link')
    .option('--folder <label-or-id>', 'a folder of the account (default: the only one)')
    .requiredOption('--label <label>', `the title: ${labelRule}`)
    .option(
      '--open-limit <n>',
      `how often the link can be opened, up to ${bounds.openLimitMax} (default: 0, without limit)`,
      countOption,
    )
    .addOption(new Option('--burn', 'the same as --open-limit 1').conflicts('openLimit'))
    .option('--notify', 'set the flag that asks to be told of opens', false)
    .addOption(passwordPrompt())
    .option(
      '--password-stdin',
      `take the first line of standard input as the password: 1 to ${bounds.passwordMaxBytes} bytes`,
      false,
    )
    .option('--copy', 'put the link on the clipboard too, with wl-copy, xclip, xsel or pbcopy', false)
    .option('--qr', 'draw the link as a QR code on standard error', false)
    .action(remoteCommand<ShareOptions>(cli, share))
}

async function share(
  context: RemoteContext,
  options: ShareOptions,
  file: string | undefined,
): Promise<Result<void, CliError>> {
  const client = clientOf(context)
  if (client.isErr()) return err(client.error)
  // Before the note is read or a password asked for: either could be in vain.
  const folderId = await findFolder(client.value, options.folder)
  if (folderId.isErr()) return err(folderId.error)
  const input = await readInput(context, options, file)
  if (input.isErr()) return err(input.error)
  const secret = await created(client.value, options, { ...input.value, folderId: folderId.value })
  return secret.isErr() ? err(secret.error) : handOver(context, options, secret.value)
}

function created(
  client: Client,
  { label, notify, burn = false, openLimit = burn ? 1 : 0 }: ShareOptions,
  given: ConfidentialInput & { readonly folderId: string },
) {
  // So that the client can send it again when the answer was lost, and there is one secret all the same.
  const idempotencyKey = randomUUID()
  return called('share', (signal) =>
    client.createSecret({ ...given, label, notify, openLimit }, { signal, idempotencyKey }),
  )
}

/** The link is printed first: whatever fails then, it is not lost. */
async function handOver(
  { output, stderr, env }: RemoteContext,
  { copy, qr }: ShareOptions,
  secret: Secret,
): Promise<Result<void, CliError>> {
  const { url } = secret.link
  const answered = await output.answer({ text: url, json: toWireShared(secret) })
  if (answered.isErr()) return err(answered.error)
  if (qr) stderr.write(encodeQr(url, 'term', { ecc: 'medium', border: 4 }))
  const copied = copy ? await copyText(url, env) : 'copied'
  return copied === 'copied' ? ok() : err({ code: 'link_not_copied', reason: copied })
}

async function readInput(
  context: RemoteContext,
  options: ShareOptions,
  file: string | undefined,
): Promise<Result<ConfidentialInput, CliError>> {
  const input = await readNote(context, options, file)
  if (input.isErr() || !options.passwordPrompt) return input
  const password = await context.prompt('Password for the link: ')
  if (password.isErr()) return err(password.error)
  const again = await context.prompt('The same again: ')
  if (again.isErr()) return err(again.error)
  if (again.value !== password.value) return err({ code: 'passwords_differ' })
  return ok({ note: input.value.note, password: password.value })
}

async function readNote(
  { stdin, stderr, cwd }: RemoteContext,
  { passwordStdin: withPassword }: ShareOptions,
  file: string | undefined,
): Promise<Result<ConfidentialInput, CliError>> {
  if (file !== undefined && file !== '-') {
    const note = await readNoteFile(resolve(cwd, file))
    if (note.isErr() || !withPassword) return note
    return (await readFirstLine(stdin)).map((password) => ({ ...note.value, password }))
  }
  if (stdin.isTTY) {
    const what = withPassword ? 'the password on a line of its own, then the note' : 'the note'
    stderr.write(`Type ${what}; end with Ctrl-D on a new line. What you type is visible.\n`)
  }
  return readConfidentialInput(stdin, { withPassword, noteMaxBytes })
}

async function readNoteFile(path: string): Promise<Result<ConfidentialInput, CliError>> {
  try {
    const input = await readConfidentialInput(createReadStream(path), { withPassword: false, noteMaxBytes })
    if (input.isOk()) return ok(input.value)
    const isText = input.error.code === 'input_too_long'
    return err({
      code: 'note_unreadable',
      detail: isText ? `longer than ${noteMaxBytes} bytes` : 'not UTF-8',
    })
  } catch (error) {
    return err({ code: 'note_unreadable', detail: systemErrorCode(error) ?? 'unknown error' })
  }
}

import { countOption, durationOption } from '../cli/option-values.ts'
import { answersAllowedMax } from '@sotto/core'
import { toWireClosed, toWireListedRequest, toWireNewRequest } from '@sotto/wire'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { idCommand, listCommand } from '../cli/account-command.ts'
import { addAccountCommand, isServed, labelRule, type AccountContext, type Cli } from '../cli/command.ts'
import { readConfidentialInput } from '../cli/confidential-input.ts'
import { timeCell, widths } from '../cli/output.ts'

/** `sotto request …` */
export function addRequestCommands(program: Command, cli: Cli): void {
  const request = program
    .command('request')
    .description('requests: links with which somebody without an account hands in a text')
  addCreate(request, cli)
  for (const add of commands) add(request, cli)
}

interface CreateOptions {
  readonly folder: string
  readonly title: string
  readonly answers?: number
  readonly expiresIn?: number
  readonly notify: boolean
  readonly files: boolean
}

function addCreate(request: Command, cli: Cli): void {
  addAccountCommand<CreateOptions>(request, 'create', {
    description:
      'Asks for a text and prints the link with which it is handed in. Each answer becomes a draft in the folder. What to send is read ' +
      'from standard input, without its last line break; it may be empty.',
    examples: [
      '$ echo "The password of your router" | sotto request create --account ann@example.org \\',
      '    --folder 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071 --title "Router" --expires-in 1d --notify',
    ].join('\n'),
    cli,
    work: createRequest,
  })
    .requiredOption('--folder <id>', 'the id of a folder of the account (see: sotto folder list)')
    .requiredOption('--title <title>', `what is asked for: ${labelRule}`)
    .option(
      '--answers <n>',
      `how many answers it takes, up to ${answersAllowedMax} (default: 1)`,
      countOption,
    )
    .option(
      '--expires-in <duration>',
      'such as 1d or 12h, at most 30d: from then on nobody can answer it (default: 7d)',
      durationOption,
    )
    .option('--files', 'let an answer carry files, which count for the account', false)
    .option('--notify', 'tell the owner of each answer, or that there was none', false)
}

async function createRequest(
  { sotto, output, settings, stdin, stderr, accountId }: AccountContext,
  { folder: folderId, title, answers, expiresIn, notify, files }: CreateOptions,
) {
  if (!isServed(settings.linkBaseUrl)) return err({ code: 'link_base_unknown' } as const)
  if (stdin.isTTY) stderr.write('Type what to send; end with Ctrl-D on a new line.\n')
  const { noteMaxBytes } = settings.policy
  const input = await readConfidentialInput(stdin, { lines: 0, noteMaxBytes })
  if (input.isErr()) return err(input.error)
  const text = input.value.note.replace(/\r?\n$/, '')
  const bounds = { answersAllowed: answers, lifetimeSeconds: expiresIn, takesFiles: files }
  const fields = { title, text, folderId, ...bounds, notify }
  const created = await sotto.createRequest({ accountId, ...fields })
  if (created.isErr()) return err(created.error)
  const account = await sotto.getAccount({ accountId })
  if (account.isOk() && account.value.displayName === undefined) stderr.write(namelessText)
  const json = toWireNewRequest(created.value, settings.linkBaseUrl)
  return output.answer({ text: json.url, json })
}

/** A request without a name gives its recipient no reason to trust it. */
const namelessText =
  'The account has no display name, so the request does not say who asks. Its owner can choose one in the settings.\n'

const commands = [
  listCommand({
    usage: 'list',
    description:
      'Lists the requests of an account, newest first, until they close by themselves, with the answers so far. With --json also their links.',
    examples: '$ sotto request list --account ann@example.org',
    pages: ({ sotto, accountId }) => sotto.listRequests({ accountId }),
    columns: [
      { title: 'ID', width: widths.id, text: ({ id }) => id },
      {
        title: 'CLOSES',
        width: widths.time,
        text: ({ closedAtMicros, closesAtMicros }) =>
          closedAtMicros === undefined ? timeCell(closesAtMicros) : 'closed',
      },
      {
        title: 'ANSWERS',
        width: 10,
        text: ({ answers, answersAllowed }) => `${answers} of ${answersAllowed}`,
      },
      { title: 'TITLE', text: ({ title }) => title },
    ],
    hasLinks: true,
    json: toWireListedRequest,
  }),
  idCommand({
    usage: 'close <id>',
    description:
      'Closes a request: its link is dead. Its answers stay as drafts. For its id see: sotto request list',
    examples: '$ sotto request close --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    run: ({ sotto, accountId }, id) => sotto.closeRequest({ accountId, id }),
    done: 'is closed',
    json: toWireClosed,
  }),
]

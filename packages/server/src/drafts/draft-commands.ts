import { countOption } from '../cli/option-values.ts'
import { bounds, offeredLifetimesSeconds, pageLifetimeSeconds, proposedOpenLimit } from '@sotto/core'
import { fromWireOpenLimit, isoMicros, toWireDeleted, toWireDraft, toWireSecret } from '@sotto/wire'
import { InvalidArgumentError, type Command } from 'commander'
import { err } from 'neverthrow'
import { idCommand, listCommand } from '../cli/account-command.ts'
import { addAccountCommand, isServed, labelRule, type AccountContext, type Cli } from '../cli/command.ts'
import { readConfidentialInput } from '../cli/confidential-input.ts'
import { parseDuration } from '../cli/duration.ts'
import { reachText } from '../secrets/share-command.ts'
import { timeCell, widths } from '../cli/output.ts'

/** `sotto draft …` */
export function addDraftCommands(program: Command, cli: Cli): void {
  const draft = program.command('draft').description('drafts: secrets without a link, until they are shared')
  addCreate(draft, cli)
  addShare(draft, cli)
  for (const add of commands) add(draft, cli)
}

interface CreateOptions {
  readonly folder: string
  readonly label: string
  readonly openLimit?: number
  readonly notify: boolean
  readonly passwordStdin: boolean
}

function addCreate(draft: Command, cli: Cli): void {
  addAccountCommand<CreateOptions>(draft, 'create', {
    description:
      'Creates a draft and prints its id. The text is read from standard input, including its last line break. With ' +
      '--password-stdin the first line is the password, and the text follows.',
    examples: [
      '$ printf "4711#" | sotto draft create --account ann@example.org \\',
      '    --folder 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071 --label "Front door" --open-limit 1',
    ].join('\n'),
    cli,
    work: createDraft,
  })
    .requiredOption('--folder <id>', 'the id of a folder of the account (see: sotto folder list)')
    .requiredOption('--label <title>', `the title: ${labelRule}`)
    .option(
      '--open-limit <n>',
      `how often the link can be opened, up to ${bounds.openLimitMax} (default: 0, without limit)`,
      countOption,
    )
    .option('--notify', 'tell the owner when it is opened', false)
    .option(
      '--password-stdin',
      `take the first line of standard input as the password: 1 to ${bounds.passwordMaxBytes} bytes`,
      false,
    )
}

async function createDraft(
  { sotto, output, settings, stdin, stderr, accountId }: AccountContext,
  options: CreateOptions,
) {
  const { passwordStdin: withPassword, label, folder: folderId, notify } = options
  if (stdin.isTTY) {
    const what = withPassword ? 'the password on a line of its own, then the text' : 'the text'
    stderr.write(`Type ${what}; end with Ctrl-D on a new line. What you type is visible.\n`)
  }
  const { noteMaxBytes } = settings.policy
  const input = await readConfidentialInput(stdin, { lines: withPassword ? 1 : 0, noteMaxBytes })
  if (input.isErr()) return err(input.error)
  const { note, lines } = input.value
  const openLimit = fromWireOpenLimit(options.openLimit ?? 0)
  const saved = await sotto.saveDraft({
    note,
    password: lines[0],
    accountId,
    label,
    folderId,
    openLimit,
    notify,
  })
  if (saved.isErr()) return err(saved.error)
  return output.answer({ text: saved.value.id, json: toWireDraft(saved.value) })
}

function addShare(draft: Command, cli: Cli): void {
  addAccountCommand<ShareOptions>(draft, 'share <id>', {
    description:
      'Creates the link of a draft and prints it. The secret expires 30 days later, or earlier with --expires-in. An answer to a ' +
      'request can be opened once and expires after 7 days, unless the options or its own limit say otherwise.',
    examples:
      '$ sotto draft share --account ann@example.org --expires-in 7d 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: shareDraft,
  })
    .option(
      '--expires-in <duration>',
      'one of 1h, 1d, 7d and 30d (default: 30d, for an answer 7d)',
      lifetimeOption,
    )
    .option(
      '--open-limit <n>',
      `how often the link can be opened, up to ${bounds.openLimitMax}; 0: without limit (default: as the draft says)`,
      countOption,
    )
}

interface ShareOptions {
  readonly expiresIn?: number
  readonly openLimit?: number
}

async function shareDraft(
  { sotto, settings, output, stderr, accountId }: AccountContext,
  { expiresIn, openLimit: given }: ShareOptions,
  id = '',
) {
  if (!isServed(settings.linkBaseUrl)) return err({ code: 'link_base_unknown' } as const)
  const draft = await sotto.getDraft({ accountId, id })
  if (draft.isErr()) return err(draft.error)
  const { folderId, label, notify, version, answers } = draft.value
  const openLimit = given === undefined ? proposedOpenLimit(draft.value) : fromWireOpenLimit(given)
  if (openLimit !== draft.value.openLimit) {
    const fields = { folderId, label, notify, openLimit, content: undefined }
    const edited = await sotto.editDraft({ accountId, id, version, ...fields })
    if (edited.isErr()) return err(edited.error)
  }
  const lifetimeSeconds = expiresIn ?? (answers === undefined ? undefined : pageLifetimeSeconds)
  const shared = await sotto.shareDraft({ accountId, id, lifetimeSeconds })
  if (shared.isErr()) return err(shared.error)
  const json = toWireSecret(shared.value, settings.linkBaseUrl)
  if (answers !== undefined)
    stderr.write(`${reachText(openLimit ?? 0, isoMicros(shared.value.expiresAtMicros))}\n`)
  return output.answer({ text: json.link.url, json })
}

function lifetimeOption(text: string): number {
  const lifetime = parseDuration(text)
  if (lifetime === undefined || !offeredLifetimesSeconds.includes(lifetime))
    throw new InvalidArgumentError('must be 1h, 1d, 7d or 30d')
  return lifetime
}

const commands = [
  listCommand({
    usage: 'list',
    description: 'Lists the drafts of an account, oldest first, without their texts.',
    examples: '$ sotto draft list --account ann@example.org',
    pages: ({ sotto, accountId }) => sotto.listDrafts({ accountId }),
    columns: [
      { title: 'ID', width: widths.id, text: ({ id }) => id },
      { title: 'CREATED', width: widths.time, text: (draft) => timeCell(draft.createdAtMicros) },
      {
        title: 'OPENS',
        width: 7,
        text: ({ openLimit }) => (openLimit === undefined ? 'any' : String(openLimit)),
      },
      { title: 'PASSWORD', width: 8, text: ({ hasPassword }) => (hasPassword ? 'yes' : 'no') },
      { title: 'TITLE', text: ({ label }) => label },
    ],
    json: toWireDraft,
  }),
  idCommand({
    usage: 'delete <id>',
    description: 'Erases a draft with its text.',
    examples: '$ sotto draft delete --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    run: ({ sotto, accountId }, id) => sotto.deleteDraft({ accountId, id }),
    done: 'is deleted',
    json: toWireDeleted,
  }),
]

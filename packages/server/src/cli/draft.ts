import { deleteDraft, listDrafts, saveDraft, shareDraft, type Draft } from '@sotto/core'
import { toWireSecret } from '@sotto/http-fastify'
import { InvalidArgumentError, type Command } from 'commander'
import { err } from 'neverthrow'
import { addAccountCommand, type AccountContext, type Cli } from './command.ts'
import { readConfidedInput } from './confided-input.ts'
import { widths, type ListLayout } from './output.ts'
import { timeOrEmpty, timeOrNull } from './wire.ts'

/** `sotto draft …` */
export function addDraftCommands(program: Command, cli: Cli): void {
  const draft = program.command('draft').description('drafts: secrets without a link, until they are shared')
  addCreate(draft, cli)
  addShare(draft, cli)
  addList(draft, cli)
  addDelete(draft, cli)
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
      'Keeps a draft and prints its id. The note is read from standard input, its last line break included. With ' +
      '--password-stdin the first line is the password and the note follows.',
    examples: [
      '$ printf "4711#" | sotto draft create --account ann@example.org \\',
      '    --folder 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071 --label "Front door" --open-limit 1',
    ].join('\n'),
    cli,
    work: createDraft,
  })
    .requiredOption('--folder <id>', 'the id of one of its folders (see: sotto folder list)')
    .requiredOption('--label <label>', 'its title: 1 to 255 characters, none of them a control character')
    .option('--open-limit <n>', 'how often its link can be opened (default: 0, without limit)', countOption)
    .option('--notify', 'set the flag that a client may set when it creates a secret', false)
    .option('--password-stdin', 'take the first line of standard input as the password', false)
}

async function createDraft(
  { installation, output, settings, stdin, stderr, accountId }: AccountContext,
  options: CreateOptions,
) {
  const { passwordStdin: withPassword, label, folder: folderId, openLimit, notify } = options
  if (stdin.isTTY) {
    const what = withPassword ? 'the password on a line of its own, then the note' : 'the note'
    stderr.write(`Type ${what}; end with Ctrl-D on a new line. What you type is shown.\n`)
  }
  const input = await readConfidedInput(stdin, { withPassword, noteMaxBytes: settings.limits.noteMaxBytes })
  if (input.isErr()) return err(input.error)
  const secret = { ...input.value, accountId, label, folderId, openLimit, notify }
  const kept = await saveDraft(installation.ports, secret)
  if (kept.isErr()) return err(kept.error)
  return output.answer({ text: kept.value.id, json: toJson(kept.value) })
}

function addShare(draft: Command, cli: Cli): void {
  addAccountCommand(draft, 'share <id>', {
    description: 'Makes the link of a draft and prints it. From then on the secret lives for 30 days.',
    examples: '$ sotto draft share --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ installation, settings, output, accountId }, _options, id = '') => {
      // Nobody could open it: no server listens on port 0.
      if (new URL(settings.linkBaseUrl).port === '0') return err({ code: 'link_base_unknown' })
      const shared = await shareDraft(installation.ports, { accountId, id })
      if (shared.isErr()) return err(shared.error)
      const json = toWireSecret(shared.value, settings.linkBaseUrl)
      return output.answer({ text: json.link.url, json })
    },
  })
}

function addList(draft: Command, cli: Cli): void {
  addAccountCommand(draft, 'list', {
    description: 'Lists the drafts of an account, oldest first, without their notes.',
    examples: '$ sotto draft list --account ann@example.org',
    cli,
    work: ({ installation: { ports }, output, accountId }) =>
      output.list(listDrafts(ports, { accountId }), layout),
  })
}

function addDelete(draft: Command, cli: Cli): void {
  addAccountCommand(draft, 'delete <id>', {
    description: 'Erases a draft with its note.',
    examples: '$ sotto draft delete --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ installation: { ports }, output, accountId }, _options, id = '') => {
      const deleted = await deleteDraft(ports, { accountId, id })
      if (deleted.isErr()) return err(deleted.error)
      const draftId = id.toLowerCase()
      return output.answer({ text: `${draftId} is deleted`, json: { id: draftId, deleted: true } })
    },
  })
}

function countOption(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

const layout: ListLayout<Draft> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'FOLDER', width: widths.id, text: ({ folderId }) => folderId },
    { title: 'CREATED', width: widths.time, text: (draft) => timeOrEmpty(draft.createdAtMicros) },
    { title: 'OPENS', width: 7, text: ({ openLimit }) => (openLimit === 0 ? 'any' : String(openLimit)) },
    { title: 'PASSWORD', width: 8, text: ({ hasPassword }) => (hasPassword ? 'yes' : 'no') },
    { title: 'LABEL', width: 0, text: ({ label }) => label },
  ],
  json: toJson,
}

function toJson({ id, label, folderId, createdAtMicros, openLimit, notify, hasPassword }: Draft) {
  return {
    id,
    label,
    folder_id: folderId,
    created_at: timeOrNull(createdAtMicros),
    open_limit: openLimit,
    notify,
    has_password: hasPassword,
  }
}

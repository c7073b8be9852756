import {
  normalizeEmail,
  parseUuid,
  type CorruptedRow,
  type DroppedCorruptedRows,
  type DropRefusal,
  type Uuid,
} from '@sotto/core'
import { toWireCorruptedRow, toWireDroppedCorruptedRows } from '@sotto/wire'
import { InvalidArgumentError, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { corruptionText } from '../shared/text.ts'
import { addCommand, storeCommand, type Cli, type StoreContext } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import { onePage, whole, widths, type ListLayout } from '../cli/output.ts'

/** `sotto damage …` */
export function addCorruptionCommands(program: Command, cli: Cli): void {
  const corruption = program.command('damage').description('rows that do not decrypt')
  addList(corruption, cli)
  addDrop(corruption, cli)
}

function addList(corruption: Command, cli: Cli): void {
  addCommand(corruption, 'list', {
    description:
      'Authenticates everything that is encrypted, texts with passwords included, and lists the rows that do not decrypt. Reads ' +
      'the whole database and changes nothing. Lists leave such rows out.',
    examples: '$ sotto damage list',
  })
    .option('--account <email>', 'only rows of the account with this email')
    .action(
      storeCommand<{ account?: string }>(cli, async ({ sotto, output }, { account: email }) => {
        const account = email === undefined ? ok(undefined) : await sotto.findAccount({ email })
        if (account.isErr()) return err(account.error)
        const corrupted = sotto.findCorruptedRows({ accountId: account.value?.id })
        return output.list(onePage(corrupted.map(whole)), layout)
      }),
    )
}

const layout: ListLayout<CorruptedRow> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'KIND', width: 12, text: ({ kind }) => kind },
    {
      title: 'DAMAGED',
      text: ({ error }) => (error.code === 'data_damaged' ? error.what : `(key ${error.kid} is missing)`),
    },
  ],
  json: toWireCorruptedRow,
}

interface DropOptions {
  readonly email?: string
}

function addDrop(corruption: Command, cli: Cli): void {
  addCommand(corruption, 'drop', {
    description:
      'Gives up corrupted rows for good. Secrets, drafts, access tokens and passwords of accounts are erased; an owner without a ' +
      'password needs a one-time link (see: sotto account reset --help). A folder keeps its secrets and gets the ' +
      'title "(damaged label)". The name of an account is written again, from its email. A row that decrypts is refused: each ' +
      'is authenticated again right before. Look for a backup that has the rows first.',
    examples: '$ sotto damage drop --yes 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
  })
    .argument('<id...>', 'the ids of the rows (see: sotto damage list)', idArgument)
    .requiredOption('--yes', 'confirms that the rows are given up for good')
    .option('--email <email>', 'the email of the account whose name is corrupted')
    .action(storeCommand<DropOptions>(cli, drop))
}

async function drop(
  { sotto, storage, output, stderr }: StoreContext,
  { email }: DropOptions,
  ...ids: readonly string[]
): Promise<Result<void, CliError>> {
  const accountName =
    email === undefined ? undefined : { email: normalizeEmail(email), externalId: undefined }
  const done = await sotto.dropCorruptedRows({ ids, accountName })
  if (done.isErr()) return err(done.error)
  // Removes what was erased from the database's files. If another process is in the way, that process does it a little later.
  storage.erasure.finish()
  const answered = await output.answer({
    text: droppedText(done.value),
    json: toWireDroppedCorruptedRows(done.value),
  })
  const { dropped, refused } = done.value
  for (const { kind, accountId } of dropped) {
    if (kind === 'password') stderr.write(`sotto: ${passwordErasedText(accountId)}\n`)
  }
  for (const { id, reason } of refused) stderr.write(`sotto: ${id} ${refusalTexts[reason]}\n`)
  return answered.isOk() && refused.length > 0
    ? err({ code: 'drop_refused', rows: refused.length })
    : answered
}

function droppedText({ dropped }: DroppedCorruptedRows): string {
  if (dropped.length === 0) return 'Nothing was changed.'
  return dropped
    .map(
      ({ error, outcome }) =>
        `${corruptionText(error)}: ${outcome === 'erased' ? 'the row was erased' : 'the text was replaced'}.`,
    )
    .join('\n')
}

function passwordErasedText(accountId: Uuid): string {
  return `account ${accountId} has no password now: its owner needs a one-time link, which sotto account reset prints`
}

const refusalTexts: Readonly<Record<DropRefusal, string>> = {
  not_damaged: 'is not the id of a corrupted row',
  key_unknown: 'is not corrupted: the key file lacks its key, so put back a copy that holds it',
  name_missing: 'is an account, which is never dropped: name its email with --email, to write its name again',
  name_differs: 'is an account with another email than this one',
  row_changed: 'was changed by another process: run the command again',
}

function idArgument(text: string, before: readonly string[] = []): readonly string[] {
  const id = parseUuid(text)
  if (id === undefined) throw new InvalidArgumentError('must be the id of a row')
  return [...before, id]
}

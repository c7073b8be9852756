import type { Account } from '@sotto/core'
import { toWireAccount } from '@sotto/wire'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { addCommand, storeCommand, type Cli } from './command.ts'
import { timeCell, widths, type ListLayout } from './output.ts'

/** `sotto account …` */
export function addAccountCommands(program: Command, cli: Cli): void {
  const account = program
    .command('account')
    .description('accounts: the owners of folders, secrets and tokens')
  addCreate(account, cli)
  addList(account, cli)
  addDisable(account, cli)
}

function addCreate(account: Command, cli: Cli): void {
  addCommand(account, 'create', {
    description: 'Creates an account and prints its id.',
    examples: '$ sotto account create --email ann@example.org',
  })
    .requiredOption('--email <email>', 'the email of the new account')
    .action(
      storeCommand<{ email: string }>(cli, async ({ sotto, output }, { email }) => {
        const created = await sotto.createAccount({ email })
        if (created.isErr()) return err(created.error)
        return output.answer({ text: created.value.id, json: toWireAccount(created.value) })
      }),
    )
}

function addList(account: Command, cli: Cli): void {
  addCommand(account, 'list', {
    description: 'Lists the accounts, oldest first, including disabled ones.',
    examples: '$ sotto account list',
  }).action(storeCommand(cli, ({ sotto, output }) => output.list(sotto.listAccounts(), layout)))
}

function addDisable(account: Command, cli: Cli): void {
  addCommand(account, 'disable', {
    description:
      'Disables an account for good: from now on its access tokens are refused. Links that it has shared keep working.',
    examples: '$ sotto account disable --email ann@example.org',
  })
    .requiredOption('--email <email>', 'the email of the account')
    .action(
      storeCommand<{ email: string }>(cli, async ({ sotto, output }, { email }) => {
        const found = await sotto.findAccount({ email })
        if (found.isErr()) return err(found.error)
        const disabled = await sotto.disableAccount({ accountId: found.value.id })
        if (disabled.isErr()) return err(disabled.error)
        const after = await sotto.findAccount({ email })
        if (after.isErr()) return err(after.error)
        return output.answer({ text: `${after.value.id} is disabled`, json: toWireAccount(after.value) })
      }),
    )
}

const layout: ListLayout<Account> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'CREATED', width: widths.time, text: (account) => timeCell(account.createdAtMicros) },
    { title: 'DISABLED', width: widths.time, text: (account) => timeCell(account.disabledAtMicros) },
    { title: 'EMAIL', width: 0, text: nameOf },
  ],
  json: toWireAccount,
}

/** The email, or for an account of an embedding application the application's id in parentheses. */
function nameOf({ email, externalId }: Account): string {
  return email ?? `(${externalId ?? ''})`
}

import { createAccount, disableAccount, findAccount, listAccounts, type Account } from '@sotto/core'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { addCommand, storeCommand, type Cli } from './command.ts'
import { widths, type ListLayout } from './output.ts'
import { timeOrEmpty, timeOrNull } from './wire.ts'

/** `sotto account …` */
export function addAccountCommands(program: Command, cli: Cli): void {
  const account = program.command('account').description('accounts: who owns folders, secrets and tokens')
  addCommand(account, 'create', {
    description: 'Adds an account and prints its id.',
    examples: '$ sotto account create --email ann@example.org',
  })
    .requiredOption('--email <email>', 'the email of the new account')
    .action(
      storeCommand<{ email: string }>(cli, async ({ installation, output }, { email }) => {
        const created = await createAccount(installation.ports, { email })
        if (created.isErr()) return err(created.error)
        return output.answer({ text: created.value.id, json: toJson(created.value) })
      }),
    )
  addCommand(account, 'list', {
    description: 'Lists the accounts, oldest first, disabled ones included.',
    examples: '$ sotto account list',
  }).action(
    storeCommand(cli, ({ installation, output }) => output.list(listAccounts(installation.ports), layout)),
  )
  addCommand(account, 'disable', {
    description:
      'Disables an account for good: its tokens are refused from now on. Links that were handed out stay.',
    examples: '$ sotto account disable --email ann@example.org',
  })
    .requiredOption('--email <email>', 'the email of the account')
    .action(
      storeCommand<{ email: string }>(cli, async ({ installation: { ports }, output }, { email }) => {
        const found = await findAccount(ports, { email })
        if (found.isErr()) return err(found.error)
        const disabled = await disableAccount(ports, { accountId: found.value.id })
        if (disabled.isErr()) return err(disabled.error)
        const after = await findAccount(ports, { email })
        if (after.isErr()) return err(after.error)
        return output.answer({ text: `${after.value.id} is disabled`, json: toJson(after.value) })
      }),
    )
}

const layout: ListLayout<Account> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'CREATED', width: widths.time, text: (account) => timeOrEmpty(account.createdAtMicros) },
    { title: 'DISABLED', width: widths.time, text: (account) => timeOrEmpty(account.disabledAtMicros) },
    { title: 'EMAIL', width: 0, text: ({ email }) => email },
  ],
  json: toJson,
}

function toJson({ id, email, createdAtMicros, disabledAtMicros }: Account) {
  return {
    id,
    email,
    created_at: timeOrNull(createdAtMicros),
    disabled_at: timeOrNull(disabledAtMicros),
  }
}

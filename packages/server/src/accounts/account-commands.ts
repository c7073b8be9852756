import type { Account, ErrorOf, Pages } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import { sizeText } from '@sotto/system'
import { toWireAccount, toWireDeleted } from '@sotto/wire'
import type { Command } from 'commander'
import { err, ResultAsync } from 'neverthrow'
import { accountCommand } from '../cli/account-command.ts'
import { addCommand, groupNamed, storeCommand, type Cli } from '../cli/command.ts'
import { timeCell, widths, type ListLayout } from '../cli/output.ts'
import { printable } from '../shared/printable.ts'

/** `sotto account` itself, with `sotto account create`. */
export function addAccountGroup(program: Command, cli: Cli): void {
  const account = program
    .command('account')
    .description('accounts: the owners of folders, secrets and tokens')
  addCreate(account, cli)
}

/** The other commands about accounts. In the help those about one-time links stand before them. */
export function addAccountCommands(program: Command, cli: Cli): void {
  const account = groupNamed(program, 'account')
  addRename(account, cli)
  addList(account, cli)
  for (const add of commands) add(account, cli)
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

function addRename(account: Command, cli: Cli): void {
  addCommand(account, 'rename', {
    description:
      'Gives an account another email address, immediately and without asking the new one. The old address is told by mail, where there is a ' +
      'mail server. One-time links of the account end.',
    examples: '$ sotto account rename --email ann@example.org --to ann@example.net',
  })
    .requiredOption('--email <email>', 'the email of the account')
    .requiredOption('--to <email>', 'its new email')
    .action(
      storeCommand<{ email: string; to: string }>(cli, async ({ sotto, output, stderr }, { email, to }) => {
        const found = await sotto.findAccount({ email })
        if (found.isErr()) return err(found.error)
        const changed = await sotto.changeEmail({ accountId: found.value.id, email: to })
        if (changed.isErr()) return err(changed.error)
        const mailed = await changed.value.mailed
        if (mailed.isErr()) stderr.write(notToldText)
        const after = await sotto.findAccount({ email: to })
        if (after.isErr()) return err(after.error)
        const text = `${after.value.id} is now ${printable(after.value.email ?? '')}`
        return output.answer({ text, json: toWireAccount(after.value) })
      }),
    )
}

const notToldText = 'sotto: the old address could not be told by mail\n'

function addList(account: Command, cli: Cli): void {
  addCommand(account, 'list', {
    description:
      'Lists the accounts, oldest first, including disabled ones. Those that are held were made as SOTTO_OIDC_ALLOW says; see: sotto account ' +
      'release',
    examples: '$ sotto account list',
  }).action(storeCommand(cli, ({ sotto, output }) => output.list(withFiles(sotto), layout)))
}

const commands = [
  accountCommand({
    usage: 'disable',
    description:
      'Disables an account for good: from now on its access tokens are refused, its sessions are over, and nobody can sign in to it. Links ' +
      'that it has shared keep working.',
    examples: '$ sotto account disable --email ann@example.org',
    accountOption: 'email',
    run: ({ sotto, accountId }, _id, { email }: { readonly email: string }) =>
      sotto.disableAccount({ accountId }).andThen(() => sotto.findAccount({ email })),
    answer: (account) => ({ text: `${account.id} is disabled`, json: toWireAccount(account) }),
  }),
  accountCommand({
    usage: 'release',
    description:
      'Makes an account that was made for an identity, as SOTTO_OIDC_ALLOW says, an ordinary one. Until then its owner has to be allowed at ' +
      'every sign-in, and signs in at the identity provider only. Afterwards passwords and passkeys sign in to it, too, and whom its ' +
      'identities belong to need not be allowed any more.',
    examples: '$ sotto account release --email ann@example.org',
    accountOption: 'email',
    run: ({ sotto, accountId, account }) =>
      sotto.releaseAccount({ accountId }).map(() => ({ ...account, isHeld: false })),
    answer: (account) => ({ text: `${account.id} is an ordinary account`, json: toWireAccount(account) }),
  }),
  accountCommand({
    usage: 'delete',
    description:
      'Erases an account with everything that belongs to it: folders, drafts, secrets and their links, access tokens, sessions. Nothing ' +
      'brings it back but a backup.',
    examples: '$ sotto account delete --email ann@example.org --yes',
    accountOption: 'email',
    options: (command) => command.requiredOption('--yes', 'confirms that everything is to be erased'),
    run: ({ sotto, accountId }) => sotto.deleteAccount({ accountId }).map(() => accountId),
    answer: (id) => ({ text: `${id} is deleted`, json: toWireDeleted(id) }),
  }),
]

interface ListedAccount extends Account {
  readonly filesBytes: number
}

/** The accounts with what their files count. */
async function* withFiles(
  sotto: Pick<FullSotto, 'listAccounts' | 'fileUsage'>,
): Pages<ListedAccount, ErrorOf<FullSotto['listAccounts' | 'fileUsage']>> {
  for await (const page of sotto.listAccounts()) {
    if (page.isErr()) return yield err(page.error)
    const usages = await ResultAsync.combine(
      page.value.items.map((account) =>
        sotto
          .fileUsage({ accountId: account.id })
          .map(({ usedBytes }): ListedAccount => ({ ...account, filesBytes: usedBytes })),
      ),
    )
    yield usages.map((items) => ({ ...page.value, items }))
    if (usages.isErr()) return
  }
}

const layout: ListLayout<ListedAccount> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'CREATED', width: widths.time, text: (account) => timeCell(account.createdAtMicros) },
    { title: 'STATE', width: 8, text: stateCell },
    { title: 'FILES', width: 8, text: ({ filesBytes }) => (filesBytes === 0 ? '' : sizeText(filesBytes)) },
    { title: 'EMAIL', isWhole: true, text: nameOf },
  ],
  json: ({ filesBytes, ...account }) => ({ ...toWireAccount(account), files_bytes: filesBytes }),
}

function stateCell({ disabledAtMicros, isHeld }: Account): string {
  if (disabledAtMicros !== undefined) return 'disabled'
  return isHeld ? 'held' : ''
}

/** The email, or for an account of an embedding application the application's id in parentheses. */
function nameOf({ email, externalId }: Account): string {
  return email ?? `(${externalId ?? ''})`
}

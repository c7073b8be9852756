import type { Account, NewInvitation } from '@sotto/core'
import {
  toWireAccount,
  toWireDeleted,
  toWireMailedInvitation,
  toWireInvitation,
  invitationUrl,
} from '@sotto/wire'
import type { Command } from 'commander'
import { err, type Result } from 'neverthrow'
import { addCommand, isServed, storeCommand, type Cli, type StoreContext } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import { timeCell, widths, type ListLayout } from '../cli/output.ts'
import { printable } from '../shared/printable.ts'

/** `sotto account …` */
export function addAccountCommands(program: Command, cli: Cli): void {
  const account = program
    .command('account')
    .description('accounts: the owners of folders, secrets and tokens')
  addCreate(account, cli)
  addInvite(account, cli)
  addReset(account, cli)
  addRename(account, cli)
  addList(account, cli)
  addDisable(account, cli)
  addRelease(account, cli)
  addDelete(account, cli)
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

function addInvite(account: Command, cli: Cli): void {
  addCommand(account, 'invite', {
    description:
      'Prints a one-time link with which somebody chooses a password and signs in. Makes the account where it is missing. The link works ' +
      'for 72 hours, and a new one ends the older one. Where the account has a password already, using the link replaces it, ends all ' +
      'sessions, revokes all access tokens and removes all identities, passkeys and webhooks.',
    examples:
      '$ sotto account invite --email ann@example.org\n$ sotto account invite --email ann@example.org --mail',
  })
    .requiredOption('--email <email>', 'the email of the account, new or not')
    .option(...mailOption)
    .action(storeCommand(cli, invitationWork('inviteAccount')))
}

function addReset(account: Command, cli: Cli): void {
  addCommand(account, 'reset', {
    description:
      'Prints a one-time link with which the owner of an account chooses a new password. The link works for 1 hour, and a new one ends ' +
      'the older one. Using it ends all sessions of the account, removes its identities, passkeys and webhooks, and keeps its access ' +
      'tokens; until then the old password works.',
    examples:
      '$ sotto account reset --email ann@example.org\n$ sotto account reset --email ann@example.org --mail',
  })
    .requiredOption('--email <email>', 'the email of the account')
    .option(...mailOption)
    .action(storeCommand(cli, invitationWork('resetAccount')))
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

const mailOption = ['--mail', 'mail the link to that address instead of printing it'] as const

interface InvitationOptions {
  readonly email: string
  readonly mail?: boolean
}

/** The work of the commands that make a one-time link. */
function invitationWork(useCase: 'inviteAccount' | 'resetAccount') {
  return async (
    context: StoreContext,
    { email, mail = false }: InvitationOptions,
  ): Promise<Result<void, CliError>> => {
    const { sotto, settings, ports, output, stderr } = context
    if (!isServed(settings.baseUrl)) return err({ code: 'base_unknown' })
    // A new link ends the older one, so none is made that cannot be mailed.
    if (mail && ports.mailSender === undefined) return err({ code: 'mail_unavailable' })
    const made: Result<NewInvitation, CliError> = await sotto[useCase]({ email })
    if (made.isErr()) return err(made.error)
    if (useCase === 'inviteAccount' && made.value.replacesPassword) stderr.write(replacesPasswordText)
    if (made.value.account.isHeld) stderr.write(heldText)
    if (made.value.removedWebhookHosts.length > 0) stderr.write(removesWebhooksText(made.value))
    if (mail) return mailInvitation(context, made.value)
    const json = toWireInvitation(made.value, settings.baseUrl)
    return output.answer({ text: json.url, json })
  }
}

/** Whoever has the link can sign in, so it is not printed. */
async function mailInvitation(
  { sotto, settings, output }: StoreContext,
  { token, ...invitation }: NewInvitation,
): Promise<Result<void, CliError>> {
  const { account, kind, expiresAtMicros } = invitation
  const url = invitationUrl(settings.baseUrl, token)
  const mailed = await sotto.mailInvitation({ accountId: account.id, invitation: kind, url, expiresAtMicros })
  if (mailed.isErr()) {
    const { error } = mailed
    if (error.code === 'too_many_mails')
      return err({ code: 'welcome_not_mailed', reason: 'ten mails to the address in an hour' })
    return err(error.code === 'send_failed' ? { code: 'welcome_not_mailed', reason: error.reason } : error)
  }
  const text = `the one-time link was mailed to ${printable(account.email ?? '')}`
  return output.answer({ text, json: toWireMailedInvitation(invitation) })
}

/**
 * The text for an invitation that replaces a password: it must not bring somebody new an account that another person uses under the same
 * email.
 */
const replacesPasswordText =
  'sotto: this account has a password already. The link replaces it, ends all sessions and revokes all access tokens of the account, and ' +
  'gives its secrets to whoever opens it\n'

/** The text for a held account: the link would seem to bring back somebody who may not sign in any more. */
const heldText =
  'sotto: this account was made for an identity that SOTTO_OIDC_ALLOW allowed. The link signs in once, and its password does not afterwards: ' +
  'sotto account release makes it an ordinary account\n'

/** The text about webhooks that are removed: whoever had the account may have added them. */
function removesWebhooksText({ removedWebhookHosts: hosts }: NewInvitation): string {
  return `sotto: using the link removes the webhooks of this account, to ${hosts.map(printable).join(', ')}\n`
}

function addList(account: Command, cli: Cli): void {
  addCommand(account, 'list', {
    description:
      'Lists the accounts, oldest first, including disabled ones. Those that are held were made as SOTTO_OIDC_ALLOW says; see: sotto account ' +
      'release',
    examples: '$ sotto account list',
  }).action(storeCommand(cli, ({ sotto, output }) => output.list(sotto.listAccounts(), layout)))
}

function addDisable(account: Command, cli: Cli): void {
  addCommand(account, 'disable', {
    description:
      'Disables an account for good: from now on its access tokens are refused, its sessions are over, and nobody can sign in to it. Links ' +
      'that it has shared keep working.',
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

function addRelease(account: Command, cli: Cli): void {
  addCommand(account, 'release', {
    description:
      'Makes an account that was made for an identity, as SOTTO_OIDC_ALLOW says, an ordinary one. Until then its owner has to be allowed at ' +
      'every sign-in, and signs in at the identity provider only. Afterwards passwords and passkeys sign in to it, too, and whom its ' +
      'identities belong to need not be allowed any more.',
    examples: '$ sotto account release --email ann@example.org',
  })
    .requiredOption('--email <email>', 'the email of the account')
    .action(
      storeCommand<{ email: string }>(cli, async ({ sotto, output }, { email }) => {
        const found = await sotto.findAccount({ email })
        if (found.isErr()) return err(found.error)
        const { id } = found.value
        const released = await sotto.releaseAccount({ accountId: id })
        if (released.isErr()) return err(released.error)
        const json = toWireAccount({ ...found.value, isHeld: false })
        return output.answer({ text: `${id} is an ordinary account`, json })
      }),
    )
}

function addDelete(account: Command, cli: Cli): void {
  addCommand(account, 'delete', {
    description:
      'Erases an account with everything that belongs to it: folders, drafts, secrets and their links, access tokens, sessions. Nothing ' +
      'brings it back but a backup.',
    examples: '$ sotto account delete --email ann@example.org --yes',
  })
    .requiredOption('--email <email>', 'the email of the account')
    .requiredOption('--yes', 'confirms that everything is to be erased')
    .action(
      storeCommand<{ email: string }>(cli, async ({ sotto, output }, { email }) => {
        const found = await sotto.findAccount({ email })
        if (found.isErr()) return err(found.error)
        const { id } = found.value
        const deleted = await sotto.deleteAccount({ accountId: id })
        if (deleted.isErr()) return err(deleted.error)
        return output.answer({ text: `${id} is deleted`, json: toWireDeleted(id) })
      }),
    )
}

const layout: ListLayout<Account> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'CREATED', width: widths.time, text: (account) => timeCell(account.createdAtMicros) },
    { title: 'DISABLED', width: widths.time, text: (account) => timeCell(account.disabledAtMicros) },
    { title: 'HELD', width: 4, text: ({ isHeld }) => (isHeld ? 'yes' : 'no') },
    { title: 'EMAIL', width: 0, text: nameOf },
  ],
  json: toWireAccount,
}

/** The email, or for an account of an embedding application the application's id in parentheses. */
function nameOf({ email, externalId }: Account): string {
  return email ?? `(${externalId ?? ''})`
}

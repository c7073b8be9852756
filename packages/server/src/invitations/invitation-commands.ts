import type { NewInvitation } from '@sotto/identity'
import { invitationUrl, toWireInvitation, toWireMailedInvitation } from '@sotto/wire/identity'
import type { Command } from 'commander'
import { err, type Result } from 'neverthrow'
import {
  addCommand,
  groupNamed,
  isServed,
  storeCommand,
  type Cli,
  type StoreContext,
} from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import { printable } from '../shared/printable.ts'

/** `sotto account invite` and `sotto account reset`. */
export function addInvitationCommands(program: Command, cli: Cli): void {
  const account = groupNamed(program, 'account')
  addInvite(account, cli)
  addReset(account, cli)
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

import { toWireDisconnected, toWireIdentity } from '@sotto/wire/identity'
import { idCommand, listCommand, type AddCommand } from '../cli/account-command.ts'
import { groupNamed } from '../cli/command.ts'
import { onePage, timeCell, widths } from '../cli/output.ts'

/** `sotto account identities` and `sotto account disconnect`. */
export const addIdentityCommands: AddCommand = (program, cli) => {
  const account = groupNamed(program, 'account')
  for (const add of commands) add(account, cli)
}

const commands = [
  listCommand({
    usage: 'identities',
    description:
      'Lists the identities with which the owner of an account signs in at the identity provider, oldest first. Each came to the account ' +
      'because its owner connected it (connected), with a one-time link (invited), or because the account was made for it, as ' +
      'SOTTO_OIDC_ALLOW says (allowed).',
    examples: '$ sotto account identities --account ann@example.org',
    pages: ({ sotto, accountId }) => onePage(sotto.listIdentities({ accountId })),
    columns: [
      { title: 'ID', width: widths.id, text: ({ id }) => id },
      { title: 'LAST USED', width: widths.time, text: (identity) => timeCell(identity.lastUsedAtMicros) },
      { title: 'ORIGIN', width: 9, text: ({ origin }) => origin },
      { title: 'ISSUER', text: ({ issuer }) => issuer },
    ],
    json: toWireIdentity,
  }),
  idCommand({
    usage: 'disconnect <id>',
    description:
      'Takes an identity from an account, and ends the sessions that were begun with it. An owner who has no other way to sign in needs a ' +
      'one-time link then: sotto account reset. For its id see: sotto account identities',
    examples: '$ sotto account disconnect --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    run: ({ sotto, accountId }, id) => sotto.removeIdentity({ accountId, id }),
    done: 'is disconnected',
    json: toWireDisconnected,
  }),
]

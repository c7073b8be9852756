import type { Identity } from '@sotto/identity'
import { toWireDisconnected, toWireIdentity } from '@sotto/wire/identity'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { addAccountCommand, groupNamed, type Cli } from '../cli/command.ts'
import { onePage, timeCell, widths, type ListLayout } from '../cli/output.ts'

/** `sotto account identities` and `sotto account disconnect`. */
export function addIdentityCommands(program: Command, cli: Cli): void {
  const account = groupNamed(program, 'account')
  addAccountCommand(account, 'identities', {
    description:
      'Lists the identities with which the owner of an account signs in at the identity provider, oldest first. Each came to the account ' +
      'because its owner connected it (connected), with a one-time link (invited), or because the account was made for it, as ' +
      'SOTTO_OIDC_ALLOW says (allowed).',
    examples: '$ sotto account identities --account ann@example.org',
    cli,
    work: async ({ sotto, output, accountId }) => {
      const listed = await sotto.listIdentities({ accountId })
      if (listed.isErr()) return err(listed.error)
      return output.list(onePage(listed.value.items, listed.value.corrupted), layout)
    },
  })
  addAccountCommand(account, 'disconnect <id>', {
    description:
      'Takes an identity from an account, and ends the sessions that were begun with it. An owner who has no other way to sign in needs a ' +
      'one-time link then: sotto account reset. For its id see: sotto account identities',
    examples: '$ sotto account disconnect --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ sotto, output, accountId }, _options, id = '') => {
      const removed = await sotto.removeIdentity({ accountId, id })
      if (removed.isErr()) return err(removed.error)
      const identityId = id.toLowerCase()
      return output.answer({ text: `${identityId} is disconnected`, json: toWireDisconnected(identityId) })
    },
  })
}

const layout: ListLayout<Identity> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'LAST USED', width: widths.time, text: (identity) => timeCell(identity.lastUsedAtMicros) },
    { title: 'ORIGIN', width: 9, text: ({ origin }) => origin },
    { title: 'ISSUER', text: ({ issuer }) => issuer },
  ],
  json: toWireIdentity,
}

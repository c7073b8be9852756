import type { SecretOverview } from '@sotto/core'
import { toWireDestroyed, toWireSecretOverview } from '@sotto/wire'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { addAccountCommand, isServed, type Cli } from '../cli/command.ts'
import { timeCell, widths, type ListLayout } from '../cli/output.ts'

/** `sotto secret …` */
export function addSecretCommands(program: Command, cli: Cli): void {
  const secret = program.command('secret').description('shared secrets: what recipients open by a link')
  addList(secret, cli)
  addUnlock(secret, cli)
  addDestroy(secret, cli)
}

function addList(secret: Command, cli: Cli): void {
  addAccountCommand(secret, 'list', {
    description:
      'Lists the shared secrets of an account, the newest link first, with the opens so far and the locks by wrong passwords. With --json ' +
      'also their links, and when each was opened.',
    examples: '$ sotto secret list --account ann@example.org',
    cli,
    work: async ({ sotto, settings, output, accountId }) => {
      const { linkBaseUrl } = settings
      if (!isServed(linkBaseUrl)) return err({ code: 'link_base_unknown' })
      return output.list(sotto.browseSecrets({ accountId }), layoutOf(linkBaseUrl))
    },
  })
}

function addUnlock(secret: Command, cli: Cli): void {
  addAccountCommand(secret, 'unlock <id>', {
    description:
      'Ends the lock that wrong passwords have put on the link of a shared secret. Five more within ten minutes lock it again, and a hundred ' +
      'in all disable it for good. For its id see: sotto secret list',
    examples: '$ sotto secret unlock --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ sotto, output, accountId }, _options, id = '') => {
      const unlocked = await sotto.unlockSecret({ accountId, id })
      if (unlocked.isErr()) return err(unlocked.error)
      const { wasLocked } = unlocked.value
      const secretId = id.toLowerCase()
      const text = `${secretId} ${wasLocked ? 'is unlocked' : 'was not locked'}`
      return output.answer({ text, json: { id: secretId, was_locked: wasLocked } })
    },
  })
}

function addDestroy(secret: Command, cli: Cli): void {
  addAccountCommand(secret, 'destroy <id>', {
    description:
      'Destroys a shared secret: its link is dead, its text is erased, and no list shows it any more. For its id see: sotto secret list',
    examples: '$ sotto secret destroy --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ sotto, output, accountId }, _options, id = '') => {
      const destroyed = await sotto.destroySecret({ accountId, id })
      if (destroyed.isErr()) return err(destroyed.error)
      const { id: secretId } = destroyed.value
      return output.answer({ text: `${secretId} is destroyed`, json: toWireDestroyed(secretId) })
    },
  })
}

function layoutOf(linkBaseUrl: string): ListLayout<SecretOverview> {
  return {
    columns: [
      { title: 'ID', width: widths.id, text: ({ id }) => id },
      { title: 'EXPIRES', width: widths.time, text: (secret) => timeCell(secret.expiresAtMicros) },
      { title: 'OPENS', width: 8, text: ({ opens, openLimit }) => `${opens} of ${openLimit ?? 'any'}` },
      { title: 'LOCKED', width: 8, text: lockCell },
      { title: 'TITLE', text: ({ label }) => label },
    ],
    json: (secret) => toWireSecretOverview(secret, linkBaseUrl),
  }
}

/** The time of day until which wrong passwords lock the link: half an hour at most. */
function lockCell({ isDisabled, lockedUntilMicros }: SecretOverview): string {
  return isDisabled ? 'for good' : timeCell(lockedUntilMicros).slice(11)
}

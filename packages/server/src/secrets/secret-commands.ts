import type { SecretOverview } from '@sotto/core'
import { toWireDestroyed, toWireSecretOverview } from '@sotto/wire'
import { accountCommand, commandGroup, idCommand, listCommand } from '../cli/account-command.ts'
import { timeCell, widths } from '../cli/output.ts'

/** `sotto secret …` */
export const addSecretCommands = commandGroup('secret', 'shared secrets: what recipients open by a link', [
  listCommand({
    usage: 'list',
    description:
      'Lists the shared secrets of an account, the newest link first, with the opens so far and the locks by wrong passwords. With --json ' +
      'also their links, and when each was opened.',
    examples: '$ sotto secret list --account ann@example.org',
    pages: ({ sotto, accountId }) => sotto.browseSecrets({ accountId }),
    columns: [
      { title: 'ID', width: widths.id, text: ({ id }) => id },
      { title: 'EXPIRES', width: widths.time, text: (secret) => timeCell(secret.expiresAtMicros) },
      { title: 'OPENS', width: 8, text: ({ opens, openLimit }) => `${opens} of ${openLimit ?? 'any'}` },
      { title: 'LOCKED', width: 8, text: lockCell },
      { title: 'TITLE', text: ({ label }) => label },
    ],
    hasLinks: true,
    json: toWireSecretOverview,
  }),
  accountCommand({
    usage: 'unlock <id>',
    description:
      'Ends the lock that wrong passwords have put on the link of a shared secret. Five more within ten minutes lock it again, and a hundred ' +
      'in all disable it for good. For its id see: sotto secret list',
    examples: '$ sotto secret unlock --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    run: ({ sotto, accountId }, id) => sotto.unlockSecret({ accountId, id }),
    answer: ({ wasLocked }, id) => ({
      text: `${id} ${wasLocked ? 'is unlocked' : 'was not locked'}`,
      json: { id, was_locked: wasLocked },
    }),
  }),
  idCommand({
    usage: 'destroy <id>',
    description:
      'Destroys a shared secret: its link is dead, its text is erased, and no list shows it any more. For its id see: sotto secret list',
    examples: '$ sotto secret destroy --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    run: ({ sotto, accountId }, id) => sotto.destroySecret({ accountId, id }),
    done: 'is destroyed',
    json: toWireDestroyed,
  }),
])

/** The time of day until which wrong passwords lock the link: half an hour at most. */
function lockCell({ isDisabled, lockedUntilMicros }: SecretOverview): string {
  return isDisabled ? 'for good' : timeCell(lockedUntilMicros).slice(11)
}

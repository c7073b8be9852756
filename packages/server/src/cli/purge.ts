import { purgeExpired } from '@sotto/core'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { addCommand, storeCommand, type Cli } from './command.ts'

/** `sotto purge` */
export function addPurgeCommand(program: Command, cli: Cli): void {
  addCommand(program, 'purge', {
    description:
      'Erases secrets that expired ten minutes ago or earlier, which a running server does by itself every minute. A server ' +
      'that has stopped doing so, because it doubts the clock of this machine, begins again: check the clock first.',
    examples: '$ date && sotto purge',
  })
    .summary('expired secrets: erases them now')
    .action(
      storeCommand(cli, async ({ installation: { ports, upkeep }, output }) => {
        const purged = await purgeExpired(ports)
        if (purged.isErr()) return err(purged.error)
        const noted = await upkeep.noteSweep(ports.clock.nowMicros())
        if (noted.isErr()) return err(noted.error)
        const { secrets, quotaBuckets } = purged.value
        return output.answer({
          text: `${secrets} expired ${secrets === 1 ? 'secret was' : 'secrets were'} erased`,
          json: { secrets, quota_buckets: quotaBuckets },
        })
      }),
    )
}

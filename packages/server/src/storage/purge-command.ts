import { toWireSwept } from '@sotto/wire'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { counted } from '../shared/text.ts'
import { addCommand, storeCommand, type Cli } from '../cli/command.ts'

/** `sotto purge` */
export function addPurgeCommand(program: Command, cli: Cli): void {
  addCommand(program, 'purge', {
    description:
      'Erases secrets that expired ten minutes ago or earlier, and drops files that nobody can fetch any more. A running server does this every minute. A server that has ' +
      'suspended it, because it doubts the clock, resumes after this command: check the clock first.',
    examples: '$ date && sotto purge',
  })
    .summary('erases expired secrets now')
    .action(
      storeCommand(cli, async ({ sotto, storage, ports, output }) => {
        const swept = await sotto.sweepExpired()
        if (swept.isErr()) return err(swept.error)
        const files = await sotto.sweepFiles({ withOrphans: true })
        if (files.isErr()) return err(files.error)
        const recorded = await storage.upkeep.recordSweep(ports.clock.nowMicros())
        if (recorded.isErr()) return err(recorded.error)
        const { secrets } = swept.value
        const dropped = files.value.files + files.value.orphans
        const filesText = dropped === 0 ? '' : `, ${counted(dropped, 'file was', 'files were')} dropped`
        return output.answer({
          text: `${counted(secrets, 'expired secret was', 'expired secrets were')} erased${filesText}`,
          json: toWireSwept({ ...swept.value, files: dropped }),
        })
      }),
    )
}

import { toWireInitialized } from '@sotto/wire'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { openInstallation } from '../installation/installation.ts'
import { checkPlaces } from '../storage/check-places.ts'
import { addCommand, operatorWarnings, plainCommand, type Cli } from '../cli/command.ts'

/** `sotto init` */
export function addInitCommand(program: Command, cli: Cli): void {
  addCommand(program, 'init', {
    description:
      'Makes an installation without accounts, its database and its key file, and prints where they are. What is there already stays ' +
      'as it is. The first start of the server does the same, and makes an account besides.',
    examples: '$ sotto init && sotto account create --email ann@example.org',
  })
    .summary('makes the database and the key file')
    .action(
      plainCommand(cli, async (output, settings) => {
        const checked = checkPlaces(cli, settings)
        if (checked.isErr()) return err(checked.error)
        const opened = await openInstallation({ settings, ...operatorWarnings(cli) })
        if (opened.isErr()) return err(opened.error)
        const { location, close } = opened.value
        await close()
        const { dataDir, database, keysFile } = settings
        const place = database === undefined ? { dataDir } : { database: location }
        return output.answer({
          text: `The database is ${database === undefined ? 'in ' : ''}${location}\nThe key file is ${keysFile}`,
          json: toWireInitialized({ ...place, keysFile }),
        })
      }),
    )
}

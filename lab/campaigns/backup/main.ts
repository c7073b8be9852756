/**
 * Makes backups while another process writes, restores each and reads all of it. It must be the state of one point in time, with everything
 * that was acknowledged before. Backups and restores are killed with SIGKILL before they are made in full.
 *
 *     npm run campaign backup -- [--backups N]
 */
import { conclude, optionsFrom } from '../support/command.ts'
import { makePlace } from '../support/place.ts'
import { runRound } from './campaign.ts'
import { bundleCommands } from './commands.ts'
import { startWriter } from './writer.ts'

const { backups } = optionsFrom({ backups: 100 })
/** A fresh installation every few backups, because checking takes longer the more there is. */
const backupsEach = 5

const violations: string[] = []
let written = 0
const killed = { backups: 0, restores: 0 }
const commands = await bundleCommands()
for (let begun = 0; begun < backups; begun += backupsEach) {
  const place = makePlace()
  const writer = await startWriter(place)
  try {
    for (let number = begun; number < Math.min(backups, begun + backupsEach); number += 1) {
      const { errors, killedBackups, killedRestores } = await runRound({ place, writer, commands })
      if (errors.length > 0) violations.push(`backup ${number}: ${errors.join('; ')}`)
      killed.backups += killedBackups
      killed.restores += killedRestores
    }
    written += writer.acknowledged()
  } finally {
    await writer.stop()
    place.remove()
  }
}
commands.remove()
conclude(
  {
    backups,
    killedBackups: killed.backups,
    killedRestores: killed.restores,
    secretsAndDraftsWritten: written,
  },
  violations,
)

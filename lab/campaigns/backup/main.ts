/**
 * Makes backups while another process writes, restores each and reads all of it. It must be the state of one point in time, with everything
 * that was acknowledged before.
 *
 *     npm run campaign backup -- [--backups N]
 */
import { conclude, optionsFrom } from '../support/command.ts'
import { makePlace } from '../support/place.ts'
import { checkBackup, startWriter } from './check.ts'

const { backups } = optionsFrom({ backups: 200 })
/** A fresh installation every few backups, because checking takes longer the more there is. */
const backupsEach = 5

const violations: string[] = []
let written = 0
for (let begun = 0; begun < backups; begun += backupsEach) {
  const place = makePlace()
  const writer = await startWriter(place)
  try {
    for (let number = begun; number < Math.min(backups, begun + backupsEach); number += 1) {
      const errors = await checkBackup(place, writer)
      if (errors.length > 0) violations.push(`backup ${number}: ${errors.join('; ')}`)
    }
    written += writer.acknowledged()
  } finally {
    await writer.stop()
    place.remove()
  }
}
conclude({ backups, secretsAndDraftsWritten: written }, violations)

/**
 * Makes backups while another process writes, restores each and reads all of it: it must be the state of one point in time, with
 * everything that was acknowledged before. Exit code 1 if a backup is not.
 *
 *     npm run campaign:backup -- [BACKUPS]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBackup, startWriter } from '../support/busy-backups.ts'

const [count = 200] = process.argv.slice(2).map(Number)
/** A fresh installation every few backups, because checking takes longer the more there is. */
const backupsEach = 5

let sound = 0
let written = 0
for (let begun = 0; begun < count; begun += backupsEach) {
  const cwd = mkdtempSync(join(tmpdir(), 'sotto-backup-'))
  const writer = await startWriter(cwd)
  try {
    for (let number = begun; number < Math.min(count, begun + backupsEach); number += 1) {
      const errors = await checkBackup(cwd, writer, cwd)
      if (errors.length === 0) sound += 1
      else console.log(`backup ${number}: ${errors.join('; ')}`)
      if (process.stderr.isTTY) process.stderr.write(`\r${number + 1} of ${count}`)
    }
    written += writer.acknowledged()
  } finally {
    await writer.stop()
    rmSync(cwd, { recursive: true, force: true })
  }
}
console.log(
  `${count} backups while ${written} secrets and as many drafts were written: ${sound} restored and consistent`,
)
process.exitCode = sound === count ? 0 : 1

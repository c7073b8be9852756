/**
 * Makes backups while another process writes, restores each, and reads all of it: the state of one moment, nothing missing that was
 * acknowledged before. Ends with exit code 1 if one is not.
 *
 *     npm run campaign:backup -- [BACKUPS]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUpAndJudge, startWriter } from '../support/busy-backups.ts'

const [count = 200] = process.argv.slice(2).map(Number)
/** A fresh installation now and then, or judging takes longer and longer. */
const backupsEach = 5

let sound = 0
let written = 0
for (let begun = 0; begun < count; begun += backupsEach) {
  const cwd = mkdtempSync(join(tmpdir(), 'sotto-backup-'))
  const writer = await startWriter(cwd)
  try {
    for (let number = begun; number < Math.min(count, begun + backupsEach); number += 1) {
      const faults = await backUpAndJudge(cwd, writer, cwd)
      if (faults.length === 0) sound += 1
      else console.log(`backup ${number}: ${faults.join('; ')}`)
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

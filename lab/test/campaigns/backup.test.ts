import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkCopy, runRound } from '../../campaigns/backup/campaign.ts'
import { bundleCommands } from '../../campaigns/backup/commands.ts'
import { startWriter } from '../../campaigns/backup/writer.ts'
import { placeIn } from '../../campaigns/support/place.ts'

// Promise (Sealed at rest): A backup is the state of one point in time
t.test('a backup that is made while another process writes is the state of one point in time', async (t) => {
  const place = placeIn(t.testdir())
  const scratch = join(place.directory, 'scratch')
  mkdirSync(scratch)
  const [commands, writer] = await Promise.all([bundleCommands(), startWriter(place)])
  t.teardown(() => writer.stop())
  t.teardown(() => commands.remove())
  // A busy machine may be too late to kill one: then another one is made.
  let killed = 0
  for (let round = 0; round < 2 || (killed === 0 && round < 10); round += 1) {
    const before = writer.acknowledged()
    const share = round === 1 ? 0.9 : 0.4 / (round + 1)
    const { errors, killedBackups } = await runRound({ place, writer, commands, scratch }, () => share)
    t.strictSame(errors, [], `killed after ${share} of its time`)
    t.ok(writer.acknowledged() > before, 'the writer went on writing')
    killed += killedBackups
  }
  t.ok(killed > 0, 'a backup was killed')
  // The writer stops before the directory is removed, which happens before any teardown.
  await writer.stop()
})

t.test('a copy of the files that is made in the same way is not, and the check notices it', async (t) => {
  const place = placeIn(t.testdir())
  const writer = await startWriter(place)
  t.teardown(() => writer.stop())
  const missesOf = async (names: readonly string[], miss: RegExp): Promise<string> => {
    for (let tries = 0; tries < 20; tries += 1) {
      const missed = (await checkCopy({ place, writer }, names)).find((error) => miss.test(error))
      if (missed !== undefined) return missed
    }
    return ''
  }
  t.not(await missesOf(['sotto.sqlite', 'files'], /./), '', 'without the log')
  t.match(await missesOf(['sotto.sqlite', 'sotto.sqlite-wal'], /^the file of \d+$/), /file/, 'without files')
  await writer.stop()
})

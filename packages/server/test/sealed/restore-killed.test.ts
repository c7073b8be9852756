import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { spawnSotto } from '../cli/spawned.ts'
import { backUpInstallation } from '../../src/backups.ts'
import { pragmaIn } from './support/sqlite.ts'
import { addCast, addSecret, okOf, openIn, settingsIn } from './support/world.ts'

t.test('a restore that is killed leaves a whole database or none, and the next one clears up', async (t) => {
  const cwd = t.testdir()
  const installation = await openIn(cwd, { env: { SOTTO_NOTE_MAX_BYTES: '1048576' } })
  const cast = await addCast(installation)
  for (let large = 0; large < 8; large += 1)
    await addSecret(installation, cast, { note: 'x'.repeat(1_000_000) })
  await installation.close()
  const settings = settingsIn(cwd)
  await okOf(backUpInstallation({ settings, file: join(cwd, 'b') }))
  const database = join(settings.dataDir, 'sotto.sqlite')
  let cutOff = 0
  for (let kill = 0; kill < 3; kill += 1) {
    rmSync(settings.dataDir, { recursive: true, force: true })
    const restore = spawnSotto(t, ['restore', 'b'], { cwd })
    // Killed while it writes: some time after its first file is there.
    while (restore.child.exitCode === null && namesIn(settings.dataDir).length === 0) await pause(1)
    await pause(kill * 15)
    restore.child.kill('SIGKILL')
    await restore.ended
    if (existsSync(database)) {
      t.equal(pragmaIn(database, 'integrity_check'), 'ok')
      continue
    }
    cutOff += 1
    const again = spawnSotto(t, ['restore', 'b'], { cwd })
    t.equal(await again.ended, 0, again.stderr())
    t.strictSame(namesIn(settings.dataDir), ['sotto.sqlite'])
  }
  t.ok(cutOff > 0, `${cutOff} of 3 were cut off before they had ended`)
})

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}

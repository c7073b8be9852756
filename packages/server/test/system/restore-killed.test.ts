import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { backUpInstallation } from '../../src/storage/backups.ts'
import { addSecretWithFiles, storedContents } from '../support/files.ts'
import { addOwner, addSecret, openIn, settingsIn } from '../support/installation.ts'
import { pragmaIn } from '../support/raw-sqlite.ts'
import { spawnSotto } from '../support/spawned.ts'

t.test(
  'a restore that is killed leaves a complete database or none, and the next restore removes what it left',
  async (t) => {
    const cwd = t.testdir()
    const installation = await openIn(cwd, { env: { SOTTO_NOTE_MAX_BYTES: '1048576' } })
    const owner = await addOwner(installation)
    for (let large = 0; large < 8; large += 1)
      await addSecret(installation, owner, { note: 'x'.repeat(1_000_000) })
    const files = [1, 2, 3].map((nr) => ({ name: `${nr}`, content: Buffer.alloc(4_000_000, nr) }))
    await addSecretWithFiles(installation, owner, files)
    const contents = await storedContents(installation)
    await installation.close()
    const settings = settingsIn(cwd)
    expectOk(await backUpInstallation({ settings, file: join(cwd, 'b') }))
    const database = join(settings.dataDir, 'sotto.sqlite')
    let interrupted = 0
    for (let kill = 0; kill < 3 || (interrupted === 0 && kill < 12); kill += 1) {
      rmSync(settings.dataDir, { recursive: true, force: true })
      const restore = spawnSotto(t, ['restore', 'b'], { cwd })
      // It is killed while it writes: some time after its first file exists.
      while (restore.child.exitCode === null && namesIn(settings.dataDir).length === 0) await pause(1)
      await pause((kill % 3) * 25)
      restore.child.kill('SIGKILL')
      await restore.ended
      if (existsSync(database)) {
        t.equal(pragmaIn(database, 'integrity_check'), 'ok')
        t.ok(await hasAll(cwd, contents), 'a database has all contents')
        continue
      }
      interrupted += 1
      const again = spawnSotto(t, ['restore', 'b'], { cwd })
      t.equal(await again.ended, 0, again.stderr())
      t.strictSame(namesIn(settings.dataDir), ['files', 'sotto.sqlite'])
      t.ok(await hasAll(cwd, contents), 'the second restore has all contents')
    }
    t.ok(interrupted > 0, 'one was killed before it ended')
  },
)

t.test('a server that starts removes what a killed restore left', async (t) => {
  const cwd = t.testdir()
  const installation = await openIn(cwd)
  await addSecret(installation, await addOwner(installation), { note: 'x'.repeat(1_000) })
  await installation.close()
  const { dataDir } = settingsIn(cwd)
  // A process that makes such a file and is killed.
  const killed = spawnSync(process.execPath, [
    '--input-type=module',
    '-e',
    `const { createNewFile } = await import('${import.meta.resolve('@sotto/system')}')
     console.log(createNewFile('${join(dataDir, 'sotto.sqlite')}', 'restore').path)
     process.kill(process.pid, 'SIGKILL')`,
  ])
  const left = String(killed.stdout).trim()
  copyFileSync(join(dataDir, 'sotto.sqlite'), left)
  copyFileSync(join(dataDir, 'sotto.sqlite'), `${left}-journal`)
  t.match(namesIn(dataDir).join(), '.sotto-restore-')
  await (await openIn(cwd)).close()
  t.notMatch(namesIn(dataDir).join(), '.sotto-restore-')
})

async function hasAll(cwd: string, contents: ReadonlyMap<string, Buffer>): Promise<boolean> {
  const restored = await openIn(cwd)
  const stored = await storedContents(restored)
  await restored.close()
  return [...contents].every(([id, bytes]) => stored.get(id)?.equals(bytes) === true)
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}

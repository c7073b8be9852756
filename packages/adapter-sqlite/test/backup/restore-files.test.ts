import { expectOk } from '@sotto/test-kit'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { backUpDatabase } from '../../src/backup/backup.ts'
import { open, temporaryDir } from '../support/helpers.ts'
import { addFolder } from '../support/rows.ts'

const child = fileURLToPath(new URL('../support/restore-child.ts', import.meta.url))
const nowMicros = 1_800_000_000_000_000
const canTrace = spawnSync('strace', ['-f', '-e', 'trace=openat', '-o', '/dev/null', 'true']).status === 0
const skip = process.env['CI'] || canTrace ? false : 'strace is missing, or may not trace here'

/** The files outside of `dir` that a child opens for writing, unnamed ones included. */
function writtenElsewhere(dir: string, ...args: readonly string[]) {
  const trace = join(dir, 'trace')
  const under = ['-f', '-qq', '-e', 'trace=open,openat,creat', '-o', trace, process.execPath, child, ...args]
  const { status, stdout } = spawnSync('strace', under, { encoding: 'utf8' })
  const opened = readFileSync(trace, 'utf8').split('\n')
  const elsewhere = opened.filter(
    (line) =>
      /O_(TMPFILE|RDWR|WRONLY|CREAT)/.test(line) &&
      !/"\/(dev|proc|sys)\/|\/\.tap\//.test(line) &&
      !line.includes(`"${dir}`),
  )
  return { status, stdout, elsewhere }
}

test('what a restore destroys is written to no file outside the data directory', { skip }, async (t) => {
  const [dir, scratch] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  // Those that have expired and those whose notes are destroyed share pages.
  const secrets = Array.from({ length: 2_000 }, (_, at) =>
    at % 2 === 0 ? make.secret(folder, at) : make.secret(folder, nowMicros - at, { openLimit: 3 }),
  )
  await Promise.all(secrets.map((secret) => database.secrets.insert(secret, make.note(1_000)).then(expectOk)))
  const file = join(scratch, 'backup')
  expectOk(await backUpDatabase({ dataDir: dir, file, nowMicros }))
  await database.close()

  const { status, stdout, elsewhere } = writtenElsewhere(scratch, file, join(scratch, 'data'))
  t.equal(status, 0)
  t.match(JSON.parse(stdout), { erasedSecrets: 1_000, destroyedNotes: 1_000 })
  t.same(elsewhere, [])
  const control = writtenElsewhere(scratch, 'control', join(scratch, 'control.sqlite'))
  t.equal(control.status, 0)
  t.ok(control.elsewhere.length > 0, 'the search finds a temporary file of SQLite')
})

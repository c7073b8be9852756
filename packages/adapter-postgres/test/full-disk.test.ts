import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectErr, expectOk } from '@sotto/test-kit'
import { after, test, type Test } from 'tap'
import { openStorage } from './support/databases.ts'
import { query, sharedServer } from './support/server.ts'
import { addSampleFolder } from './support/sample-folder.ts'

const server = await sharedServer()
after(() => server.stop())

const [MiB, nobody] = [2 ** 20, 65_534]

/** A database whose tables are on a small disk of their own; `undefined` where none can be mounted: only root may. */
async function onSmallDisk(t: Test): Promise<{ readonly url: string; readonly path: string } | undefined> {
  const path = mkdtempSync(join(tmpdir(), 'sotto-small-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${24 * MiB}`, 'tmpfs', path]).status !== 0) {
    rmdirSync(path)
    return undefined
  }
  const place = join(path, 'tables')
  mkdirSync(place)
  chownSync(path, nobody, nobody)
  chownSync(place, nobody, nobody)
  await query(server.urlOf('postgres'), `CREATE TABLESPACE small LOCATION '${place}'`)
  await query(server.urlOf('postgres'), 'CREATE DATABASE on_small_disk TABLESPACE small')
  t.teardown(async () => {
    await query(server.urlOf('postgres'), 'DROP DATABASE on_small_disk WITH (FORCE)')
    await query(server.urlOf('postgres'), 'DROP TABLESPACE small')
    spawnSync('umount', ['-l', path])
    rmdirSync(path)
  })
  return { url: server.urlOf('on_small_disk'), path }
}

// Promise (On PostgreSQL): While the disk of PostgreSQL is full, readiness and `doctor` say that nothing can be written
test('while creates find the disk full, canWrite does, and not any more once there is room', async (t) => {
  const small = await onSmallDisk(t)
  if (small === undefined) {
    t.comment('skipped: no file system can be mounted here')
    return
  }
  const storage = await openStorage(small.url)
  t.teardown(() => storage.close())
  const { make, folder } = await addSampleFolder(storage)
  expectOk(await storage.upkeep.canWrite())

  const ballast = join(small.path, 'ballast')
  const { bavail, bsize } = statfsSync(small.path)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  const create = () => storage.secrets.insert(make.secret(folder), make.note())
  const full = { code: 'storage_unavailable', reason: 'full' }
  let written = await create()
  for (let nth = 0; written.isOk() && nth < 10_000; nth += 1) written = await create()
  t.match(expectErr(written), full)
  t.match(expectErr(await storage.upkeep.canWrite()), full)
  const findings = await storage.upkeep.examine()
  t.match(
    findings.find(({ check }) => check === 'database'),
    { ok: false, text: /cannot be written \(the disk is full\)/ },
  )

  rmSync(ballast)
  expectOk(await storage.upkeep.canWrite())
  expectOk(await create())
})

import { chownSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expectErr, expectOk } from '@sotto/test-kit'
import { after, test } from 'tap'
import { openStorage } from './support/databases.ts'
import { addSampleFolder } from './support/sample-folder.ts'
import { query, sharedServer } from './support/server.ts'
import { onSmallDisk } from './support/small-disk.ts'

const server = await sharedServer()
after(() => server.stop())

/** The user that the server runs as. */
const nobody = 65_534

/** Makes a database whose tables are on the disk at this path. */
async function databaseAt(path: string): Promise<string> {
  const place = join(path, 'tables')
  mkdirSync(place)
  for (const owned of [path, place]) chownSync(owned, nobody, nobody)
  await query(server.urlOf('postgres'), `CREATE TABLESPACE small LOCATION '${place}'`)
  await query(server.urlOf('postgres'), 'CREATE DATABASE on_small_disk TABLESPACE small')
  return server.urlOf('on_small_disk')
}

async function dropDatabase(): Promise<void> {
  await query(server.urlOf('postgres'), 'DROP DATABASE on_small_disk WITH (FORCE)')
  await query(server.urlOf('postgres'), 'DROP TABLESPACE small')
}

/** Writes until nothing is free, so a server that writes meanwhile does not matter. */
function fillDisk(file: string): void {
  const page = Buffer.alloc(4_096)
  const fd = openSync(file, 'w')
  try {
    for (;;) writeSync(fd, page)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(fd)
  }
}

// Promise (On PostgreSQL): While the disk of PostgreSQL is full, readiness and `doctor` say that nothing can be written
test('while creates find the disk full, canWrite does, and not any more once there is room', async (t) => {
  const isMounted = await onSmallDisk(24 * 2 ** 20, async (path) => {
    const storage = await openStorage(await databaseAt(path))
    try {
      const { make, folder } = await addSampleFolder(storage)
      expectOk(await storage.upkeep.canWrite())

      const ballast = join(path, 'ballast')
      fillDisk(ballast)
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
    } finally {
      // Without its disk, the database would fail every later test on this server.
      await storage.close()
      await dropDatabase()
    }
  })
  if (!isMounted) t.comment('skipped: no file system can be mounted here')
})

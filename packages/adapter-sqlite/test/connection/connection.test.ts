import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { test, type Test } from 'tap'
import { open, temporaryDir } from '../support/helpers.ts'

/** Records, until the test ends, the paths that are synced from JavaScript. SQLite's own syncs are not among them. */
function watchSyncs(t: Test): string[] {
  const { openSync, fsyncSync } = fs
  const paths = new Map<number, string>()
  const synced: string[] = []
  fs.openSync = ((path: string, ...rest: [string, number?]) => {
    const fd = openSync(path, ...rest)
    paths.set(fd, path)
    return fd
  }) as typeof fs.openSync
  fs.fsyncSync = (fd) => {
    synced.push(paths.get(fd) ?? '')
    fsyncSync(fd)
  }
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(fs, { openSync, fsyncSync })
    syncBuiltinESMExports()
  })
  return synced
}

function upwards(path: string): string[] {
  return path === dirname(path) ? [path] : [path, ...upwards(dirname(path))]
}

test('all directories that lead to a new database are durable before anything is committed', async (t) => {
  const dataDir = join(temporaryDir(t), 'some', 'where')
  const synced = watchSyncs(t)
  const database = await open(dataDir)
  t.strictSame(synced, upwards(dataDir))
  await database.close()
})

test('a database in use does not sync its directories again', async (t) => {
  const dataDir = temporaryDir(t)
  await (await open(dataDir)).close()
  const synced = watchSyncs(t)
  await (await open(dataDir)).close()
  t.strictSame(synced, [])
})

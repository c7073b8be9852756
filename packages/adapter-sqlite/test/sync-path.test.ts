import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { test, type Test } from 'tap'
import { syncPath } from '../src/sync-path.ts'
import { open, temporaryDir } from './helpers.ts'

/** From now on the directories that are synced, in that order. */
function watchSyncs(t: Test, failure?: { readonly path: string; readonly code: string }): string[] {
  const { openSync, fsyncSync } = fs
  const paths = new Map<number, string>()
  const synced: string[] = []
  fs.openSync = ((path: string, ...rest: [string, number?]) => {
    const fd = openSync(path, ...rest)
    paths.set(fd, path)
    return fd
  }) as typeof fs.openSync
  fs.fsyncSync = (fd) => {
    const path = paths.get(fd) ?? ''
    if (path === failure?.path) throw Object.assign(new Error(failure.code), { code: failure.code })
    synced.push(path)
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

test('all directories that lead to a fresh database are safe from a power cut before anything is committed', async (t) => {
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

test('a directory that cannot be synced there is passed over, a failing disk is told', (t) => {
  const directory = temporaryDir(t)
  const synced = watchSyncs(t, { path: dirname(directory), code: 'EINVAL' })
  syncPath(directory)
  t.strictSame(
    synced,
    upwards(directory).filter((path) => path !== dirname(directory)),
  )
  watchSyncs(t, { path: directory, code: 'EIO' })
  t.throws(() => syncPath(directory), { code: 'EIO' })
  t.end()
})

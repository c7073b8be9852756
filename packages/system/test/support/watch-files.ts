import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'
import type { Test } from 'tap'

type Failures = Readonly<Record<string, string>>

/**
 * Records, until the test ends, what is done to files: each file or directory that is synced, and each name that is given.
 * @param failures an error code for each path whose sync fails
 */
export function watchFiles(t: Test, failures: Failures = {}): string[] {
  const { openSync, fsyncSync, linkSync, renameSync } = fs
  const paths = new Map<number, string>()
  const calls: string[] = []
  fs.openSync = ((path: string, ...rest: [string, number?]) => {
    const fd = openSync(path, ...rest)
    paths.set(fd, path)
    return fd
  }) as typeof fs.openSync
  fs.fsyncSync = (fd) => {
    const path = paths.get(fd) ?? ''
    if (failures[path] !== undefined) throw systemError(failures[path])
    calls.push(`sync ${path}`)
    fsyncSync(fd)
  }
  fs.linkSync = (from, to) => {
    calls.push(`link ${String(to)}`)
    linkSync(from, to)
  }
  fs.renameSync = (from, to) => {
    calls.push(`rename ${String(to)}`)
    renameSync(from, to)
  }
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(fs, { openSync, fsyncSync, linkSync, renameSync })
    syncBuiltinESMExports()
  })
  return calls
}

/** Replaces functions of `node:fs` until the test ends. */
export function replaceFunctions(t: Test, replacements: Partial<typeof fs>): void {
  const names = Object.keys(replacements) as (keyof typeof fs)[]
  const originals = Object.fromEntries(names.map((name) => [name, fs[name]]))
  Object.assign(fs, replacements)
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(fs, originals)
    syncBuiltinESMExports()
  })
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** The directory and all above it, in the order in which they are synced. */
export function upwards(path: string): string[] {
  return path === dirname(path) ? [path] : [path, ...upwards(dirname(path))]
}

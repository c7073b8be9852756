// Runs test files with tap, each in a process of its own, in the given order, and prints TAP. Takes the number of jobs and the timeout from
// .taprc, as the command `tap` does.
//
// That command also loads hooks into each process, for coverage and mocks, that look at every module. They take longer than most files.
//
// arguments: files
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import t from 'tap'

const ROOT = resolve(import.meta.dirname, '..')

const settings = readFileSync(resolve(ROOT, '.taprc'), 'utf8')
const files = process.argv.slice(2)
const seconds = numberOf('timeout')
const env = { ...process.env, TAP_TIMEOUT: String(seconds) }

t.setTimeout(0)
t.jobs = numberOf('jobs')
for (const file of files) {
  const name = relative(ROOT, resolve(file))
  // Without `at` and `stack`, which are this file's, in the report of a failure.
  const options = { at: null, stack: '', buffered: true, cwd: ROOT, env, name, timeout: seconds * 1_000 }
  void t.spawn(process.execPath, [resolve(file)], options)
}

/** A number of .taprc. @param {'jobs' | 'timeout'} name */
function numberOf(name) {
  const value = new RegExp(`^${name}: (\\d+)(?: #.*)?$`, 'm').exec(settings)?.[1]
  if (value === undefined) throw new Error(`.taprc has no ${name}`)
  return Number(value)
}

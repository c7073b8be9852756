// Runs several test files in one process, one after the other: `node scripts/tap-group.mjs FILE …`. Their tests share nothing but the modules
// that they import. Starting a process takes longer than most files of a pure package.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

let tests = 0
t.on('subtestAdd', () => (tests += 1))

for (const file of process.argv.slice(2)) {
  const before = tests
  await import(pathToFileURL(resolve(file)).href)
  if (tests === before) t.fail(`${file} has no test`)
}

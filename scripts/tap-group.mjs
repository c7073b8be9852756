// Runs test files in one process, one after the other: `node scripts/tap-group.mjs NAME FILE …`. They share the modules that they import, and
// with these servers of PostgreSQL. Starting a process takes longer than most files.
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// tap names the directories of tests by the arguments, so the name stays there, and not each file.
const files = process.argv.splice(3)

/*
 * tap follows every promise with an async hook, to name the test of an error that nothing catches. That takes half of the time of tests with
 * many promises. Without it, such an error ends the process: it fails, and its other files are not run.
 */
const domains = 'data:text/javascript,export class Domain { destroy() {} }'
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'async-hook-domain' ? { url: domains, shortCircuit: true } : next(specifier, context),
})
const { default: t } = await import('tap')
hooks.deregister()

let tests = 0
t.on('subtestAdd', () => (tests += 1))

for (const file of files) {
  const before = tests
  await import(pathToFileURL(resolve(file)).href)
  if (tests === before) t.fail(`${file} has no test`)
}
// What a file sets is meant for itself alone. Together they may take as long as all of them.
t.setTimeout(Number(process.env['TAP_TIMEOUT'] ?? 30) * 1_000 * files.length)

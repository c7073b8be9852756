// Runs the tests: *.test.ts under tap, *.node-test.ts under Node's own runner. Ends with the names of the tests that were skipped, with
// their reasons, and the line `N passed, N failed`, the sum of both runners' counts (tap counts assertions, Node counts tests).
//
//   npm test                          the tests of a change
//   npm test -- --long                those that take long: browsers, proxies, what is deployed, faults and kills, campaigns,
//                                     the set-up of a checkout, a second PostgreSQL
//   npm test -- packages/core         the tests of a directory, or single files
//
// Files of the directories with long ones come first, so that no long one runs alone at the end.
import { globSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { commandIn, run } from './child.mjs'
import { runTapFiles } from './tap-files.mjs'
import { nodeCounts, Printer, summaryOf } from './tap-output.mjs'

const ROOT = resolve(import.meta.dirname, '..')

// The processes share what Node.js has compiled, which is most of the work of starting.
process.env['NODE_COMPILE_CACHE'] ??= resolve(ROOT, '.tap/compile-cache')

/** @typedef {import('./tap-output.mjs').Counts} Counts */

const longFirst = [
  'packages/server/test/browser/',
  'lab/test/',
  'scripts/test/',
  'packages/server/test/',
  'packages/adapter-',
  'packages/client/test/',
  'packages/test-kit/test/',
  'packages/dashboard-fastify/test/',
  'packages/http-fastify/test/',
]

/** What continuous integration runs besides: the beginnings of paths. */
const longOnes = [
  'lab/test/',
  'packages/server/test/browser/',
  'packages/server/test/storage/move-killed.test.ts',
  'packages/server/test/deploy/',
  'packages/server/test/serving/proxies.test.ts',
  'packages/server/test/system/disk-faults.test.ts',
  'packages/server/test/system/postgres-crash.test.ts',
  'packages/server/test/system/postgres-proxy.test.ts',
  'packages/server/test/system/restore-killed.test.ts',
  'packages/server/test/system/rotation-interleaved.test.ts',
  'packages/server/test/system/rotation-two-machines.test.ts',
  'packages/server/test/serving/watchdog.test.ts',
  'scripts/test/run/',
  'packages/adapter-postgres/test/contract-debian.test.ts',
]

const files = testFiles(process.argv.slice(2))
if (files.some((file) => file.startsWith('packages/server/test/'))) await bundleCommand()
const forNode = files.filter((file) => file.endsWith('.node-test.ts'))
const forTap = files.filter((file) => !forNode.includes(file))

const total = { passed: 0, failed: 0, skipped: 0 }
const printer = new Printer()
if (forTap.length > 0) add(await runTapFiles(forTap, printer))
if (forNode.length > 0) add(await runNodeTests(forNode))
total.failed += printer.emptyFiles
if (total.passed + total.failed === 0) {
  console.log('✗ no test was run')
  total.failed = 1
}
console.log(summaryOf(total, printer.skipped))
process.exitCode = total.failed === 0 ? 0 : 1

/** @param {Counts} counts */
function add(counts) {
  total.passed += counts.passed
  total.failed += counts.failed
  total.skipped += counts.skipped
}

/** The test files among or below the given paths; all of them when there are none. @param {string[]} paths */
function testFiles(paths) {
  const all = globSync(['packages/*/test/**/*.{test,node-test}.ts', '{scripts,lab}/test/**/*.test.ts'], {
    cwd: ROOT,
  })
  if (paths.length === 0) return inOrder(all.filter((file) => !isLong(file)))
  if (paths.includes('--long')) return inOrder(all.filter(isLong))
  const wanted = paths.map((path) => {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      console.log(`✗ no such file: ${path}\n0 passed, 1 failed`)
      process.exit(1)
    }
    return relative(ROOT, resolve(path))
  })
  return inOrder(all).filter((file) => wanted.some((path) => file === path || file.startsWith(path + sep)))
}

/** @param {string} path */
function isLong(path) {
  return longOnes.some((start) => path.startsWith(start))
}

/** Builds the command `sotto` as it is published, for tests that start it in processes. */
async function bundleCommand() {
  const server = resolve(ROOT, 'packages/server')
  await commandIn(server)(process.execPath, ['--run', 'build'])
  process.env['TEST_PROGRAM'] = join(server, 'dist/sotto.js')
}

/** Sorts by the place of their directory in {@link longFirst}, then by name. @param {string[]} paths */
function inOrder(paths) {
  return longFirst.concat('').flatMap((start, at) => {
    const earlier = longFirst.slice(0, at)
    return paths
      .filter((file) => file.startsWith(start) && !earlier.some((one) => file.startsWith(one)))
      .sort()
  })
}

/** Runs files under Node's own runner. Shows one line for each test, and the details of failures. @param {string[]} paths */
async function runNodeTests(paths) {
  let output = ''
  const args = ['--test', '--test-reporter=tap', '--test-timeout=120000', ...paths]
  const code = await run(process.execPath, args, { cwd: ROOT, onOutput: (text) => (output += text) })
  for (const line of output.split('\n')) printer.line(line)
  const counts = nodeCounts(output)
  if (code !== 0 && counts.failed === 0) {
    console.log(`${output.slice(-5000)}\n✗ the test runner failed (exit code ${code}) without naming a test`)
    counts.failed = 1
  }
  return counts
}

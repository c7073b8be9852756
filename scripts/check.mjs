// What CI checks, in one command. Each step prints one line, and its output only when it fails.
//
//   npm run check                     what a change needs
//   npm run check -- --all            what CI runs besides: long tests, the rehearsal of a release, examples, benches for a few seconds
//   npm run check -- --without-tests  leaves the tests out
//
// (The lockfile is checked before this starts: scripts/run.mjs installs with --frozen-lockfile.)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { undocumentedNames } from './api.mjs'
import { checkExamples } from './check-examples.mjs'
import { checkInstalled, checkTarballs, checkWithoutIdentity, packPackages } from './check-packages.mjs'
import { commandIn } from './child.mjs'
import { complaint, fragmentsIn } from './fragments.mjs'
import { rehearse } from './release/rehearsal.mjs'

const ROOT = resolve(import.meta.dirname, '..')

const command = commandIn(ROOT)
/** @param {string} name @param {readonly string[]} options */
const bench = (name, ...options) => command('node', ['lab/run.ts', 'bench', name, '--smoke', ...options])
/** @type {string[]} */
const failedSteps = []
let testCounts = { passed: 0, failed: 0 }

const { withTests, withAll } = readArguments(process.argv.slice(2))
await main()

/** @param {string[]} given */
function readArguments(given) {
  const unknown = given.find((argument) => !['--without-tests', '--all'].includes(argument))
  if (unknown === undefined) {
    return { withTests: !given.includes('--without-tests'), withAll: given.includes('--all') }
  }
  console.error(`check: unknown argument ${unknown}; usage: check [--all] [--without-tests]`)
  process.exit(2)
}

async function main() {
  // Two steps at a time; the tests come last and alone, because they use both cores themselves.
  await Promise.all([typesAndPackages(), sources()])
  if (withAll) {
    await step('bench runs', () => bench('sqlite'))
    await step('bench beside the straight line runs', () => bench('straight'))
    await step('bench beside the straight line on PostgreSQL runs', () => bench('straight', '--postgres'))
    await step('bench on PostgreSQL runs', () => bench('postgres'))
    await step('bench of files runs', () => bench('files'))
    await step('bench of files on PostgreSQL runs', () => bench('files', '--postgres'))
    await step('bench beside peers runs', () => bench('peers'))
  }
  if (withTests) await step('tests', () => tests([]))
  if (withTests && withAll) await step('long tests', () => tests(['--long']))
  if (failedSteps.length > 0) console.log(`✗ failed: ${failedSteps.join(', ')}`)
  if (withTests) {
    // A failed step counts as one failure, so that this line never shows 0 when the exit code is not 0.
    const { passed, failed } = testCounts
    console.log(
      `${passed} passed, ${failed + failedSteps.filter((name) => !name.endsWith('tests')).length} failed`,
    )
  }
  process.exitCode = failedSteps.length === 0 ? 0 : 1
}

async function typesAndPackages() {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-packages-'))
  try {
    // Packing compiles the sources. What is left to compile are the tests.
    const packed = await step('packages build and pack', () => packPackages(command, directory))
    await step('types', () => command('tsc', ['--build']))
    await step('docstrings', docstrings)
    if (!packed) return
    await step('packages', () => checkTarballs(command, directory))
    await step('packages installed', () => checkInstalled(command, directory))
    await step('packages without identity', () => checkWithoutIdentity(command, directory))
    if (!withAll) return
    await step('packages published', () => rehearse(command, directory))
    await step('examples', () => checkExamples(command, directory))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Checks that every exported name has a docstring, in the declarations that packing or compiling has built. */
function docstrings() {
  const missing = undocumentedNames(ROOT)
  return missing.length === 0 ? Promise.resolve() : Promise.reject(new Error(missing.join('\n')))
}

/** Checks that comments are sentences with a subject, or name a thing; see fragments.mjs. */
function comments() {
  const found = complaint(fragmentsIn(ROOT))
  return found === undefined ? Promise.resolve() : Promise.reject(new Error(found))
}

async function sources() {
  await step('comments', comments)
  await step('lint', () => command('eslint', ['--max-warnings', '0', '.']))
  await step('format', () => command('prettier', ['--check', '--log-level', 'warn', '.']))
  await step('unused', () => command('knip', ['--treat-config-hints-as-errors']))
  // This is a step of its own: asked for a kind of findings that is not among its defaults, knip reports that kind alone.
  await step('cycles', () => command('knip', ['--cycles']))
}

/** @param {string[]} which */
async function tests(which) {
  let output = ''
  try {
    await command(process.execPath, [join(ROOT, 'scripts', 'test.mjs'), ...which], {
      onOutput: (text) => (output += text),
    })
  } finally {
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output.slice(-100)) ?? []
    testCounts = {
      passed: testCounts.passed + Number(passed ?? 0),
      failed: testCounts.failed + Number(failed ?? 1),
    }
  }
}

/** @param {string} name @param {() => Promise<void>} work @returns {Promise<boolean>} whether it succeeded */
async function step(name, work) {
  const start = performance.now()
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`
  try {
    await work()
    console.log(`✓ ${name} ${seconds()}`)
    return true
  } catch (error) {
    console.log(`✗ ${name} ${seconds()}\n${error instanceof Error ? error.message : String(error)}`)
    failedSteps.push(name)
    return false
  }
}

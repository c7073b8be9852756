// Everything that CI checks, in one command. Each step prints one line, and its output only when it fails.
// --without-tests leaves the tests out.
// (The lockfile is checked before this starts: scripts/run.mjs installs with --frozen-lockfile.)
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from './child.mjs'

const ROOT = resolve(import.meta.dirname, '..')

/** @type {string[]} */
const failedSteps = []
let testCounts = { passed: 0, failed: 0 }

await main()

async function main() {
  // Two steps at a time; the tests come last and alone, because they use both cores themselves.
  await Promise.all([typesAndPackages(), sources()])
  await step('bench runs', () => command('node', ['bench/src/main.ts', '--smoke']))
  const withTests = !process.argv.includes('--without-tests')
  if (withTests) await step('tests', tests)
  if (failedSteps.length > 0) console.log(`✗ failed: ${failedSteps.join(', ')}`)
  if (withTests) {
    // A failed step counts as one failure, so that this line never shows 0 when the exit code is not 0.
    const { passed, failed } = testCounts
    console.log(`${passed} passed, ${failed + failedSteps.filter((name) => name !== 'tests').length} failed`)
  }
  process.exitCode = failedSteps.length === 0 ? 0 : 1
}

async function typesAndPackages() {
  if (await step('types and build', build)) await step('packages', packages)
}

async function sources() {
  await step('lint', () => command('eslint', ['--max-warnings', '0', '.']))
  await step('format', () => command('prettier', ['--check', '--log-level', 'warn', '.']))
  await step('unused', () => command('knip', ['--treat-config-hints-as-errors']))
}

/** Compiles all sources and tests. Removes old output first, because it would be packed with the new. */
function build() {
  for (const name of packageNames())
    rmSync(join(ROOT, 'packages', name, 'dist'), { recursive: true, force: true })
  return command('tsc', ['--build'])
}

/** Checks the packages as they would be published: that their entry points exist and that the types fit. */
async function packages() {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-packages-'))
  try {
    await command('pnpm', [
      '--recursive',
      '--filter',
      './packages/*',
      'pack',
      '--pack-destination',
      directory,
    ])
    for (const file of readdirSync(directory)) {
      await command('publint', ['--strict', join(directory, file)])
      await command('attw', ['--profile', 'esm-only', '--no-color', join(directory, file)])
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function tests() {
  let output = ''
  try {
    await command(process.execPath, [join(ROOT, 'scripts', 'test.mjs')], (text) => (output += text))
  } finally {
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output.slice(-100)) ?? []
    testCounts = { passed: Number(passed ?? 0), failed: Number(failed ?? 1) }
  }
}

function packageNames() {
  return readdirSync(join(ROOT, 'packages'))
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

/** @param {string} name @param {string[]} args @param {(text: string) => void} [onOutput] */
async function command(name, args, onOutput) {
  let output = ''
  const code = await run(name, args, {
    cwd: ROOT,
    onOutput(text) {
      output += text
      onOutput?.(text)
    },
  })
  if (code !== 0) throw new Error(`${name} ${args.join(' ')}\n${output.trimEnd()}\n(exit code ${code})`)
}

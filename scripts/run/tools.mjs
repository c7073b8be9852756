// Node.js and pnpm, where the machine has none that is new enough: which packages of npm have them, and fetching them.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { ExpectedError, say } from './messages.mjs'
import { ROOT, TOOLS } from './places.mjs'
import { runQuietly } from './processes.mjs'

const NODE_MAJOR = 24
const PNPM_MAJOR = 12

/** A package of npm that holds one program, and the sha512 of its tarball: nothing else is ever used in its place.
 * @typedef {{ name: string, version: string, integrity: string }} Pin */

/** The program's path in its package. */
const PROGRAMS = { node: 'bin/node', pnpm: 'pnpm' }

/** `dir` is where the programs are or will be, undefined when the machine has them all.
 * @typedef {{ node: string, dir: string | undefined, pins: Partial<Record<keyof typeof PROGRAMS, Pin>> }} Tools */

/** Tools that this machine lacks get a directory named after their versions and digests, so that none is ever replaced.
 * @returns {Tools} */
export function findTools() {
  const hasNode = Number.parseInt(process.versions.node) >= NODE_MAJOR
  if (hasNode && hasPnpm()) return { node: process.execPath, dir: undefined, pins: {} }
  const pins = hasNode ? { pnpm: pinOf('pnpm') } : { node: pinOf('node'), pnpm: pinOf('pnpm') }
  const digest = createHash('sha256').update(JSON.stringify(pins)).digest('hex').slice(0, 8)
  const names = Object.entries(pins).map(([program, { version }]) => `${program}-${version}`)
  const dir = join(TOOLS, [...names, digest].join('_'))
  return { node: hasNode ? process.execPath : join(dir, 'bin', 'node'), dir, pins }
}

function hasPnpm() {
  const { stdout } = spawnSync('pnpm', ['--version'], { cwd: ROOT, encoding: 'utf8' })
  return Number.parseInt(stdout) >= PNPM_MAJOR
}

/** Not every version exists for every platform, and Node.js exists for none with musl.
 * @param {keyof typeof PROGRAMS} program @returns {Pin} */
function pinOf(program) {
  /** @type {unknown} */
  const content = JSON.parse(fs.readFileSync(join(ROOT, 'scripts', 'run', 'tools.json'), 'utf8'))
  const table = /** @type {Record<string, Tools['pins']>} */ (content)
  const platform = `${process.platform}-${process.arch}${usesMusl() ? '-musl' : ''}`
  const found = table[platform]?.[program]
  if (found !== undefined) return found
  const known = Object.keys(table).filter((name) => table[name]?.[program] !== undefined)
  const wanted = program === 'node' ? `Node.js ${NODE_MAJOR}` : `pnpm ${PNPM_MAJOR}`
  throw new ExpectedError(
    `npm has no ${program} for ${platform} (only for ${known.join(', ')}): ` +
      `install ${wanted} or later yourself and start again`,
  )
}

/** Whether this is a Linux without glibc, such as Alpine. */
function usesMusl() {
  if (process.platform !== 'linux') return false
  Object.assign(process.report, { excludeNetwork: true }) // the network part would look up names
  const report = /** @type {{ header: object }} */ (process.report.getReport())
  return !('glibcVersionRuntime' in report.header)
}

/** @param {Tools} tools */
export function hasTools({ dir }) {
  return dir === undefined || fs.existsSync(dir)
}

/** The environment of this process, in which the tools and the packages' commands come first. @param {Tools} tools */
export function environmentOf({ node, dir }) {
  const path = [
    ...(dir === undefined ? [] : [join(dir, 'bin')]),
    join(ROOT, 'node_modules', '.bin'),
    dirname(node),
  ]
  return { ...process.env, PATH: [...path, process.env['PATH']].join(delimiter) }
}

/** Fetches the tools into a temporary directory first, so that a directory with the final name is complete.
 * @param {Tools} tools @param {NodeJS.ProcessEnv} env */
export async function fetchTools({ dir, pins }, env) {
  if (dir === undefined) return
  const names = Object.values(pins).map(({ name, version }) => `${name}@${version}`)
  say(`fetching ${names.join(' and ')} …`)
  const temporary = join(TOOLS, 'new')
  fs.rmSync(temporary, { recursive: true, force: true }) // left by a process that was killed
  try {
    writeLockfile(temporary, Object.values(pins))
    const npm = npmCommand()
    // npm compares each tarball with the lockfile's sha512 before it unpacks it. No package's script runs.
    const options = ['--ignore-scripts', '--no-bin-links', '--package-lock=true', '--no-audit', '--no-fund']
    const patience = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000', '--loglevel=error']
    const target = ['--global=false', '--workspaces=false', '--prefix', temporary]
    await runQuietly(npm[0], [...npm.slice(1), 'ci', ...options, ...patience, ...target], env)
    linkPrograms(temporary, pins)
    fs.renameSync(temporary, dir)
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
}

/** Writes a lockfile without `resolved`, so that npm fetches from the registry that it is configured to use.
 * @param {string} directory @param {Pin[]} pins */
function writeLockfile(directory, pins) {
  /** @type {Record<string, string>} */
  const dependencies = {}
  for (const { name, version } of pins) dependencies[name] = version
  /** @type {Record<string, object>} */
  const packages = { '': { dependencies } }
  for (const { name, version, integrity } of pins) packages[`node_modules/${name}`] = { version, integrity }
  fs.mkdirSync(directory, { recursive: true })
  fs.writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies }))
  fs.writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
}

/** @param {string} directory @param {Tools['pins']} pins */
function linkPrograms(directory, pins) {
  const bin = join(directory, 'bin')
  fs.mkdirSync(bin)
  for (const program of /** @type {const} */ (['node', 'pnpm'])) {
    const pin = pins[program]
    if (pin === undefined) continue
    const folder = join(directory, 'node_modules', pin.name)
    fs.symlinkSync(relative(bin, join(folder, PROGRAMS[program])), join(bin, program))
    // Headers for compiling native modules, a third of the package of Node.js. Nothing here compiles any.
    fs.rmSync(join(folder, 'include'), { recursive: true, force: true })
  }
}

/** The npm that started this script, else the one in PATH. @returns {[string, ...string[]]} */
function npmCommand() {
  const started = process.env['npm_execpath']
  return started !== undefined && basename(started) === 'npm-cli.js' ? [process.execPath, started] : ['npm']
}

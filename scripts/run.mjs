// Runs a command of this repository with the Node.js and the packages it needs, fetching what is missing:
//
//   node scripts/run.mjs start | test | check | sotto ARGS… | setup [--prod] | exec COMMAND ARGS…
//
// Plain JavaScript for any Node.js from version 18, because it makes a newer Node.js available. When the set-up is
// complete, it needs no network and takes a fraction of a second. Its messages go to stderr.
import * as fs from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { locked } from './run/lock.mjs'
import { codeOf, ExpectedError, say } from './run/messages.mjs'
import { hasPackages, installPackages } from './run/packages.mjs'
import { COMPILED, HEAP_OPTIONS, ROOT, TOOLS } from './run/places.mjs'
import { cannotWrite, endIfStopped, exitCodeOfError, run, watchSignals } from './run/processes.mjs'
import { environmentOf, fetchTools, findTools, hasTools } from './run/tools.mjs'

const MAIN = join(ROOT, 'packages', 'server', 'src', 'main.ts')
const USAGE =
  'usage: node scripts/run.mjs start | test | check | sotto ARGS… | setup [--prod] | exec COMMAND ARGS…'

/** `needs` is what must be installed, `command` what to run then.
 * @typedef {{ needs: 'tools' | import('./run/packages.mjs').Need, command?: [string, string[]] }} Task */

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  say(error instanceof ExpectedError ? message : `set-up failed: ${message}`)
  process.exitCode = exitCodeOfError()
}

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main([name = '', ...args]) {
  if (process.platform === 'win32') throw new ExpectedError('runs on Linux and macOS; on Windows use WSL')
  watchSignals()
  const tools = findTools()
  const env = environmentOf(tools)
  const { needs, command } = taskOf(name, args, tools.node)
  if (!isReady(tools, needs)) await setUp(tools, needs, env)
  endIfStopped()
  if (command === undefined) return 0
  const isService = name === 'start' || name === 'sotto'
  return run(command[0], command[1], {
    cwd: name === 'exec' ? process.cwd() : ROOT, // settings such as ./data are relative to the repository
    env: isService ? { NODE_COMPILE_CACHE: COMPILED, ...env } : env,
    stdio: 'inherit',
  })
}

/** @param {string} name @param {string[]} args @param {string} node @returns {Task} */
function taskOf(name, args, node) {
  if (name === 'start') return { needs: 'start', command: [node, [...HEAP_OPTIONS, MAIN, 'serve', ...args]] }
  if (name === 'sotto') return { needs: 'start', command: [node, [MAIN, ...args]] }
  if (name === 'setup' && args.length === 0) return { needs: 'all' }
  if (name === 'setup' && args.join(' ') === '--prod') return { needs: 'start' }
  if (name === 'test' || name === 'check') {
    return { needs: 'all', command: [node, [join(ROOT, 'scripts', `${name}.mjs`), ...args]] }
  }
  const [program, ...rest] = args
  if (name !== 'exec' || program === undefined) throw new ExpectedError(USAGE)
  // pnpm changes the packages, so it must run even while the lockfile does not fit them.
  return { needs: program === 'pnpm' ? 'tools' : 'all', command: [program, rest] }
}

/** @param {import('./run/tools.mjs').Tools} tools @param {Task['needs']} needs */
function isReady(tools, needs) {
  return hasTools(tools) && (needs === 'tools' || hasPackages(needs))
}

/** @param {import('./run/tools.mjs').Tools} tools @param {Task['needs']} needs @param {NodeJS.ProcessEnv} commandEnv */
async function setUp(tools, needs, commandEnv) {
  try {
    await locked(async () => {
      const env = withHome(commandEnv)
      if (!hasTools(tools)) await fetchTools(tools, env)
      // Another process may have installed them while this one waited.
      if (needs !== 'tools' && !hasPackages(needs)) await installPackages(needs, env)
    })
  } catch (error) {
    throw explained(error)
  }
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

/** @param {unknown} error */
function explained(error) {
  const code = String(codeOf(error))
  const path = error instanceof Error && 'path' in error ? String(error.path) : 'the checkout'
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return new ExpectedError(cannotWrite(`${path} (${code})`))
  if (['EEXIST', 'ENOTDIR'].includes(code)) {
    return new ExpectedError(`${path} is in the way (${code}): the set-up needs a directory there. Remove it`)
  }
  return error
}

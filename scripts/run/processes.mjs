// The processes that a command starts, and the signals that end them.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { basename } from 'node:path'
import { codeOf, ExpectedError } from './messages.mjs'
import { ROOT } from './places.mjs'

/** @type {import('node:child_process').ChildProcess | undefined} */
let child
/** @type {NodeJS.Signals | undefined} */
let stopSignal
let quiet = false

/** Makes a signal end the current child, and then this process. */
export function watchSignals() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop)
  watchParent()
}

/** Throws when a signal has asked this process to end. */
export function endIfStopped() {
  if (stopSignal !== undefined) throw new ExpectedError('stopped')
}

/** The exit code after an error. */
export function exitCodeOfError() {
  return stopSignal === undefined ? 1 : exitCodeOf(stopSignal)
}

/**
 * What the output of a failed step means. `npm` and `pnpm` have different words for the same.
 * @type {{ pattern: RegExp, message: string, showOutput: boolean }[]}
 */
const FAILURES = [
  {
    pattern: /\b(EINTEGRITY|ERR_PNPM_TARBALL_INTEGRITY)\b/,
    message:
      'stopped: a fetched package is not the one that this checkout names, because its sha512 differs. It was not used. ' +
      'Either the checkout or what came from the npm registry was changed',
    showOutput: true,
  },
  {
    pattern: /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|META_FETCH_FAIL)\b/,
    message: 'the npm registry cannot be reached: the first start needs it, and so does a changed lockfile',
    showOutput: false,
  },
  {
    pattern: /\b(EACCES|EROFS)\b|permission denied|read-only file system/i,
    message: cannotWrite('a file named above'),
    showOutput: true,
  },
]

/** @param {string} what */
export function cannotWrite(what) {
  return (
    `${what} cannot be written. The set-up puts Node.js and packages into the checkout: run "npm run setup" once as a user ` +
    `who may write to ${ROOT}, or copy the checkout to a directory of your own`
  )
}

/** Runs a step of the set-up; its output is shown only when it fails.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env */
export async function runQuietly(command, args, env) {
  /** @type {string[]} */
  const output = []
  quiet = true
  const code = await run(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] }, (text) => {
    output.push(text)
  })
  quiet = false
  endIfStopped()
  if (code === 0) return
  const text = output.join('').trim()
  const failure = FAILURES.find(({ pattern }) => pattern.test(text))
  if (failure?.showOutput !== false) process.stderr.write(`${text}\n`)
  throw new ExpectedError(failure?.message ?? `set-up failed: ${basename(command)} exited with code ${code}`)
}

/** @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} options
 * @param {(text: string) => void} [onOutput] @returns {Promise<number>} the exit code */
export function run(command, args, options, onOutput) {
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
  child?.kill(quiet ? 'SIGKILL' : signal)
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

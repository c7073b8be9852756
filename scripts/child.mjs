import { spawn } from 'node:child_process'

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
let stopped = false

// A signal that ends this process also ends its children, and no further child is started.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    stopped = true
    for (const child of children) child.kill(signal)
  })
}

/**
 * Runs a command in the given directory and passes its output, stderr included, to `onOutput` piece by piece.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, onOutput: (text: string) => void, timeoutMillis?: number }} options `timeoutMillis`: it is killed after so long
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
export function run(command, args, { cwd, onOutput, timeoutMillis }) {
  return new Promise((resolve, reject) => {
    if (stopped) {
      onOutput('stopped by a signal\n')
      resolve(1)
      return
    }
    const timeout =
      timeoutMillis === undefined
        ? {}
        : { timeout: timeoutMillis, killSignal: /** @type {const} */ ('SIGKILL') }
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...timeout })
    children.add(child)
    child.stdout.setEncoding('utf8').on('data', onOutput)
    child.stderr.setEncoding('utf8').on('data', onOutput)
    child.on('error', reject)
    child.on('close', (code) => {
      children.delete(child)
      resolve(code ?? 1)
    })
  })
}

/** Commands that run in a directory by default, and throw what they wrote when they fail.
 * @param {string} root @returns {import('./check-packages.mjs').Command} */
export function commandIn(root) {
  return async (name, args, { cwd = root, onOutput } = {}) => {
    let output = ''
    const code = await run(name, args, {
      cwd,
      onOutput(text) {
        output += text
        onOutput?.(text)
      },
    })
    if (code !== 0) throw new Error(`${name} ${args.join(' ')}\n${output.trimEnd()}\n(exit code ${code})`)
  }
}

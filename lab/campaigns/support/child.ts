import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Compiled modules are cached here, so that the next process starts faster. */
export const compileCache = join(tmpdir(), `sotto-campaign-cache-${process.getuid?.() ?? 0}`)

export interface ChildOptions {
  /** The program's file, such as `new URL('./x.ts', import.meta.url)`. */
  readonly program: URL
  readonly args?: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** A command that runs Node.js, such as strace with its options. */
  readonly under?: readonly string[]
  /** Whether it leads a group of processes, so that its own children are killed with it. False by default. */
  readonly group?: boolean
}

/** A process that reads and writes lines of JSON. It ends when its standard input does. */
export interface Child {
  readonly process: ChildProcess
  send(message: unknown): void
  /** The next unread line; rejects when the process has ended. */
  line(): Promise<string>
  /** Calls the listener with every further line. */
  onLine(listener: (line: string) => void): void
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>
  /** Closes its standard input, so that it ends. Resolves with its exit code. */
  end(): Promise<number | null>
  readonly ended: Promise<number | null>
  stderr(): string
}

export function startChild({ program, args = [], env, under = [], group = false }: ChildOptions): Child {
  mkdirSync(compileCache, { recursive: true })
  const [command = process.execPath, ...rest] = [...under, process.execPath, fileURLToPath(program), ...args]
  const child = spawn(command, rest, {
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
    detached: group,
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.on('error', () => undefined) // the process may have ended
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const lines = readLines(child, ended, () => errors)
  return {
    process: child,
    ...lines,
    ended,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    async kill() {
      if (group && child.pid !== undefined) killGroup(child.pid)
      else child.kill('SIGKILL')
      await ended
    },
    end() {
      child.stdin.end()
      return ended
    },
    stderr: () => errors,
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

function readLines(
  child: ChildProcess,
  ended: Promise<number | null>,
  errors: () => string,
): Pick<Child, 'line' | 'onLine'> {
  const unread: string[] = []
  let listener: ((line: string) => void) | undefined
  if (child.stdout === null) throw new TypeError('standard output must be a pipe')
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (listener === undefined) unread.push(line)
    else listener(line)
  })
  return {
    async line() {
      for (;;) {
        const line = unread.shift()
        if (line !== undefined) return line
        const arrived = new Promise<true>((resolve) => {
          listener = (text) => {
            listener = undefined
            unread.push(text)
            resolve(true)
          }
        })
        if ((await Promise.race([arrived, ended])) !== true && unread.length === 0)
          throw new Error(`the process has ended: ${errors()}`)
      }
    },
    onLine(given) {
      for (const line of unread.splice(0)) given(line)
      listener = given
    },
  }
}

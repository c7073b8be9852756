import { PassThrough, Readable } from 'node:stream'
import type { Test } from 'tap'
import { runProgram } from '../../src/cli/program.ts'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly stdin?: string | Buffer
  readonly isTTY?: boolean
  readonly stderrIsTTY?: boolean
  readonly env?: NodeJS.ProcessEnv
}

/** The command `sotto`, run in this process on an installation of the test's own. */
export interface TestCommand {
  /** The directory of the installation, which contains `data` and `keys`. */
  readonly cwd: string
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>
  /** Runs with `--json`, which must succeed, and parses what it prints. */
  json<T = Record<string, unknown>>(args: readonly string[], options?: RunOptions): Promise<T>
}

export function testCommand(t: Test): TestCommand {
  const cwd = t.testdir()
  const run: TestCommand['run'] = async (args, { stdin = '', isTTY, stderrIsTTY, env = {} } = {}) => {
    const stdout = new PassThrough()
    const stderr = Object.assign(new PassThrough(), { isTTY: stderrIsTTY })
    const input = Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY })
    const code = await runProgram(args, { env, cwd, stdin: input, stdout, stderr })
    return { code, stdout: textIn(stdout), stderr: textIn(stderr) }
  }
  return {
    cwd,
    run,
    async json<T>(args: readonly string[], options?: RunOptions) {
      const { code, stdout, stderr } = await run([...args, '--json'], options)
      if (code !== 0) t.fail(`${args.slice(0, 2).join(' ')} failed: ${stderr}`)
      return JSON.parse(stdout) as T
    },
  }
}

function textIn(stream: PassThrough): string {
  return String(stream.read() ?? '')
}

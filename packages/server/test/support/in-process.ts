import { PassThrough, Readable } from 'node:stream'
import type { Test } from 'tap'
import type { Surroundings } from '../../src/cli/command.ts'
import { runProgram } from '../../src/program.ts'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly stdin?: string | Buffer
  readonly isTTY?: boolean
  readonly stderrIsTTY?: boolean
  readonly stdoutIsTTY?: boolean
  readonly prompt?: Surroundings['prompt']
  readonly env?: NodeJS.ProcessEnv
}

/** The command `sotto`, run in this process on an installation of the test's own. */
export interface TestCommand {
  /** The directory of the installation, which contains `data` and `keys` once a command has run. */
  readonly cwd: string
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>
  /** Runs with `--json`, which must succeed, and parses what it prints. */
  json<T = Record<string, unknown>>(args: readonly string[], options?: RunOptions): Promise<T>
}

/** @param options.isEmpty whether there is no installation at first; otherwise the first command is preceded by `sotto init` */
export function testCommand(
  t: Test,
  { isEmpty = false, cwd = t.testdir() }: { readonly isEmpty?: boolean; readonly cwd?: string } = {},
): TestCommand {
  let isMade = isEmpty
  const run: TestCommand['run'] = async (args, options) => {
    if (!isMade) {
      isMade = true
      const { code, stderr } = await runHere(cwd, ['init'], {})
      if (code !== 0) t.fail(`init failed: ${stderr}`)
    }
    return runHere(cwd, args, options)
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

async function runHere(
  cwd: string,
  args: readonly string[],
  { stdin = '', isTTY, stderrIsTTY, stdoutIsTTY, prompt, env = {} }: RunOptions = {},
): Promise<Outcome> {
  const stdout = Object.assign(new PassThrough(), { isTTY: stdoutIsTTY })
  const stderr = Object.assign(new PassThrough(), { isTTY: stderrIsTTY })
  const input = Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY })
  const code = await runProgram(args, { env, cwd, stdin: input, stdout, stderr, prompt })
  return { code, stdout: textIn(stdout), stderr: textIn(stderr) }
}

function textIn(stream: PassThrough): string {
  return String(stream.read() ?? '')
}

import { ok } from 'neverthrow'
import type { Test } from 'tap'
import { runSotto, spawnServer } from '../../support/spawned.ts'
import { testCommand, type RunOptions, type TestCommand } from '../../support/in-process.ts'

/** A server process with the account of its first start, and the command in another directory, without an installation. */
export interface Sender extends TestCommand {
  readonly url: string
  readonly token: string
  /** The environment that `sotto share` needs. */
  readonly env: NodeJS.ProcessEnv
  /** The command in the server's directory. */
  operate(args: readonly string[]): Promise<string>
}

export const owner = ['--account', 'owner@localhost']

export async function startSender(t: Test, settings: NodeJS.ProcessEnv = {}): Promise<Sender> {
  const cwd = t.testdir({ server: {} })
  const home = { cwd: `${cwd}/server`, env: settings }
  const { baseUrl: url, firstStart } = await spawnServer(t, home)
  const token = firstStart?.token ?? ''
  const env = { SOTTO_URL: url, SOTTO_TOKEN: token }
  const command = testCommand(t, { isEmpty: true, cwd })
  return {
    ...command,
    run: (args, options) => command.run(args, { ...options, env: { ...env, HOME: cwd, ...options?.env } }),
    json: (args, options) => command.json(args, { ...options, env: { ...env, HOME: cwd, ...options?.env } }),
    url,
    token,
    env,
    async operate(args) {
      const { code, stdout, stderr } = await runSotto(t, args, {
        ...home,
        env: { ...settings, SOTTO_LINK_BASE_URL: url },
      })
      if (code !== 0) t.fail(stderr)
      return stdout
    },
  }
}

/** Answers each question with the next line. */
export function typing(
  ...lines: readonly string[]
): Required<Pick<RunOptions, 'prompt'>> & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    prompt: async (question) => ok(lines[asked.push(question) - 1] ?? ''),
  }
}

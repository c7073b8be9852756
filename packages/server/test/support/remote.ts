import { expectOk } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import type { Test } from 'tap'
import { defaultOwnerEmail } from '../../src/config/settings-schema.ts'
import { makeFirstAccount } from '../../src/serving/first-start.ts'
import { testCommand, type RunOptions, type TestCommand } from './in-process.ts'
import { startTestServer } from './installation.ts'

/** A server with the account of its first start, and the command in another directory, without an installation. */
export interface Sender extends TestCommand {
  readonly url: string
  readonly token: string
  /** The environment that `sotto share` needs. */
  readonly env: NodeJS.ProcessEnv
  /** The command in the server's directory. */
  operate(args: readonly string[]): Promise<string>
}

export const owner = ['--account', defaultOwnerEmail]

export async function startSender(t: Test, settings: NodeJS.ProcessEnv = {}): Promise<Sender> {
  const cwd = t.testdir({ server: {} })
  const home = `${cwd}/server`
  const { baseUrl: url, installation } = await startTestServer(t, home, { env: settings })
  const first = expectOk(await makeFirstAccount(installation))
  if (typeof first === 'string') throw new TypeError(`expected a first start, not ${first}`)
  const { token } = first
  const env = { SOTTO_URL: url, SOTTO_TOKEN: token }
  const command = testCommand(t, { isEmpty: true, cwd })
  const operator = testCommand(t, { isEmpty: true, cwd: home })
  return {
    ...command,
    run: (args, options) => command.run(args, { ...options, env: { ...env, HOME: cwd, ...options?.env } }),
    json: (args, options) => command.json(args, { ...options, env: { ...env, HOME: cwd, ...options?.env } }),
    url,
    token,
    env,
    async operate(args) {
      const { code, stdout, stderr } = await operator.run(args, {
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

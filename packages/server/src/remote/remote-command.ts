import { bareLink, createClient, SottoError, type Client } from '@sotto/client'
import { InvalidArgumentError } from 'commander'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Cli, Surroundings } from '../cli/command.ts'
import { readLines } from '../cli/confidential-input.ts'
import type { AccessError, CliError } from '../errors/errors.ts'
import { createOutput, type Output } from '../cli/output.ts'
import { readAccess, type Access } from './access.ts'
import { promptOnTerminal, type HiddenPrompt } from '../cli/terminal.ts'
import type { RemoteFailure, RemoteWork } from '../errors/remote-errors.ts'

/** What a command works with that speaks to a service over HTTP. It has neither settings nor a database. */
export interface RemoteContext extends Surroundings {
  readonly prompt: HiddenPrompt
  readonly output: Output
  /** Tells a person something on standard error. With --json nobody reads it. */
  readonly inform: (sentence: string) => void
}

/** Commander passes the arguments, then the options, then the command. */
type Handler = (...given: unknown[]) => Promise<void>

/** The exit codes in the help of each of these commands; docs/send.md says more. */
export const exitCodesHelp =
  '\nExit codes:\n  0 done, 1 another error, 2 wrong usage, 3 the link, secret or request is gone, 4 the password is wrong or missing,\n' +
  '  5 the service cannot be reached, 6 try again later: the quota is used up, or the link is locked'

/** No request of a command takes longer, with its attempts and the waits between them, unless it has files. */
export const timeoutSeconds = 60

/** The longest time of a timer in Node.js: 24 days. */
const timerMaxSeconds = 2_147_483

/** How long sending or fetching files may take: a second more for each 64 KiB. */
export function transferSeconds(files: readonly { readonly size: number }[]): number {
  const seconds = files.reduce((sum, { size }) => sum + Math.ceil(size / 65_536), timeoutSeconds)
  return Math.min(seconds, timerMaxSeconds)
}

/** A service that asks to wait longer, as one whose quota is used up, is not asked again: the command says so immediately. */
const maxWaitSeconds = 10

/** The handler of such a command. `argument` is its first argument, `further` its second one. */
// The caller states the type of the options that it adds: commander does not know it.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export function remoteCommand<Options>(
  cli: Cli,
  work: (
    context: RemoteContext,
    options: Options,
    argument: string | undefined,
    further: string | undefined,
  ) => Promise<Result<void, CliError>>,
): Handler {
  return async (...given) => {
    const options = given.at(-2) as Options & { readonly json?: boolean }
    const [argument, further] = given.slice(0, -2) as (string | undefined)[]
    const { prompt = promptOnTerminal, stdout, stderr } = cli
    const { json = false } = options
    const inform = (sentence: string): void => {
      if (!json) stderr.write(`sotto: ${sentence}\n`)
    }
    const context = { ...cli, prompt, output: createOutput(stdout, { json }), inform }
    cli.settle(await work(context, options, argument, further))
  }
}

/** The client of the service that the environment or `sotto login` names. */
export function clientOf({ env }: Surroundings): Result<Client, AccessError> {
  return readAccess(env).andThen(clientWith)
}

export function clientWith({ url, token }: Access): Result<Client, AccessError> {
  try {
    return ok(createClient({ baseUrl: url, token, maxWaitSeconds }))
  } catch {
    return err({ code: 'access_invalid' })
  }
}

/** What a call of the client returns or throws, as a result. Its signal ends it in time. */
export function called<T>(
  work: RemoteWork,
  call: (signal: AbortSignal) => PromiseLike<T>,
  seconds = timeoutSeconds,
): ResultAsync<T, RemoteFailure> {
  const signal = AbortSignal.timeout(seconds * 1_000)
  return ResultAsync.fromPromise(Promise.resolve(call(signal)), (error) => {
    if (error instanceof SottoError) return { code: 'remote_failed', work, error }
    if (!signal.aborted) throw error
    const message = `There was no answer within ${seconds} seconds.`
    return { code: 'remote_failed', work, error: new SottoError('network_failure', message) }
  })
}

/** One line that nobody else may see: the first of standard input, or what the person at the terminal types, without being shown. */
export async function askFor(
  { stdin, prompt }: RemoteContext,
  question: string,
): Promise<Result<string, CliError>> {
  return stdin.isTTY ? prompt(question) : (await readLines(stdin, 1)).map(([line = '']) => line)
}

/** An argument that is an http or https URL. */
export function urlArgument(text: string): string {
  if (!isWebUrl(text)) throw new InvalidArgumentError('must be an http or https URL')
  return text
}

/** An argument that is a link, or `-` to read it. The link as the service made it: see {@link bareLink}. */
export function linkArgument(text: string): string {
  const link = text === '-' ? text : linkIn(text)
  if (link === undefined) throw new InvalidArgumentError('must be an http or https URL')
  return link
}

/** The link in what a person gave; `undefined` when there is none. */
export function linkIn(text: string): string | undefined {
  try {
    return bareLink(text).href
  } catch {
    return undefined
  }
}

function isWebUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

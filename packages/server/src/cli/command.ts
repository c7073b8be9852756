import type { Readable, Writable } from 'node:stream'
import { bounds, type Account, type DataCorrupted, type Uuid } from '@sotto/core'
import type { Command } from 'commander'
import { err, type Result } from 'neverthrow'
import { auditSotto, commandAudit } from '../audit.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import type { Installation, InstallationOptions } from '../installation/installation.ts'
import { errorText } from '../errors/error-text.ts'
import type { CliError } from '../errors/errors.ts'
import { createOutput, type Output } from './output.ts'
import type { HiddenPrompt } from './terminal.ts'

/** What a command uses of the process that it runs in. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** `isTTY` when a person types. */
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined }
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined }
  /** The prompt; by default the terminal that controls the process. */
  readonly prompt?: HiddenPrompt | undefined
}

/** What the functions that add commands to the program receive. */
export interface Cli extends Surroundings {
  /** Records the outcome of the command, which becomes the exit code. */
  readonly settle: (outcome: Result<void, CliError>) => void
}

/** Adds a command, with its subcommands, to the program. */
export type Add = (program: Command, cli: Cli) => void

/** What a command works with that reads or changes stored data. */
export interface StoreContext extends Surroundings, Omit<Installation, 'close'> {
  readonly output: Output
}

/** Commander passes the arguments, then the options, then the command. */
type Handler<Options> = (...given: [...args: string[], options: Options, command: Command]) => Promise<void>

/** Adds a command; `usage` is its name with its arguments. */
export function addCommand(
  parent: Command,
  usage: string,
  help: { readonly description: string; readonly examples: string },
): Command {
  return parent
    .command(usage)
    .description(help.description)
    .option('--json', 'answer with one JSON document')
    .addHelpText('after', `\nExample:\n${help.examples.replace(/^/gm, '  ')}`)
}

/** The command that others belong to. It stands before them in the list of commands. */
export function groupNamed(program: Command, name: string): Command {
  const group = program.commands.find((command) => command.name() === name)
  if (group === undefined) throw new TypeError(`these commands belong to sotto ${name}, which is added first`)
  return group
}

/** The handler of a command that needs the settings only. `args` are the command's arguments in their order. */
export function plainCommand<Options>(
  cli: Cli,
  work: (
    output: Output,
    settings: Settings,
    options: Options,
    ...args: readonly string[]
  ) => Promise<Result<void, CliError>>,
): Handler<Options> {
  return async (...given) => {
    // An argument that may be repeated is an array.
    const args = (given.slice(0, -2) as (string | readonly string[])[]).flat()
    const options = given.at(-2) as Options & { readonly json?: boolean }
    const settings = readSettings(cli.env, cli.cwd)
    const onCorruption = (corruption: DataCorrupted): void =>
      void cli.stderr.write(`sotto: ${errorText(corruption)} and is left out\n`)
    const output = createOutput(cli.stdout, { json: options.json ?? false, onCorruption })
    cli.settle(settings.isErr() ? err(settings.error) : await work(output, settings.value, options, ...args))
  }
}

/**
 * The handler of a command that works on stored data: opens the installation, which has to exist, and closes it in any case. A command
 * that made one would work in a second, empty installation whenever it does not have the settings of the server.
 */
export function storeCommand<Options>(
  cli: Cli,
  work: (
    context: StoreContext,
    options: Options,
    ...args: readonly string[]
  ) => Promise<Result<void, CliError>>,
): Handler<Options> {
  return plainCommand<Options>(cli, async (output, settings, options, ...args) => {
    // Commands that speak to a service do not need it.
    const { openInstallation } = await import('../installation/installation.ts')
    const opened = await openInstallation({ settings, mustExist: true, ...operatorWarnings(cli) })
    if (opened.isErr()) return err(opened.error)
    const { close, ...installation } = opened.value
    const audit = commandAudit(cli.stderr, settings)
    const sotto = audit === undefined ? installation.sotto : auditSotto(installation.sotto, audit)
    try {
      return await work({ ...cli, ...installation, sotto, output }, options, ...args)
    } finally {
      await close()
    }
  })
}

/** What a command works with that acts for an account. */
export interface AccountContext extends StoreContext {
  readonly account: Account
  readonly accountId: Uuid
}

/** Adds a command that acts for the account whose email an option names. */
// The caller states the type of the options that it adds: commander does not know it.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export function addAccountCommand<Options = unknown>(
  parent: Command,
  usage: string,
  {
    cli,
    accountOption = 'account',
    work,
    ...help
  }: {
    readonly description: string
    readonly examples: string
    readonly cli: Cli
    /** The name of that option. */
    readonly accountOption?: 'account' | 'email' | undefined
    readonly work: (
      context: AccountContext,
      options: Options,
      ...args: readonly string[]
    ) => Promise<Result<void, CliError>>
  },
): Command {
  return addCommand(parent, usage, help)
    .requiredOption(`--${accountOption} <email>`, 'the email of the account')
    .action(
      storeCommand<Options & Readonly<Record<'account' | 'email', string>>>(
        cli,
        async (context, options, ...args) => {
          const found = await context.sotto.findAccount({ email: options[accountOption] })
          if (found.isErr()) return err(found.error)
          const account = found.value
          return work({ ...context, account, accountId: account.id }, options, ...args)
        },
      ),
    )
}

/** What a label may be, for the help. */
export const labelRule = `1 to ${bounds.labelMaxCodePoints} characters, nothing invisible`

/** Whether an address can be opened: no server listens on port 0. */
export function isServed(origin: string): boolean {
  return new URL(origin).port !== '0'
}

/** Writes to standard error what an operator should know; ends the process when the disk failed. */
export function operatorWarnings({ stderr }: Surroundings): Pick<InstallationOptions, 'onFatal' | 'log'> {
  return {
    onFatal() {
      stderr.write(`sotto: ${errorText({ code: 'disk_unsafe' })}\n`)
      process.exit(1)
    },
    log(level, message) {
      if (level !== 'info') stderr.write(`sotto: ${message}\n`)
    },
  }
}

import type { Readable, Writable } from 'node:stream'
import { findAccount, type Uuid } from '@sotto/core'
import type { Command } from 'commander'
import { err, type Result } from 'neverthrow'
import { readSettings, type Settings } from '../config/settings.ts'
import { openInstallation, type Installation, type InstallationOptions } from '../installation.ts'
import type { CliFault } from './faults.ts'
import { createOutput, type Output } from './output.ts'

/** What a command meets of the process that it runs in. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** `isTTY` when a person types. */
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Writable
  readonly stderr: Writable
}

/** How the commands of each noun take part in the program. */
export interface Cli extends Surroundings {
  /** Keeps the outcome of a command for the end of the process. */
  readonly settle: (outcome: Result<void, CliFault>) => void
}

/** What a command works with that reads or changes what is stored. */
export interface StoreContext extends Surroundings {
  readonly settings: Settings
  readonly installation: Installation
  readonly output: Output
}

/** Commander hands over the arguments, then the options, then the command. */
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

/** Makes the handler of a command that needs no installation of its own, or opens it itself. */
export function plainCommand<Options>(
  cli: Cli,
  work: (
    output: Output,
    settings: Settings,
    options: Options,
    ...args: readonly string[]
  ) => Promise<Result<void, CliFault>>,
): Handler<Options> {
  return async (...given) => {
    const args = given.slice(0, -2) as string[]
    const options = given.at(-2) as Options & { readonly json?: boolean }
    const settings = readSettings(cli.env, cli.cwd)
    const output = createOutput(cli.stdout, { json: options.json ?? false })
    cli.settle(settings.isErr() ? err(settings.error) : await work(output, settings.value, options, ...args))
  }
}

/**
 * Makes the handler of a command that works on the store: opens the installation, making it when it is new, and closes it
 * whatever happens. `args` are the command's arguments in their order.
 */
export function storeCommand<Options>(
  cli: Cli,
  work: (
    context: StoreContext,
    options: Options,
    ...args: readonly string[]
  ) => Promise<Result<void, CliFault>>,
): Handler<Options> {
  return async (...given) => {
    const handler = plainCommand<Options>(cli, async (output, settings, options, ...args) => {
      const opened = await openInstallation({ settings, ...watch(cli) })
      if (opened.isErr()) return err(opened.error)
      const installation = opened.value
      try {
        return await work({ ...cli, settings, installation, output }, options, ...args)
      } finally {
        await installation.close()
      }
    })
    await handler(...given)
  }
}

/** What a command works with that acts for an account. */
export interface AccountContext extends StoreContext {
  readonly accountId: Uuid
}

/** Adds a command that acts for the account that its option `--account` names, and makes its handler. */
// Callers say what the options are that they add: commander does not know their types.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export function addAccountCommand<Options = unknown>(
  parent: Command,
  usage: string,
  {
    cli,
    work,
    ...help
  }: {
    readonly description: string
    readonly examples: string
    readonly cli: Cli
    readonly work: (
      context: AccountContext,
      options: Options,
      ...args: readonly string[]
    ) => Promise<Result<void, CliFault>>
  },
): Command {
  return addCommand(parent, usage, help)
    .requiredOption('--account <email>', 'the email of the account')
    .action(
      storeCommand<Options & { readonly account: string }>(cli, async (context, options, ...args) => {
        const account = await findAccount(context.installation.ports, { email: options.account })
        if (account.isErr()) return err(account.error)
        return work({ ...context, accountId: account.value.id }, options, ...args)
      }),
    )
}

/** Where a command tells what it is not asked for: that the disk failed, which ends it, and what an operator should know. */
export function watch({ stderr }: Surroundings): Pick<InstallationOptions, 'onFatal' | 'log'> {
  return {
    onFatal() {
      stderr.write('sotto: the disk did not keep what was written to it\n')
      process.exit(1)
    },
    log(level, message) {
      if (level !== 'info') stderr.write(`sotto: ${message}\n`)
    },
  }
}

import type { Pages } from '@sotto/core'
import type { Command } from 'commander'
import { err, type Result, type ResultAsync } from 'neverthrow'
import type { CliError } from '../errors/errors.ts'
import { addAccountCommand, isServed, type AccountContext, type Cli } from './command.ts'
import type { Answer, ListLayout } from './output.ts'

/** Adds a command to the program, or to the one that it belongs to. */
export type AddCommand = (parent: Command, cli: Cli) => void

/** What every command of an account says of itself. */
interface About {
  /** The command's name with its arguments. */
  readonly usage: string
  readonly description: string
  readonly examples: string
  /** Adds options of its own. */
  readonly options?: (command: Command) => Command
  /** The option that names the account: `account` by default. */
  readonly accountOption?: 'account' | 'email'
}

/** A command that does one thing for an account, and says what came of it. */
interface AccountCommand<Options, T, E extends CliError> extends About {
  readonly run: (context: AccountContext, id: string, options: Options) => ResultAsync<T, E>
  readonly answer: (value: T, id: string, options: Options) => Answer
}

export function accountCommand<Options, T, E extends CliError>({
  run,
  answer,
  ...about
}: AccountCommand<Options, T, E>): AddCommand {
  return (parent, cli) =>
    add(parent, about, cli, async (context, given, id) => {
      const options = given as Options
      const ran = await run(context, id, options)
      if (ran.isErr()) return err(ran.error)
      return context.output.answer(answer(ran.value, id.toLowerCase(), options))
    })
}

/** A command that does something to what its argument names, and says that it is done. */
interface IdCommand<T, E extends CliError> extends About {
  readonly run: (context: AccountContext, id: string) => ResultAsync<T, E>
  /** What is printed after the id. */
  readonly done: string
  readonly json: (id: string) => unknown
}

export function idCommand<T, E extends CliError>({ done, json, ...command }: IdCommand<T, E>): AddCommand {
  return accountCommand({ ...command, answer: (_value, id) => ({ text: `${id} ${done}`, json: json(id) }) })
}

/** A command that lists what an account has. */
interface ListCommand<T, E extends CliError> extends About, Omit<ListLayout<T>, 'json'> {
  readonly pages: (context: AccountContext) => Pages<T, E>
  /** Whether the JSON has links: they need the address at which they are opened. */
  readonly hasLinks?: boolean
  readonly json: (entry: T, linkBaseUrl: string) => unknown
}

export function listCommand<T, E extends CliError>({
  pages,
  hasLinks = false,
  columns,
  json,
  ...about
}: ListCommand<T, E>): AddCommand {
  return (parent, cli) =>
    add(parent, about, cli, async (context) => {
      const { linkBaseUrl } = context.settings
      if (hasLinks && !isServed(linkBaseUrl)) return err({ code: 'link_base_unknown' })
      return context.output.list(pages(context), { columns, json: (entry) => json(entry, linkBaseUrl) })
    })
}

/** A word with the commands below it. */
export function commandGroup(name: string, description: string, commands: readonly AddCommand[]): AddCommand {
  return (program, cli) => {
    const group = program.command(name).description(description)
    for (const add of commands) add(group, cli)
  }
}

function add(
  parent: Command,
  { usage, options, ...about }: About,
  cli: Cli,
  work: (context: AccountContext, options: unknown, id: string) => Promise<Result<void, CliError>>,
): void {
  const command = addAccountCommand(parent, usage, {
    ...about,
    cli,
    work: (context, given, id = '') => work(context, given, id),
  })
  options?.(command)
}

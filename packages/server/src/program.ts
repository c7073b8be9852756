import { Command, CommanderError } from 'commander'
import { ok, type Result } from 'neverthrow'
import { readVersion } from './version.ts'
import { workerCommand } from './workers/worker-command.ts'
import { isRemote, loadCommands } from './commands.ts'
import type { Cli, Surroundings } from './cli/command.ts'
import type { CliError } from './errors/errors.ts'
import { requireOptionsLate, usageText } from './cli/usage.ts'

/**
 * Runs the command `sotto`.
 *
 * @param args the words after the command's name
 * @returns the exit code: 0 done, 1 an error, 2 wrong usage, and those of `exitCodeOf`. Errors are described on standard error.
 */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings
  // A closed pipe would end the process if nothing listened. Writing checks for it.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
  if (args[0] === workerCommand && process.send !== undefined) {
    const { runWorker } = await import('./workers/worker.ts')
    return runWorker(surroundings)
  }
  const outcome: { settled: Result<void, CliError> } = { settled: ok() }
  const settle = (result: Result<void, CliError>): void => {
    outcome.settled = result
  }
  const program = await createProgram({ ...surroundings, settle }, args[0])
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    if (error.code === 'commander.help') return 2
    stderr.write(faultText(args, { code: 'usage', message: usageText(error, program, args) }))
    return 2
  }
  if (outcome.settled.isOk()) return 0
  const { error } = outcome.settled
  const { errorText } = await import('./errors/error-text.ts')
  const { exitCodeOf, publicCodeOf } = await import('./errors/errors.ts')
  stderr.write(faultText(args, { code: publicCodeOf(error), message: errorText(error) }))
  return exitCodeOf(error)
}

function faultText(
  args: readonly string[],
  fault: { readonly code: string; readonly message: string },
): string {
  const isDocument = isRemote(args) && args.includes('--json')
  return isDocument ? `${JSON.stringify({ error: fault })}\n` : `sotto: ${fault.message}\n`
}

/**
 * The command before it has parsed anything.
 * @param word the first word of its arguments, if only the commands that it names are needed
 */
export async function createProgram(cli: Cli, word?: string): Promise<Command> {
  const program = new Command('sotto')
    .description(
      'Self-hosted secret sharing: the server, the commands of its operator, and login, share, open and destroy for everybody else.',
    )
    .version(readVersion(), '--version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.stdout.write(text),
      writeErr: (text) => cli.stderr.write(text), // the help, when no command is given
      outputError: () => undefined, // commander's own messages repeat what was typed
    })
    .addHelpText(
      'after',
      '\nSettings are environment variables, or lines of the file sotto.env; see: sotto serve --help',
    )
  for (const add of await loadCommands(word)) add(program, cli)
  requireOptionsLate(program)
  return program
}

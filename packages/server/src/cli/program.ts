import { Command, CommanderError } from 'commander'
import { ok, type Result } from 'neverthrow'
import { readVersion } from '../version.ts'
import { addAccountCommands } from './account.ts'
import { addBackupCommands } from './backup.ts'
import { workerCommand } from '../workers/worker-command.ts'
import type { Cli, Surroundings } from './command.ts'
import { addCompletionCommand } from './completion/completion.ts'
import { addCorruptionCommands } from './damage.ts'
import { addDoctorCommand } from './doctor.ts'
import { addDraftCommands } from './draft.ts'
import { errorText } from './error-text.ts'
import { exitCodeOf, publicCodeOf, type CliError } from './errors.ts'
import { addFolderCommands } from './folder.ts'
import { addInitCommand } from './init.ts'
import { addKeysCommands } from './keys.ts'
import { addMoveCommand } from './move.ts'
import { addNotificationCommands } from './notification.ts'
import { addPurgeCommand } from './purge.ts'
import { addDestroyCommand } from './remote/destroy.ts'
import { addLoginCommand } from './remote/login.ts'
import { addAnswerCommand } from './remote/answer.ts'
import { addOpenCommand } from './remote/open.ts'
import { addShareCommand } from './remote/share.ts'
import { addRequestCommands } from './request.ts'
import { addSecretCommands } from './secret.ts'
import { addServeCommand } from './serve.ts'
import { addTokenCommands } from './token.ts'
import { requireOptionsLate, usageText } from './usage.ts'
import { addWebhookCommands } from './webhook.ts'

/**
 * Runs the command `sotto`.
 *
 * @param args the words after the command's name
 * @returns the exit code: 0 done, 1 an error, 2 wrong usage, and those of {@link exitCodeOf}. Errors are described on standard error.
 */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings
  // A closed pipe would end the process if nothing listened. Writing checks for it.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
  if (args[0] === workerCommand && process.send !== undefined) {
    const { runWorker } = await import('../workers/worker.ts')
    return runWorker(surroundings)
  }
  const outcome: { settled: Result<void, CliError> } = { settled: ok() }
  const settle = (result: Result<void, CliError>): void => {
    outcome.settled = result
  }
  const program = createProgram({ ...surroundings, settle })
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
  stderr.write(faultText(args, { code: publicCodeOf(error), message: errorText(error) }))
  return exitCodeOf(error)
}

/** The commands that speak to a service over HTTP. With --json their faults are documents, too. */
const remoteCommands: readonly (string | undefined)[] = ['login', 'share', 'open', 'answer', 'destroy']

function faultText(
  args: readonly string[],
  fault: { readonly code: string; readonly message: string },
): string {
  const isDocument = remoteCommands.includes(args[0]) && args.includes('--json')
  return isDocument ? `${JSON.stringify({ error: fault })}\n` : `sotto: ${fault.message}\n`
}

/** The command with all of its commands, before it has parsed anything. */
export function createProgram(cli: Cli): Command {
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
  addServeCommand(program, cli)
  addInitCommand(program, cli)
  addAccountCommands(program, cli)
  addFolderCommands(program, cli)
  addDraftCommands(program, cli)
  addSecretCommands(program, cli)
  addRequestCommands(program, cli)
  addTokenCommands(program, cli)
  addWebhookCommands(program, cli)
  addNotificationCommands(program, cli)
  addPurgeCommand(program, cli)
  addBackupCommands(program, cli)
  addMoveCommand(program, cli)
  addKeysCommands(program, cli)
  addDoctorCommand(program, cli)
  addCorruptionCommands(program, cli)
  addLoginCommand(program, cli)
  addShareCommand(program, cli)
  addOpenCommand(program, cli)
  addAnswerCommand(program, cli)
  addDestroyCommand(program, cli)
  addCompletionCommand(program, cli)
  requireOptionsLate(program)
  return program
}

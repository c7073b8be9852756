import { Command, CommanderError } from 'commander'
import { ok, type Result } from 'neverthrow'
import { readVersion } from './version.ts'
import { addAccountCommands } from './accounts/account-commands.ts'
import { addBackupCommands } from './storage/backup-commands.ts'
import { workerCommand } from './workers/worker-command.ts'
import type { Cli, Surroundings } from './cli/command.ts'
import { addCompletionCommand } from './completion/completion-command.ts'
import { addCorruptionCommands } from './storage/damage-commands.ts'
import { addDoctorCommand } from './doctor/doctor-command.ts'
import { addDraftCommands } from './drafts/draft-commands.ts'
import { errorText } from './errors/error-text.ts'
import { exitCodeOf, publicCodeOf, type CliError } from './errors/errors.ts'
import { addFolderCommands } from './folders/folder-commands.ts'
import { addInitCommand } from './serve/init-command.ts'
import { addKeysCommands } from './keys/keys-commands.ts'
import { addMoveCommand } from './storage/move-command.ts'
import { addNotificationCommands } from './notifications/notification-commands.ts'
import { addPurgeCommand } from './storage/purge-command.ts'
import { addDestroyCommand } from './secrets/destroy-command.ts'
import { addLoginCommand } from './remote/login-command.ts'
import { addAnswerCommand } from './requests/answer-command.ts'
import { addOpenCommand } from './secrets/open-command.ts'
import { addShareCommand } from './secrets/share-command.ts'
import { addRequestCommands } from './requests/request-commands.ts'
import { addSecretCommands } from './secrets/secret-commands.ts'
import { addServeCommand } from './serve/serve-command.ts'
import { addTokenCommands } from './access-tokens/token-commands.ts'
import { requireOptionsLate, usageText } from './cli/usage.ts'
import { addWebhookCommands } from './notifications/webhooks/webhook-commands.ts'

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
    const { runWorker } = await import('./workers/worker.ts')
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

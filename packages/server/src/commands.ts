import type { Command } from 'commander'
import { addTokenCommands } from './access-tokens/token-commands.ts'
import { addAccountCommands, addAccountGroup } from './accounts/account-commands.ts'
import { addCompletionCommand } from './completion/completion-command.ts'
import { addDoctorCommand } from './doctor/doctor-command.ts'
import { addDraftCommands } from './drafts/draft-commands.ts'
import { addFolderCommands } from './folders/folder-commands.ts'
import { addInvitationCommands } from './invitations/invitation-commands.ts'
import { addKeysCommands } from './keys/keys-commands.ts'
import { addNotificationCommands } from './notifications/notification-commands.ts'
import { addWebhookCommands } from './notifications/webhooks/webhook-commands.ts'
import { addLoginCommand } from './remote/login-command.ts'
import { addAnswerCommand } from './requests/answer-command.ts'
import { addRequestCommands } from './requests/request-commands.ts'
import { addDestroyCommand } from './secrets/destroy-command.ts'
import { addOpenCommand } from './secrets/open-command.ts'
import { addSecretCommands } from './secrets/secret-commands.ts'
import { addShareCommand } from './secrets/share-command.ts'
import { addInitCommand } from './serve/init-command.ts'
import { addServeCommand } from './serve/serve-command.ts'
import { addScriptsCommand } from './sealed/scripts-command.ts'
import { addUnsealCommand } from './sealed/unseal-command.ts'
import { addVerifyCommand } from './sealed/verify-command.ts'
import { addIdentityCommands } from './single-sign-on/identity-commands.ts'
import { addBackupCommands } from './storage/backup-commands.ts'
import { addCorruptionCommands } from './storage/damage-commands.ts'
import { addMoveCommand } from './storage/move-command.ts'
import { addPurgeCommand } from './storage/purge-command.ts'
import type { Cli } from './cli/command.ts'

interface Listed {
  /** Adds the command, with its subcommands, to the program. */
  readonly add: (program: Command, cli: Cli) => void
  /** The name of a command that speaks to a service over HTTP: with --json its faults are documents, too. */
  readonly remote?: string
}

/** Every command, in the order of the help. Names, help and completion follow from what each adds. */
export const commands: readonly Listed[] = [
  { add: addServeCommand },
  { add: addInitCommand },
  { add: addAccountGroup },
  { add: addInvitationCommands },
  { add: addAccountCommands },
  { add: addIdentityCommands },
  { add: addFolderCommands },
  { add: addDraftCommands },
  { add: addSecretCommands },
  { add: addRequestCommands },
  { add: addTokenCommands },
  { add: addWebhookCommands },
  { add: addNotificationCommands },
  { add: addPurgeCommand },
  { add: addBackupCommands },
  { add: addMoveCommand },
  { add: addKeysCommands },
  { add: addDoctorCommand },
  { add: addCorruptionCommands },
  { add: addLoginCommand, remote: 'login' },
  { add: addShareCommand, remote: 'share' },
  { add: addOpenCommand, remote: 'open' },
  { add: addUnsealCommand, remote: 'unseal' },
  { add: addVerifyCommand, remote: 'verify' },
  { add: addScriptsCommand },
  { add: addAnswerCommand, remote: 'answer' },
  { add: addDestroyCommand, remote: 'destroy' },
  { add: addCompletionCommand },
]

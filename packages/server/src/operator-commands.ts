import { addTokenCommands } from './access-tokens/token-commands.ts'
import { addAccountCommands, addAccountGroup } from './accounts/account-commands.ts'
import { addDoctorCommand } from './doctor/doctor-command.ts'
import { addDraftCommands } from './drafts/draft-commands.ts'
import { addFolderCommands } from './folders/folder-commands.ts'
import { addInvitationCommands } from './invitations/invitation-commands.ts'
import { addKeysCommands } from './keys/keys-commands.ts'
import { addNotificationCommands } from './notifications/notification-commands.ts'
import { addWebhookCommands } from './notifications/webhooks/webhook-commands.ts'
import { addRequestCommands } from './requests/request-commands.ts'
import { addSecretCommands } from './secrets/secret-commands.ts'
import { addIdentityCommands } from './single-sign-on/identity-commands.ts'
import { addBackupCommands } from './storage/backup-commands.ts'
import { addCorruptionCommands } from './storage/damage-commands.ts'
import { addMoveCommand } from './storage/move-command.ts'
import { addPurgeCommand } from './storage/purge-command.ts'
import type { Add } from './cli/command.ts'

/** The commands of the operator, on an installation that exists. */
export const commands: readonly Add[] = [
  addAccountGroup,
  addInvitationCommands,
  addAccountCommands,
  addIdentityCommands,
  addFolderCommands,
  addDraftCommands,
  addSecretCommands,
  addRequestCommands,
  addTokenCommands,
  addWebhookCommands,
  addNotificationCommands,
  addPurgeCommand,
  addBackupCommands,
  addMoveCommand,
  addKeysCommands,
  addDoctorCommand,
  addCorruptionCommands,
]

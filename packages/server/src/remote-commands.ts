import { addCompletionCommand } from './completion/completion-command.ts'
import { addAnswerCommand } from './requests/answer-command.ts'
import { addScriptsCommand } from './sealed/scripts-command.ts'
import { addUnsealCommand } from './sealed/unseal-command.ts'
import { addVerifyCommand } from './sealed/verify-command.ts'
import { addDestroyCommand } from './secrets/destroy-command.ts'
import { addOpenCommand } from './secrets/open-command.ts'
import { addShareCommand } from './secrets/share-command.ts'
import { addLoginCommand } from './remote/login-command.ts'
import type { Add } from './cli/command.ts'

/** The commands that need no installation. */
export const commands: readonly Add[] = [
  addLoginCommand,
  addShareCommand,
  addOpenCommand,
  addUnsealCommand,
  addVerifyCommand,
  addScriptsCommand,
  addAnswerCommand,
  addDestroyCommand,
  addCompletionCommand,
]

import { addInitCommand } from './serve/init-command.ts'
import { addServeCommand } from './serve/serve-command.ts'
import type { Add } from './cli/command.ts'

/** The commands that begin an installation. */
export const commands: readonly Add[] = [addServeCommand, addInitCommand]

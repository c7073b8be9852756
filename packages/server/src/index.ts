/** Sotto's server and command as functions, for programs that run an installation themselves. */

export type { LogLevel, Settings, SettingsInvalid } from './config/settings.ts'
export { readSettings, settingsSchema } from './config/settings.ts'
export type { Installation, InstallationError, InstallationOptions } from './installation.ts'
export { openInstallation } from './installation.ts'
export type { RunningServer, ServerError, ServerOptions } from './server.ts'
export { startServer } from './server.ts'
export type { Sweeper, SweeperLog } from './sweeper.ts'
export { startSystemSweeper } from './system-sweeper.ts'
export { createSystemClock } from '@sotto/system'
export type { Surroundings } from './cli/command.ts'
export { runProgram } from './cli/program.ts'

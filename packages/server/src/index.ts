/** The server and what the command `sotto` is made of, for programs that run an installation by themselves. */

export type { LogLevel, Settings, SettingsInvalid } from './config/settings.ts'
export { readSettings, settingsSchema } from './config/settings.ts'
export type { Installation, InstallationFault, InstallationOptions } from './installation.ts'
export { openInstallation } from './installation.ts'
export type { RunningServer, ServerFault, ServerOptions } from './server.ts'
export { startServer } from './server.ts'
export type { Sweeper, SweeperLog } from './sweeper.ts'
export { startSystemSweeper } from './system-sweeper.ts'
export type { Surroundings } from './cli/command.ts'
export { runProgram } from './cli/program.ts'

// Everything on a disk, with the settings of the server: `SOTTO_DATA_DIR`, `SOTTO_BASE_URL` and so on.
import { openInstallation, readSettings, startSystemSweeper } from '@sotto/server'
import { createApp } from './app.ts'

const settings = readSettings(process.env, process.cwd())
if (settings.isErr()) throw new Error('The settings are not valid.')
const opened = await openInstallation({
  settings: settings.value,
  onFatal: () => process.exit(1), // the disk did not keep what was written
  log: (level, message, fields) => console.warn(level, message, fields),
})
if (opened.isErr()) throw new Error(opened.error.code)
const installation = opened.value
const { baseUrl, host, port } = settings.value

const sessions = new Map([['a session of Ann', 'ann']])
const app = await createApp({ sotto: installation.sotto, origin: baseUrl, sessions, log: process.stdout })
const sweeper = startSystemSweeper(installation, app.log)
app.addHook('onClose', async () => {
  await sweeper.stop()
  await installation.close()
})
process.once('SIGTERM', () => void app.close())
await app.listen({ host, port })

import { constants } from 'node:os'
import type { Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { documentedSettings } from '../config/document.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import {
  firstStartText,
  makeFirstAccount,
  noFirstStartTexts,
  type FirstStart,
  type NoFirstStart,
} from '../first-start.ts'
import { openInstallation, type Installation } from '../installation.ts'
import { findFreePort, startServer, type RunningServer } from '../server.ts'
import { startSystemSweeper } from '../system-sweeper.ts'
import { addCommand, plainCommand, watch, type Cli } from './command.ts'
import type { CliFault } from './faults.ts'
import type { Output } from './output.ts'

/** Signals that come this soon after the first are echoes of it, in milliseconds. */
const echoMillis = 500

/** `sotto serve` */
export function addServeCommand(program: Command, cli: Cli): void {
  addCommand(program, 'serve', {
    description:
      'Runs the server until it gets SIGTERM or SIGINT. The first start makes an account and prints an access token.',
    examples: '$ SOTTO_PORT=8080 sotto serve',
  })
    .summary('the server')
    .addHelpText('after', `\nSettings (environment variables):\n${settingsHelp()}`)
    .action(plainCommand(cli, (output, settings) => serve(cli, output, settings)))
}

async function serve(cli: Cli, output: Output, given: Settings): Promise<Result<void, CliFault>> {
  const signal = stopSignal()
  const settings = given.port === 0 ? await onFreePort(cli, given.host) : ok(given)
  if (settings.isErr()) return err(settings.error)
  const opened = await openInstallation({ settings: settings.value, ...watch(cli) })
  if (opened.isErr()) return err(opened.error)
  const installation = opened.value
  try {
    return await serveFrom(installation, { cli, output, signal })
  } finally {
    await installation.close()
  }
}

async function serveFrom(
  installation: Installation,
  { cli, output, signal }: { readonly cli: Cli; readonly output: Output; readonly signal: Promise<string> },
): Promise<Result<void, CliFault>> {
  const { settings, ports } = installation
  const started = await startServer({ installation, logStream: cli.stderr })
  if (started.isErr()) return err(started.error)
  const server = started.value
  endProcessOnDefects(server)
  const sweeper = startSystemSweeper(installation, server.log)
  try {
    const made = await makeFirstAccount(ports)
    if (made.isErr()) return err(made.error)
    const told = await output.answer(announcement({ server, settings, made: made.value }))
    if (told.isErr()) server.log.warn('standard output is closed')
    server.log.info({ signal: await signal }, 'stopping')
    return ok()
  } finally {
    await server.stop()
    await sweeper.stop()
  }
}

/** Links are made with the port, so it is chosen before anything else. */
async function onFreePort({ env, cwd }: Cli, host: string): Promise<Result<Settings, CliFault>> {
  const port = await findFreePort(host)
  return port.isErr() ? err(port.error) : readSettings({ ...env, SOTTO_PORT: String(port.value) }, cwd)
}

/**
 * The first signal to stop. A later one ends the process at once. Ctrl-C reaches a terminal's whole process group, and those
 * who started this process pass it on as well: what comes right behind the first one is the same one.
 */
function stopSignal(): Promise<string> {
  let firstAtMillis: number | undefined
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        const nowMillis = performance.now()
        firstAtMillis ??= nowMillis
        if (nowMillis - firstAtMillis > echoMillis) process.exit(128 + constants.signals[signal])
        resolve(signal)
      })
    }
  })
}

/** After a defect nobody knows what state the process is in. */
function endProcessOnDefects({ log }: RunningServer): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, `${event}: the server ends`)
      process.exit(1)
    })
  }
}

function announcement({
  server,
  settings,
  made,
}: {
  readonly server: RunningServer
  readonly settings: Settings
  readonly made: FirstStart | NoFirstStart
}) {
  const { address } = server
  const { baseUrl, linkBaseUrl } = settings
  const where = `Sotto listens on ${address}, its API is ${baseUrl}/api, and ${baseUrl}/docs tells how to use it.`
  const first = typeof made === 'string' ? noFirstStartTexts[made] : firstStartText(made, baseUrl)
  return {
    text: `${where}${first.trimEnd() === '' ? '' : `\n${first.trimEnd()}`}`,
    json: {
      listening: address,
      base_url: baseUrl,
      link_base_url: linkBaseUrl,
      first_start:
        typeof made === 'string'
          ? null
          : {
              account: made.email,
              folder_id: made.folderId,
              folder_label: made.folderLabel,
              token: made.token,
            },
    },
  }
}

function settingsHelp(): string {
  return documentedSettings()
    .map(
      ({ name, default: byDefault, takes }) =>
        `  ${name.padEnd(24)}${byDefault.replaceAll('`', '')}\n${' '.repeat(26)}${takes}`,
    )
    .join('\n')
}

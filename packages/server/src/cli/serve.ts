import { constants } from 'node:os'
import { toWireAnnouncement } from '@sotto/wire'
import type { Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { auditSotto, type Audit } from '../audit.ts'
import { documentedSettings } from '../config/document.ts'
import { kubernetesNames } from '../config/kubernetes.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import {
  firstStartText,
  makeFirstAccount,
  noFirstStartTexts,
  type FirstStart,
  type NoFirstStart,
} from '../first-start.ts'
import { openInstallation, type Installation } from '../installation.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { MetricsServer } from '../metrics/metrics-server.ts'
import { findFreePort, startServer, type RunningServer, type ServerError } from '../server.ts'
import { startSystemNotifier } from '../system-notifier.ts'
import { startSystemSweeper } from '../system-sweeper.ts'
import { addCommand, operatorWarnings, plainCommand, type Cli } from './command.ts'
import type { CliError } from './errors.ts'
import type { Output } from './output.ts'

/** A signal that comes this soon after the first one is the same one, delivered twice. In milliseconds. */
const echoMillis = 500

/** `sotto serve` */
export function addServeCommand(program: Command, cli: Cli): void {
  addCommand(program, 'serve', {
    description:
      'Runs the server until it gets SIGTERM or SIGINT. The first start creates an account, and prints a one-time link and an access token.',
    examples: '$ SOTTO_PORT=8080 sotto serve',
  })
    .summary('runs the server')
    .addHelpText(
      'after',
      `\nSettings (environment variables, or lines of the file sotto.env):\n${settingsHelp()}`,
    )
    .action(plainCommand(cli, (output, settings) => serve(cli, output, settings)))
}

async function serve(cli: Cli, output: Output, given: Settings): Promise<Result<void, CliError>> {
  const signal = stopSignal()
  const settings = given.port === 0 ? await withFreePort(cli, given.host) : ok(given)
  if (settings.isErr()) return err(settings.error)
  const metrics = await metricsFor(settings.value)
  const opened = await openInstallation({ settings: settings.value, metrics, ...operatorWarnings(cli) })
  if (opened.isErr()) return err(opened.error)
  const installation = opened.value
  try {
    return await serveFrom(installation, { cli, output, signal, metrics })
  } finally {
    await installation.close()
  }
}

async function serveFrom(
  installation: Installation,
  {
    cli,
    output,
    signal,
    metrics,
  }: {
    readonly cli: Cli
    readonly output: Output
    readonly signal: Promise<string>
    readonly metrics: Metrics | undefined
  },
): Promise<Result<void, CliError>> {
  const { settings } = installation
  const measured = await startMetrics(installation, metrics)
  if (measured.isErr()) return err(measured.error)
  const started = await startServer({ installation, logStream: cli.stderr, onAnswer: metrics?.answered })
  if (started.isErr()) {
    await measured.value?.stop()
    return err(started.error)
  }
  const server = started.value
  endProcessOnDefects(server)
  const ignored = kubernetesNames(cli.env)
  if (ignored.length > 0)
    server.log.info({ ignored }, 'variables that Kubernetes sets for a Service are ignored')
  const sweeper = startSystemSweeper(installation, server.log)
  const notifier = startSystemNotifier(installation, server.log)
  try {
    const made = await makeFirstAccount(audited(installation, server))
    if (made.isErr()) return err(made.error)
    const answered = await output.answer(announcementOf(server, settings, made.value))
    if (answered.isErr()) server.log.warn('standard output is closed')
    server.log.info({ signal: await signal }, 'stopping')
    return ok()
  } finally {
    // At once, because each has 10 seconds at most. What is queued from now on is sent after the next start.
    await Promise.all([server.stop(), sweeper.stop(), notifier.stop(), measured.value?.stop()])
  }
}

/** Loaded only where it is wanted, so that it costs nothing elsewhere. */
async function metricsFor({ metricsPort }: Settings): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { createMetrics } = await import('../metrics/metrics.ts')
  return createMetrics()
}

async function startMetrics(
  installation: Installation,
  metrics: Metrics | undefined,
): Promise<Result<MetricsServer | undefined, ServerError>> {
  const { metricsPort: port } = installation.settings
  if (metrics === undefined || port === undefined) return ok(undefined)
  const { startMetricsServer } = await import('../metrics/metrics-server.ts')
  return startMetricsServer(installation, { metrics, port })
}

/** The first account and its token belong into the log, as later ones do. */
function audited(installation: Installation, { log }: RunningServer): Installation {
  const audit: Audit = (event, ids) => log.info({ audit: true, event, ...ids }, event)
  return { ...installation, sotto: auditSotto(installation.sotto, audit) }
}

/** The addresses of links contain the port, so it is chosen before anything else. */
async function withFreePort({ env, cwd }: Cli, host: string): Promise<Result<Settings, CliError>> {
  const port = await findFreePort(host)
  return port.isErr() ? err(port.error) : readSettings({ ...env, SOTTO_PORT: String(port.value) }, cwd)
}

/**
 * Resolves at the first signal to stop. A later signal ends the process at once. Ctrl-C reaches a terminal's whole process group, and
 * the process that started this one passes it on as well, so a second signal right after the first is the same one.
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

/** After a defect the state of the process is unknown. */
function endProcessOnDefects({ log }: RunningServer): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, `${event}: the server ends`)
      process.exit(1)
    })
  }
}

function announcementOf(
  { address }: RunningServer,
  { baseUrl, linkBaseUrl }: Settings,
  made: FirstStart | NoFirstStart,
): { readonly text: string; readonly json: unknown } {
  const where = `Sotto listens on ${address}, its API is ${baseUrl}/api, and ${baseUrl}/docs tells how to use it.`
  const isFirst = typeof made !== 'string'
  const more = (isFirst ? firstStartText(made, baseUrl) : noFirstStartTexts[made]).trimEnd()
  return {
    text: more === '' ? where : `${where}\n${more}`,
    json: toWireAnnouncement({ address, baseUrl, linkBaseUrl, firstStart: isFirst ? made : undefined }),
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

import { err, ok, type Result } from 'neverthrow'
import { clockOffsetMicros, watchClockOffset } from '../shared/clock-offset.ts'
import type { Settings } from '../config/settings.ts'
import { startFileSweeper } from '../files/file-sweeper.ts'
import {
  type Installation,
  type InstallationError,
  type InstallationOptions,
  openInstallation,
} from '../installation/installation.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { MetricsServer } from './metrics-server.ts'
import type { Notifier } from '../notifications/notifier.ts'
import { startServer, type RunningServer, type ServerOptions } from './server.ts'
import type { ServerError } from '../errors/errors.ts'
import type { Sweeper } from '../storage/sweeper.ts'
import { startShowing } from '../keys/shown-server.ts'
import { startSystemNotifier } from '../notifications/system-notifier.ts'
import { startSystemSweeper } from '../storage/system-sweeper.ts'
import { systemEveryMinute, systemTimers } from '../shared/timers.ts'
import { growHeapForPostgres } from '../installation/heap-growth.ts'
import { startWatchdog } from './watchdog.ts'

export interface ServingOptions extends Pick<InstallationOptions, 'onFatal' | 'log' | 'worker'> {
  readonly settings: Settings
  readonly logStream: ServerOptions['logStream']
  /** How long running requests and sends may take to finish. By default 10 and 9 seconds. */
  readonly stopMillis?: number
}

/** An installation that is open, and served by this process. */
export interface Serving {
  readonly installation: Installation
  readonly server: RunningServer
  /** Begins to sweep and to deliver messages, which one process of a server does. */
  lead(): void
  /** Tells the notifier that another process of this server has queued messages. */
  wake(): void
  /** Stops the server, then closes the installation. */
  stop(): Promise<void>
}

type Shown = ReturnType<typeof startShowing> | undefined

/** Opens the installation of these settings, and listens. */
export async function startServing(
  options: ServingOptions,
): Promise<Result<Serving, InstallationError | ServerError>> {
  if (options.settings.database !== undefined) growHeapForPostgres()
  const metrics = await metricsFor(options.settings)
  const opened = await openInstallation({ ...options, metrics })
  if (opened.isErr()) return err(opened.error)
  const started = await serve(opened.value, metrics, options)
  if (started.isErr()) await opened.value.close()
  return started
}

async function serve(
  installation: Installation,
  metrics: Metrics | undefined,
  { logStream, stopMillis }: ServingOptions,
): Promise<Result<Serving, ServerError>> {
  const measured = await startMetrics(installation, metrics)
  if (measured.isErr()) return err(measured.error)
  const started = await startServer({
    installation,
    logStream,
    onAnswer: metrics?.answered,
    ...(stopMillis !== undefined && { stopMillis }),
  })
  if (started.isErr()) {
    await measured.value?.stop()
    return err(started.error)
  }
  const server = started.value
  endProcessOnDefects(server)
  const unwatchLoop = startWatchdog({
    isLogged: installation.settings.logLevel !== 'silent',
    onLost: (error) => server.log.error({ err: error }, 'nothing watches the event loop any more'),
  })
  const fileSweeper = startFileSweeper({ ...installation, log: server.log })
  let leading: { sweeper: Sweeper; notifier: Notifier; unwatchClock: () => void; shown: Shown } | undefined
  return ok({
    installation,
    server,
    lead() {
      if (leading === undefined) void logStandbys(installation, server.log)
      leading ??= {
        unwatchClock: watchClockOffset({
          offsetMicros: () => clockOffsetMicros(installation.storage),
          everyMinute: systemEveryMinute,
          log: server.log,
        }),
        sweeper: startSystemSweeper(installation, server.log),
        notifier: startSystemNotifier(installation, server.log, { stopMillis }),
        // Servers have key files of their own only where servers on other machines use the database, too.
        shown:
          installation.settings.database &&
          startShowing({
            sotto: installation.sotto,
            address: server.address,
            timers: systemTimers,
            log: server.log,
          }),
      }
    },
    wake: () => leading?.notifier.wake(),
    async stop() {
      // Both end at once, because each has 10 seconds at most. What is queued from now on is sent after the next start.
      const { sweeper, notifier, shown, unwatchClock } = leading ?? {}
      unwatchClock?.()
      await Promise.all([
        ...[server.stop(), fileSweeper.stop(), sweeper?.stop(), notifier?.stop(), shown?.stop()],
        measured.value?.stop(),
      ])
      await installation.close()
      unwatchLoop()
    },
  })
}

/** Says on a shared database what becomes of an acknowledged write when a standby takes over. */
async function logStandbys({ settings, storage }: Installation, log: RunningServer['log']): Promise<void> {
  if (settings.database === undefined) return
  const findings = await storage.upkeep.examine()
  const standbys = findings.find(({ check }) => check === 'standbys')
  if (standbys !== undefined) log.info(`the database: ${standbys.text}`)
}

/** Metrics are loaded only where they are wanted, so that they cost nothing elsewhere. */
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
  const { startMetricsServer } = await import('./metrics-server.ts')
  return startMetricsServer(installation, { metrics, port })
}

/** Ends the process after a defect: its state is unknown then. */
function endProcessOnDefects({ log }: RunningServer): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, `${event}: the server ends`)
      process.exit(1)
    })
  }
}

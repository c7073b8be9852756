import cluster from 'node:cluster'
import { err, ok, type Result } from 'neverthrow'
import type { Cli } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import type { Output } from '../cli/output.ts'
import { readEnvironment } from '../config/environment.ts'
import type { Settings } from '../config/settings.ts'
import { smallHeapArguments } from '../serving/small-heap.ts'
import { systemTimers } from '../shared/timers.ts'
import { startWatchdog } from '../serving/watchdog.ts'
import { Supervisor } from './supervisor.ts'
import { forkWorker } from './fork-worker.ts'
import { workerCommand } from './worker-command.ts'

export interface PrimaryOptions {
  readonly cli: Cli
  readonly output: Output
  readonly settings: Settings
  /** Resolves with the signal that is to stop the server. */
  readonly signal: Promise<string>
}

/** Serves an installation from several processes, which this one starts and replaces. It opens nothing but the port. */
export async function serveWithWorkers(options: PrimaryOptions): Promise<Result<void, CliError>> {
  const { cli, output, settings, signal } = options
  if (!cluster.isPrimary) return err({ code: 'workers_nested' })
  const { values, ...environment } = readEnvironment(cli.env, cli.cwd)
  const withPort = { ...values, SOTTO_PORT: String(settings.port) }
  setUpCluster()
  const supervisor = new Supervisor({
    size: settings.workers,
    start: { environment: { ...environment, values: withPort }, cwd: cli.cwd },
    fork: forkWorker,
    timers: systemTimers,
  })
  void supervisor.announced.then(async (announcement) => {
    const answered = await output.answer(announcement)
    if (answered.isErr()) supervisor.log({ level: 'warn', details: {}, message: 'standard output is closed' })
  })
  startWatchdog({
    isLogged: settings.logLevel !== 'silent',
    onLost: ({ message }) =>
      supervisor.log({
        level: 'error',
        details: { reason: message },
        message: 'nothing watches the event loop of the first process any more',
      }),
  })
  // Keeps the process alive when no worker is left, until the next one is started.
  const keepAlive = setInterval(() => undefined, 60_000)
  const end = await Promise.race([
    signal.then((name) => ok(name)),
    supervisor.failed.then((error) => err(error)),
  ])
  await supervisor.stop(end.isOk() ? end.value : 'none')
  clearInterval(keepAlive)
  return end.map(() => undefined)
}

/**
 * The port belongs to the primary, and the workers accept from the same socket: one that dies takes no waiting connection with it. Turns
 * (SCHED_RR) would cost each connection a message between processes, see docs/decisions/workers.md.
 */
function setUpCluster(): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    args: [workerCommand],
    execArgv: smallHeapArguments(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

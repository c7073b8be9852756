import { err, type Result } from 'neverthrow'
import { announce } from '../serving/announcement.ts'
import { logStreamOf } from '../serving/readable-log.ts'
import { operatorWarnings, type Surroundings } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import { checkSettings, type Settings } from '../config/settings.ts'
import { startServing, type Serving } from '../serving/serving.ts'
import { createCheckpointTurn, type WorkerCheckpointTurn } from './checkpoint-turn.ts'
import { diskUnsafeExitCode, type FromWorker, type Start, type ToWorker } from './messages.ts'

/**
 * The time for requests and messages that are under way. Then the worker closes the installation; the primary kills what is left 1.5
 * seconds later.
 */
const stopMillis = 8_000

/**
 * One of the processes that serve an installation together. It does what its primary says until that tells it to stop: signals to a whole
 * group of processes are for the primary alone. Node.js ends a worker whose primary is gone.
 * @returns the exit code
 */
export async function runWorker(surroundings: Surroundings): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const { promise: started, resolve: start } = Promise.withResolvers<Start>()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<string>()
  let work: Work | undefined
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'start') start(message)
    else if (message.kind === 'stop') stop(message.signal)
    else work?.receive(message)
  })
  const first = await Promise.race([started, stopped])
  if (typeof first !== 'string') {
    work = await begin(first, surroundings)
    if (work !== undefined) {
      await post({ kind: 'listening' })
      await work.stop(await stopped)
    }
  }
  // Ends the process. Its exit code means nothing to the primary.
  process.disconnect()
  return 0
}

interface Work {
  receive(message: Exclude<ToWorker, { kind: 'start' | 'stop' }>): void
  stop(signal: string): Promise<void>
}

/** `undefined` when it cannot serve. Then the primary has been told why. */
async function begin(start: Start, surroundings: Surroundings): Promise<Work | undefined> {
  const checkpoints = createCheckpointTurn((file) => void post({ kind: 'erased', file }))
  const started = await serve(start, surroundings, checkpoints)
  if (started.isOk()) return workWith(started.value, { checkpoints, surroundings })
  await fail(started.error)
  return undefined
}

async function serve(
  start: Start,
  surroundings: Surroundings,
  checkpoints: WorkerCheckpointTurn,
): Promise<Result<Serving, CliError>> {
  const settings = checkSettings(start.environment, start.cwd)
  if (settings.isErr()) return err(settings.error)
  return startServing({
    settings: settingsOf(settings.value, start),
    logStream: logStreamOf(surroundings),
    stopMillis,
    worker: { checkpoints },
    log: operatorWarnings(surroundings).log,
    onFatal: () => process.exit(diskUnsafeExitCode),
  })
}

/** Each worker has a port of its own for its metrics: the next ones after the first. */
function settingsOf(settings: Settings, { number }: Start): Settings {
  const { metricsPort } = settings
  return metricsPort === undefined ? settings : { ...settings, metricsPort: metricsPort + number }
}

function workWith(
  serving: Serving,
  {
    checkpoints,
    surroundings,
  }: { readonly checkpoints: WorkerCheckpointTurn; readonly surroundings: Surroundings },
): Work {
  const { installation, server } = serving
  const unwatch = installation.watch({
    queued: coalesced(() => void post({ kind: 'queued' })),
    erased: () => undefined,
    gaveUp: () => undefined,
    disabledWebhook: () => undefined,
  })
  return {
    receive(message) {
      server.log.debug({ kind: message.kind }, 'told by the primary process')
      if (message.kind === 'wake') serving.wake()
      else if (message.kind === 'erased') checkpoints.passed(message.file)
      else if (message.kind === 'log') server.log[message.level](message.details, message.message)
      else if (message.kind === 'announce') void sayWhere(serving, surroundings)
      else {
        unwatch()
        checkpoints.take()
        serving.lead()
      }
    },
    async stop(signal) {
      server.log.info({ signal }, 'stopping')
      await serving.stop()
    },
  }
}

async function sayWhere(serving: Serving, { env }: Surroundings): Promise<void> {
  const announced = await announce(serving, env)
  if (announced.isErr()) await fail(announced.error)
  else await post({ kind: 'announced', announcement: announced.value })
}

/** Calls at most once in a turn of the event loop. */
function coalesced(call: () => void): () => void {
  let isPlanned = false
  return () => {
    if (isPlanned) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      call()
    })
  }
}

function fail(error: CliError): Promise<void> {
  return post({ kind: 'failed', error })
}

/** Resolves when the message is on its way, or the primary is gone. */
function post(message: FromWorker): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}

import { constants } from 'node:os'
import type { Command } from 'commander'
import { findFreePort } from '@sotto/system'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { documentedSettings } from '../config/document.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { notListening } from '../serving/server.ts'
import { startServing, type Serving } from '../serving/serving.ts'
import { announce } from '../serving/announcement.ts'
import { logStreamOf } from '../serving/readable-log.ts'
import { checkPlaces } from '../storage/check-places.ts'
import { addCommand, operatorWarnings, plainCommand, type Cli } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import type { Output } from '../cli/output.ts'

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
  const checked = checkPlaces(cli, given)
  if (checked.isErr()) return err(checked.error)
  const settings = given.port === 0 ? await withFreePort(cli, given.host) : ok(given)
  if (settings.isErr()) return err(settings.error)
  if (settings.value.workers > 1) {
    // Workers are loaded only where they are wanted, so that they cost nothing elsewhere.
    const { serveWithWorkers } = await import('../workers/primary.ts')
    return serveWithWorkers({ cli, output, settings: settings.value, signal })
  }
  const started = await startServing({
    settings: settings.value,
    logStream: logStreamOf(cli),
    ...operatorWarnings(cli),
  })
  if (started.isErr()) return err(started.error)
  const serving = started.value
  try {
    return await serveUntil(signal, serving, { cli, output })
  } finally {
    await serving.stop()
  }
}

async function serveUntil(
  signal: Promise<string>,
  serving: Serving,
  { cli, output }: { readonly cli: Cli; readonly output: Output },
): Promise<Result<void, CliError>> {
  const { log } = serving.server
  serving.lead()
  const announced = await announce(serving, cli.env)
  if (announced.isErr()) return err(announced.error)
  const answered = await output.answer(announced.value)
  if (answered.isErr()) log.warn('standard output is closed')
  log.info({ signal: await signal }, 'stopping')
  return ok()
}

/** The addresses of links contain the port, so it is chosen before anything else. */
async function withFreePort({ env, cwd }: Cli, host: string): Promise<Result<Settings, CliError>> {
  const port = await ResultAsync.fromPromise(findFreePort(host), (error) => notListening(error))
  return port.isErr() ? err(port.error) : readSettings({ ...env, SOTTO_PORT: String(port.value) }, cwd)
}

/**
 * Resolves at the first signal to stop. A later signal ends the process immediately. Ctrl-C reaches a terminal's whole process group, and
 * the process that started this one passes it on as well. So a second signal right after the first is the same one.
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

function settingsHelp(): string {
  return documentedSettings()
    .map(
      ({ name, default: byDefault, takes }) =>
        `  ${name.padEnd(24)}${byDefault.replaceAll('`', '')}\n${' '.repeat(26)}${takes}`,
    )
    .join('\n')
}

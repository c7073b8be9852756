import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Place } from './place.ts'

/** A running server. */
export interface Served {
  readonly pid: number
  /** Where it listens. */
  readonly origin: string
  /** Sends SIGTERM. Resolves when the process has ended. */
  stop(): Promise<void>
}

/**
 * Starts a server on a place, from the file of its program. Resolves when it listens.
 * @param onLog receives each line of its log; without it the log goes to standard error
 */
export async function serve(
  program: string,
  { directory, env }: Place,
  onLog?: (line: string) => void,
): Promise<Served> {
  const server = spawn(process.execPath, [program, 'serve', '--json'], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (onLog === undefined) server.stderr.pipe(process.stderr, { end: false })
  else createInterface({ input: server.stderr }).on('line', onLog)
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string]
  const { listening } = JSON.parse(line) as { listening: string }
  return {
    pid: server.pid ?? 0,
    origin: listening,
    async stop() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'close')
    },
  }
}

import { findFreePort } from '@sotto/system'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { accepts } from './nginx.ts'
import { temporaryFolder } from './readme-examples.ts'

/** The option of a test that skips it where Caddy is missing. */
export const needsCaddy =
  spawnSync('caddy', ['version']).status === 0 ? {} : { skip: 'caddy is not installed' }

export interface Caddy {
  readonly port: number
  /** Stops it, and resolves with everything that it has logged. */
  logs(): Promise<string>
}

/**
 * Runs Caddy with a Caddyfile of this repository, changed in its port: it speaks HTTP.
 * @param change puts the address of a running server in the place of the one in the file
 */
export async function startCaddy(
  t: Test,
  caddyfile: string,
  change: (text: string) => string,
): Promise<Caddy> {
  const port = await findFreePort()
  const directory = temporaryFolder(t)
  const text = change(caddyfile)
    .replace(/^\{\n/m, '{\n\tadmin off\n')
    .replace(/^\S+, \S+ \{/m, `http://sotto.example.org:${port}, http://s.example.org:${port} {`)
  const file = join(directory, 'Caddyfile')
  writeFileSync(file, text)
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { ...process.env, HOME: directory },
  })
  t.teardown(() => caddy.kill('SIGKILL'))
  let logged = ''
  for (const stream of [caddy.stdout, caddy.stderr])
    stream.on('data', (part: Buffer) => (logged += part.toString()))
  const closed = once(caddy, 'close')
  while (!(await accepts(port))) if (caddy.exitCode !== null) throw new Error(logged)
  const logs = async () => {
    caddy.kill('SIGTERM')
    await closed
    return logged
  }
  return { port, logs }
}

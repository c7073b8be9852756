import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { builtServer } from './servers.ts'

/** Builds the server as it would be published, from the current sources. */
export function buildServer(): void {
  const { status } = spawnSync('pnpm', ['--silent', '--filter', '@sotto/server', 'build'], {
    stdio: 'inherit',
  })
  if (status !== 0 || !existsSync(builtServer)) throw new Error('the server could not be built')
}

import { findFreePort } from '@sotto/system'
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './readme-examples.ts'

/** The option of a test that skips it where nginx is missing. */
export const needsNginx = spawnSync('nginx', ['-v']).status === 0 ? {} : { skip: 'nginx is not installed' }

/**
 * Runs nginx with the configuration of a document, changed in its port and its certificate: it speaks HTTP. Resolves with the port.
 * @param change puts the addresses of running servers in the place of those that the document prints
 */
export async function startNginx(t: Test, config: string, change: (text: string) => string): Promise<number> {
  const port = await findFreePort()
  const directory = temporaryFolder(t)
  const server = change(config)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(directory, 'nginx.conf')
  writeFileSync(
    file,
    `${user}\npid ${directory}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${temporary}\n${server}\n}\n`,
  )
  const nginx = spawn('nginx', ['-p', directory, '-c', file, '-g', 'daemon off; master_process off;'])
  t.teardown(() => nginx.kill('SIGKILL'))
  let errors = ''
  nginx.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const hasEnded = () => nginx.exitCode !== null
  while (!(await accepts(port))) if (hasEnded()) throw new Error(errors)
  return port
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy()
        resolve(true)
      })
  })
}

import { findFreePort } from '@sotto/system'
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { blocksOf, temporaryFolder } from './readme-examples.ts'

/** The option of a test that skips it where nginx is missing. */
export const needsNginx = spawnSync('nginx', ['-v']).status === 0 ? {} : { skip: 'nginx is not installed' }

const document = (name: string) =>
  readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8')
const [forOne = ''] = blocksOf(document('proxy'), 'nginx')
const [upstream = '', passed = ''] = blocksOf(document('scaling'), 'nginx')

/** The configuration that docs/proxy.md prints. */
export const nginxForOne = forOne

/** The same with the two changes that docs/scaling.md prints. */
export const nginxForThree = upstream + forOne.replace(/^ *proxy_pass .*\n/m, passed)

export interface Nginx {
  readonly port: number
  /** The port that stands for 80. */
  readonly plainPort: number
  /** Everything that it has written into a file or to standard error. */
  logs(): string
}

/**
 * Runs nginx with the configuration of a document, changed in its ports, its certificate and the place of its logs: it speaks HTTP. What
 * the configuration does not say about logs is as a distribution's package has it: an access log and an error log for all servers.
 * @param change puts the addresses of running servers in the place of those that the document prints
 */
export async function startNginx(t: Test, config: string, change: (text: string) => string): Promise<Nginx> {
  const [port, plainPort] = [await findFreePort(), await findFreePort()]
  const directory = temporaryFolder(t)
  const server = change(config)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
    .replaceAll('/var/log/nginx', directory)
    .replaceAll(/^ *ssl_.*\n/gm, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const logs = `error_log ${directory}/error.log info;`
  const all = `access_log ${directory}/access.log;\n${temporary}\n${server}`
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, `${user}\npid ${directory}/pid;\n${logs}\nevents {}\nhttp {\n${all}\n}\n`)
  const nginx = spawn('nginx', ['-p', directory, '-c', file, '-g', 'daemon off; master_process off;'])
  t.teardown(() => nginx.kill('SIGKILL'))
  let errors = ''
  nginx.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const hasEnded = () => nginx.exitCode !== null
  while (!(await accepts(port))) if (hasEnded()) throw new Error(errors)
  return { port, plainPort, logs: () => errors + filesBelow(directory) }
}

/** What is in the files of nginx, but for its configuration. */
function filesBelow(directory: string): string {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'nginx.conf')
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('')
}

/** Whether somebody listens on a port of this machine. */
export function accepts(port: number): Promise<boolean> {
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

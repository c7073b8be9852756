import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Test } from 'tap'

export interface Checkout {
  root: string
  /** Runs `node scripts/run.mjs` with the arguments, to its end. */
  run(args: string[], options?: { env?: NodeJS.ProcessEnv }): Promise<Ended>
  start(args: string[], env?: NodeJS.ProcessEnv): ChildProcess
  /** The arguments of each call of the pnpm that the registry has. */
  pnpmCalls(): string[]
  /** The names in `.tools`. */
  tools(): string[]
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

const PIN = { name: 'test-pnpm', version: '12.0.0' }

/**
 * A checkout with this repository's scripts and a server of one line, on a machine that has npm but no pnpm. Its registry is a
 * server of this process with one package, a pnpm that writes down its calls. `integrity` is the sha512 that the checkout names.
 */
export async function createCheckout(t: Test, { integrity }: { integrity?: string } = {}): Promise<Checkout> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sotto-run-')))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  const tarball = packPnpm(join(root, 'pnpm'))
  const registry = await serveRegistry(t, tarball)
  writeSources(root, { ...PIN, integrity: integrity ?? sha512(tarball) })
  const env = environment(root, registry)
  const start = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), ...args], { env: { ...env, ...more } })
  return {
    root,
    start,
    run: (args, options = {}) => ended(start(args, options.env)),
    pnpmCalls: () => linesOf(join(root, 'calls')),
    tools: () => (existsSync(join(root, '.tools')) ? readdirSync(join(root, '.tools')) : []),
  }
}

/** The tarball of a pnpm that installs nothing but, without --filter, TypeScript's folder. */
function packPnpm(folder: string): Buffer {
  const script = [
    '#!/bin/sh',
    'echo "$*" >>calls',
    'mkdir -p node_modules',
    'case "$*" in *--filter*) ;; *) mkdir -p node_modules/typescript ;; esac',
  ]
  mkdirSync(join(folder, 'package'), { recursive: true })
  writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify({ ...PIN, scripts: INSTALL_SCRIPT }))
  writeFileSync(join(folder, 'package', 'pnpm'), `${script.join('\n')}\n`)
  chmodSync(join(folder, 'package', 'pnpm'), 0o755)
  return execFileSync('tar', ['--create', '--gzip', '--file=-', 'package'], { cwd: folder })
}

const INSTALL_SCRIPT = { postinstall: 'echo "an install script ran" >>"$INIT_CWD/calls"; exit 1' }

function sha512(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

async function serveRegistry(t: Test, tarball: Buffer): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(tarball)
    const dist = { tarball: `${url()}/test-pnpm.tgz`, integrity: sha512(tarball) }
    const version = { ...PIN, dist, hasInstallScript: true }
    return response.end(JSON.stringify({ name: PIN.name, versions: { [PIN.version]: version } }))
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return url()
}

function writeSources(root: string, pnpm: object): void {
  const sources = join(import.meta.dirname, '..', '..', '..')
  cpSync(join(sources, 'run'), join(root, 'scripts', 'run'), { recursive: true })
  cpSync(join(sources, 'run.mjs'), join(root, 'scripts', 'run.mjs'))
  const platforms = ['', '-musl'].map((libc) => [`${process.platform}-${process.arch}${libc}`, { pnpm }])
  const files = {
    'package.json': '{}',
    'pnpm-lock.yaml': 'first',
    'scripts/run/tools.json': JSON.stringify(Object.fromEntries(platforms)),
    'scripts/test.mjs': `console.log('tested')`,
    'packages/server/src/main.ts': `console.log('served', ...process.argv.slice(2))`,
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}

/** PATH has this Node.js, npm and the system's own commands, but no pnpm. */
function environment(root: string, registry: string): NodeJS.ProcessEnv {
  const bin = join(root, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  symlinkSync(realpathSync(npmInPath()), join(bin, 'npm'))
  for (const tool of ['sh', 'mkdir', 'env']) symlinkSync(realpathSync(`/usr/bin/${tool}`), join(bin, tool))
  return { PATH: bin, HOME: root, npm_config_registry: registry, npm_config_update_notifier: 'false' }
}

function npmInPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, 'npm')).find((file) => existsSync(file))
  if (found === undefined) throw new Error('npm is not in PATH')
  return found
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

export function ended(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => {
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

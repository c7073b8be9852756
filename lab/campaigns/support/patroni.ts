import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@sotto/system'
import { query, rowsOf } from '../../../packages/adapter-postgres/test/support/server.ts'
import { asUser, isRoot, nobody, until } from './cluster.ts'
import type { CampaignDatabase } from './postgres.ts'

const programs = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', haproxy: '/usr/sbin/haproxy' }

/** The programs that are missing; none when the cluster can be started. */
export const missingPrograms = Object.values(programs).filter((path) => !existsSync(path))

interface Member {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly config: string
  readonly data: string
  process: ChildProcess | undefined
}

/**
 * A cluster of two PostgreSQL servers under Patroni, with etcd and HAProxy, as docs/scaling.md describes it. `crash` kills the leader and its
 * Patroni; `restart` resolves once the other one leads, and the old one follows it.
 */
export async function startPatroni(): Promise<CampaignDatabase> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sotto-patroni-'))
  if (isRoot) chownSync(root, nobody, nobody)
  const etcdPort = await findFreePort()
  const etcd = startProgram(programs.etcd, await etcdArguments(join(root, 'etcd'), etcdPort))
  const members = await Promise.all(['a', 'b'].map((name) => prepareMember(root, name, etcdPort)))
  for (const member of members) {
    startMember(member)
    if (member === members[0])
      await until('no server leads', async () => (await leaderOf(members)) === member)
  }
  const proxyPort = await findFreePort()
  const proxyConfig = join(root, 'haproxy.cfg')
  writeFileSync(proxyConfig, proxyText(proxyPort, members))
  const proxy = startProgram(programs.haproxy, ['-f', proxyConfig, '-db'])
  const urlOf = (database: string): string => `postgres://sotto@127.0.0.1:${proxyPort}/${database}`
  const untilSynchronous = () =>
    until('no synchronous standby follows', async () => {
      const rows = await rowsOf(
        urlOf('postgres'),
        `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND NOT pg_is_in_recovery()`,
      )
      return rows.length === 1
    })
  await untilSynchronous()

  let databases = 0
  let killed: Member | undefined
  return {
    async newSettings() {
      const name = `patroni_${(databases += 1)}`
      await query(urlOf('postgres'), `CREATE DATABASE ${name}`)
      return { SOTTO_DATABASE_URL: urlOf(name) }
    },
    async crash() {
      killed = await leaderOf(members)
      if (killed === undefined) throw new Error('no server leads')
      killMember(killed)
    },
    async restart() {
      await until('no other server leads', async () => {
        const leader = await leaderOf(members)
        return leader !== undefined && leader !== killed
      })
      if (killed !== undefined) startMember(killed)
      await untilSynchronous()
    },
    async stop() {
      for (const member of members) killMember(member)
      for (const program of [proxy, etcd]) await end(program)
      rmSync(root, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

function startProgram(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { ...asUser, env: { PATH: process.env['PATH'] }, stdio: 'ignore' })
  child.unref()
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function etcdArguments(data: string, port: number): Promise<readonly string[]> {
  const client = `http://127.0.0.1:${port}`
  const peer = `http://127.0.0.1:${await findFreePort()}`
  return [
    ...['--data-dir', data, '--listen-client-urls', client, '--advertise-client-urls', client],
    ...[
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
    ],
  ]
}

async function prepareMember(root: string, name: string, etcdPort: number): Promise<Member> {
  const [port, restPort] = [await findFreePort(), await findFreePort()]
  const [config, data] = [join(root, `${name}.json`), join(root, name)]
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) chownSync(data, nobody, nobody)
  const trusted = [
    'local all all trust',
    'host all all 127.0.0.1/32 trust',
    'host replication all 127.0.0.1/32 trust',
  ]
  // JSON is YAML.
  const text = JSON.stringify({
    scope: 'sotto',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
      pg_hba: trusted,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: '/usr/lib/postgresql/15/bin',
      pgpass: join(root, `${name}.pgpass`),
      authentication: { superuser: { username: 'sotto' }, replication: { username: 'sotto' } },
      parameters: { unix_socket_directories: root, shared_buffers: '32MB' },
      pg_hba: trusted,
    },
  })
  writeFileSync(config, text)
  return { name, port, restPort, config, data, process: undefined }
}

function startMember(member: Member): void {
  member.process = startProgram(programs.patroni, [member.config])
}

/** Kills Patroni first, which would start its server again. */
function killMember(member: Member): void {
  member.process?.kill('SIGKILL')
  member.process = undefined
  const file = join(member.data, 'postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  if (pid > 0) process.kill(pid, 'SIGKILL')
}

/** The member that Patroni calls the leader. */
async function leaderOf(members: readonly Member[]): Promise<Member | undefined> {
  for (const member of members) {
    const answer = await fetch(`http://127.0.0.1:${member.restPort}/primary`).catch(() => undefined)
    if (answer?.status === 200) return member
  }
  return undefined
}

function proxyText(port: number, members: readonly Member[]): string {
  const servers = members.map(
    ({ name, port: to, restPort }) =>
      `  server ${name} 127.0.0.1:${to} maxconn 150 check port ${restPort} inter 1s fall 2 rise 1 on-marked-down shutdown-sessions`,
  )
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen sotto
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
${servers.join('\n')}
`
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@sotto/system'
import type { Test } from 'tap'

const program = '/usr/sbin/pgbouncer'

/** Why a test with PgBouncer is skipped, in the form that tap takes. */
export const skip = existsSync(program) ? false : 'PgBouncer is not installed'

const nobody = 65_534
const startMillis = 120_000

/** Starts PgBouncer in transaction mode in front of a database, and returns the database's URL by way of it. */
export async function startPgBouncer(
  t: Test,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { hostname, port, username, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'sotto-pgbouncer-'))
  chmodSync(folder, 0o755)
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${username}" ""\n`)
  const listenPort = await findFreePort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'transaction',
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(file, `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`)
  for (const each of [users, file]) chmodSync(each, 0o644)
  const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const child = spawn(program, ['-q', file], { ...asUser, stdio: 'ignore' })
  t.teardown(async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true })
  })
  await listening(listenPort)
  return `postgres://${username}@127.0.0.1:${listenPort}${pathname}`
}

async function listening(port: number): Promise<void> {
  const endMillis = performance.now() + startMillis
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (performance.now() > endMillis) throw error
      await sleep(20)
    } finally {
      socket.destroy()
    }
  }
}

import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { spawnServer } from '../support/spawned.ts'

const connections = 700

/** How many connections this system accepts for a process that is busy. */
function systemMaximum(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}

const skip = systemMaximum() <= connections && 'this system keeps fewer'

t.test('connections that arrive while the server is busy are kept for it', { skip }, async (t) => {
  const server = await spawnServer(t, { cwd: t.testdir() })
  const port = Number(new URL(server.baseUrl).port)
  server.child.kill('SIGSTOP')
  const clients: Socket[] = []
  t.teardown(() => clients.forEach((client) => client.destroy()))
  const connected = Array.from({ length: connections }, async () => {
    const client = connect({ port, host: '127.0.0.1' })
    clients.push(client)
    return new Promise<boolean>((resolve) => {
      client.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
  })
  t.strictSame(new Set(await Promise.all(connected)), new Set([true]))
})

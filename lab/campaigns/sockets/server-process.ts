// A server with two hosts and short bounds, which says how it is whenever a line arrives.
//
// arguments: directory, and `leak` for a server that is broken on purpose
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startServer } from '@sotto/server'
import { findFreePort } from '@sotto/system'
import { expectOk } from '@sotto/test-kit'
import { addOwner } from '../support/owner.ts'
import { openPlace, placeIn } from '../support/place.ts'
import type { Scene } from './raw-case.ts'

/** How the process is. */
export interface State {
  readonly connections: number
  /** The size of the heap after garbage collection. */
  readonly heapBytes: number
  readonly residentBytes: number
  readonly descriptors: number
  /** Lines of the log about errors. */
  readonly errors: number
}

/** The bounds of the server, in milliseconds: longer than a busy machine keeps it from reading what was sent. */
const timeouts = { headersMillis: 4_000, requestMillis: 4_400, keepAliveMillis: 4_800 }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const [directory = '', flaw] = process.argv.slice(2)
const port = await findFreePort()
const scene = { base: `127.0.0.1:${port}`, link: `localhost:${port}` }
const place = placeIn(directory, {
  SOTTO_PORT: String(port),
  SOTTO_BASE_URL: `http://${scene.base}`,
  SOTTO_LINK_BASE_URL: `http://${scene.link}`,
})
// More calls than the settings allow: a campaign takes less than a day.
const quota = { perMinute: 1e12, perDay: 1e12 }
const installation = await openPlace({
  ...place,
  settings: { ...place.settings, policy: { ...place.settings.policy, quota } },
})
let server: Server | undefined
let errors = 0
const leaked: unknown[] = []
subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket & { server: Server } }
  server = socket.server
  if (flaw === 'leak') leaked.push(new Array<unknown>(2_000).fill(socket.remotePort))
})
const logStream = { write: (line: string) => void (errors += /"level":[56]0/.test(line) ? 1 : 0) }
const running = expectOk(await startServer({ installation, logStream, clients: { timeouts } }))
process.stdout.write(`${JSON.stringify(await furnish())}\n`)
const lines = createInterface({ input: process.stdin })
lines.on('line', () => void stateNow().then((state) => process.stdout.write(`${JSON.stringify(state)}\n`)))
await once(lines, 'close')
await running.stop()
await installation.close()

async function furnish(): Promise<Scene> {
  const { sotto } = installation
  const { accountId, folderId, token } = await addOwner(sotto)
  const secret = expectOk(await sotto.createSecret({ accountId, folderId, label: 'Secret', note: 'a note' }))
  return { ...scene, token, folderId, linkToken: secret.link.token }
}

async function stateNow(): Promise<State> {
  collectGarbage()
  const { heapUsed, rss } = process.memoryUsage()
  return {
    connections: await new Promise((resolve) => {
      if (server === undefined) resolve(0)
      else server.getConnections((_error, count) => resolve(count))
    }),
    heapBytes: heapUsed,
    residentBytes: rss,
    descriptors: readdirSync('/proc/self/fd').length,
    errors,
  }
}

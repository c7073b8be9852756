// Connections to a server of several processes, each of which stays with the process that has accepted it.
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { SpawnedServer } from './spawned.ts'

export interface Answered {
  readonly status: number
  /** The JSON of the answer, whatever it is. */
  readonly body: { readonly data?: unknown }
  readonly requestId: string
}

/** One connection, which is used for all of its requests. */
export interface Connection {
  ask(
    method: 'GET' | 'POST',
    path: string,
    given?: { readonly token?: string; readonly body?: object },
  ): Promise<Answered>
}

/** Connects until each worker has this many connections: those of each worker, by its process id. */
export async function connectToWorkers(
  t: Test,
  server: SpawnedServer,
  { workers, each }: { readonly workers: number; readonly each: number },
): Promise<Map<number, Connection[]>> {
  const byPid = new Map<number, Connection[]>()
  const isDone = (): boolean =>
    byPid.size === workers && [...byPid.values()].every(({ length }) => length >= each)
  for (let tries = 0; !isDone(); tries += 1) {
    if (tries === 50) throw new Error('the system gives no connections to one of the workers')
    // At once, so that no worker can accept all of them.
    const opened = Array.from({ length: 8 }, () => openConnection(t, server.baseUrl))
    await Promise.all(
      opened.map(async (connection) => {
        const pid = await pidOf(server, (await connection.ask('GET', '/healthz')).requestId)
        byPid.set(pid, [...(byPid.get(pid) ?? []), connection])
      }),
    )
  }
  return byPid
}

function openConnection(t: Test, baseUrl: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return {
    async ask(method, path, { token, body } = {}) {
      const headers = {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const sent = request(`${baseUrl}${path}`, { method, agent, headers })
      sent.end(body && JSON.stringify(body))
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return {
        status: response.statusCode ?? 0,
        body: (await json(response)) as Answered['body'],
        requestId: String(response.headers['x-request-id']),
      }
    },
  }
}

/** The process that has answered a request, from the line about it in the log. */
async function pidOf(server: SpawnedServer, requestId: string): Promise<number> {
  const line = new RegExp(`^.*"pid":(\\d+),.*"reqId":"${requestId}".*$`, 'm')
  return Number((await server.logged(line))[1])
}

import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'

/** How long the request may take. */
const cancelMillis = 5_000

/** What pg knows of a connection, which its types do not show. */
interface Known {
  readonly host: string
  readonly port: number
  readonly ssl: pg.ClientConfig['ssl']
  readonly processID: number | null
  readonly secretKey: number | null
}

/** A connection of pg that only asks for a cancellation. */
type Canceller = EventEmitter & {
  readonly stream: Duplex
  connect(port: number, host: string): void
  connect(path: string): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Has the server end the statement that a connection waits for, which is thrown away. Without it a COMMIT that waits for a standby would
 * occupy a backend until the standby is back, and each further attempt another one. The answer to the statement is not read: whether it took
 * effect stays unknown. With a pooler between, it passes the request on (PostgreSQL's protocol, 55.2.8).
 */
export function cancelUnanswered(client: pg.PoolClient): void {
  const { host, port, ssl, processID, secretKey } = client as unknown as Known
  if (processID === null || secretKey === null) return
  const config = { ssl } as pg.ConnectionConfig
  const canceller = new pg.Connection(config) as unknown as Canceller
  const timer = setTimeout(() => canceller.stream.destroy(), cancelMillis).unref()
  // Nobody waits for it: when it fails, the server ends the statement by its own limits.
  canceller.on('error', () => undefined)
  canceller.once('end', () => clearTimeout(timer))
  canceller.once(ssl ? 'sslconnect' : 'connect', () => canceller.cancel(processID, secretKey))
  if (host.startsWith('/')) canceller.connect(`${host}/.s.PGSQL.${port}`)
  else canceller.connect(port, host)
}

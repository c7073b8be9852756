import pg from 'pg'
import { clientConfigOf, connectMillis } from './client-config.ts'
import { HostClient } from './client.ts'
import { connectionOf, type Connection, type SendingOptions } from './connection.ts'
import {
  ConnectionBroke,
  HostFailed,
  isConnectionLost,
  isRefusal,
  NoHost,
  NotConnected,
  Unfit,
} from './errors.ts'
import { examineConnection, type Commits, type Examined } from './fitness.ts'
import { createHosts, realPausing } from './hosts.ts'
import { placeText, type ConnectionUrl } from './url.ts'

export interface ConnectingOptions extends SendingOptions {
  readonly url: ConnectionUrl
  readonly connectionsMax: number
  /** What the commits of these connections wait for; `on` by default. */
  readonly commits?: Commits | undefined
  /** Called with each new connection before anybody gets it; when it rejects, the connection is closed, and that is the caller's error. */
  readonly admit?: ((connection: Connection) => Promise<void>) | undefined
  /** Called when another host is used than before. */
  readonly onMove?: ((place: string) => void) | undefined
}

/** How long a connection that nobody uses stays open. */
export const idleMillis = 60_000

/** How long hosts are tried for one caller. */
const allHostsMillis = 10_000

type Taken = HostClient & pg.PoolClient

/**
 * A pool of connections to the first host that can be used. `take` tries as many times as there are hosts, beginning with the one that was
 * used last. Hosts that do not answer, are standbys or cannot be used for another reason are passed over. When all of them have just failed,
 * it waits first.
 */
export function createConnecting(
  options: ConnectingOptions,
  pausing = realPausing,
): {
  readonly pool: pg.Pool
  /** Rejects with NotConnected, {@link Unfit}, or with what `admit` rejects with. */
  take(): Promise<Taken>
} {
  const { url, pipeline, connectionsMax, onMove } = options
  const hosts = createHosts(url.hosts, ({ host, port }) => onMove?.(placeText(host, port)), pausing)
  const pool = new pg.Pool({
    Client: class extends HostClient {
      constructor() {
        const host = hosts.next()
        super(host, clientConfigOf(url, host, pipeline), () => hosts.failed(host))
      }
    },
    max: connectionsMax,
    idleTimeoutMillis: idleMillis,
    // Connections that nobody uses keep no process running.
    allowExitOnIdle: true,
    connectionTimeoutMillis: connectMillis,
  })

  /** A free connection, or a new one to the next host. */
  async function connect(): Promise<Taken> {
    try {
      const client: unknown = await pool.connect()
      return client as Taken
    } catch (error) {
      throw failureIn(error) ?? new NotConnected('no connection', { cause: error })
    }
  }

  async function tryNext(): Promise<Taken> {
    const client = await connect()
    if (client.examined !== undefined) return client
    try {
      client.examined = await admitClient(client, options)
    } catch (error) {
      const thrown = thrownOn(client, error)
      const isOfHost = thrown instanceof Unfit || isConnectionLost(thrown)
      // The failure is noted before the release, which may make a client for another caller.
      if (isOfHost) hosts.failed(client.to)
      client.release(true)
      throw isOfHost ? new HostFailed(client.to, thrown) : thrown
    }
    hosts.used(client.to)
    return client
  }

  return {
    pool,
    async take() {
      if (pool.idleCount === 0) await hosts.ready()
      const endMillis = pausing.nowMillis() + allHostsMillis
      const failures: HostFailed[] = []
      while (failures.length < url.hosts.length) {
        try {
          return await tryNext()
        } catch (error) {
          if (!(error instanceof HostFailed)) throw error
          failures.push(error)
          if (isRefusal(error.cause) || pausing.nowMillis() >= endMillis) break
        }
      }
      hosts.lost()
      throw url.hosts.length === 1 ? onlyFailure(failures) : new NoHost(failures)
    },
  }
}

function onlyFailure([failure]: readonly HostFailed[]): Error {
  const cause = failure?.cause
  return cause instanceof Unfit ? cause : new NotConnected('no connection', { cause })
}

/** The pool puts its own error around the client's when its time is up. */
function failureIn(error: unknown): HostFailed | undefined {
  if (error instanceof HostFailed) return error
  return error instanceof Error && error.cause instanceof HostFailed ? error.cause : undefined
}

/**
 * Examines a new connection. Nothing else is asked of it before it is known that its server may be used. Where statements are not prepared
 * or not pipelined, a pooler is assumed that cannot be noticed.
 */
async function admitClient(client: HostClient, options: ConnectingOptions): Promise<Examined> {
  const { admit = () => Promise.resolve(), commits = 'on', pipeline, prepare } = options
  const processId = pipeline && prepare ? client.toldProcessId : null
  const plain = connectionOf(client, { pipeline, prepare: false })
  const examined = await examineConnection(plain, { processId, commits })
  await admit(plain)
  return examined
}

/**
 * The error for something that was thrown on a connection. The socket, TLS and pg throw many kinds of errors once it broke; only what the
 * server answered before that is kept as it is.
 */
export function thrownOn({ broken }: HostClient, error: unknown): unknown {
  return broken === undefined || error instanceof pg.DatabaseError
    ? error
    : new ConnectionBroke('the connection broke', { cause: error })
}

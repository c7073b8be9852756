import type { Meter } from '@sotto/core'
import pg from 'pg'
import { cancelUnanswered } from './cancel.ts'
import { clientConfigOf } from './client-config.ts'
import { ClosingClient, socketOf } from './client.ts'
import { connectionOf, type Connection, type SendingOptions } from './connection.ts'
import { ConnectionBroke, isConnectionLost, isStale, NotConnected } from './errors.ts'
import { examineConnection, type Commits, type Examined } from './fitness.ts'
import type { ConnectionUrl } from './url.ts'

export interface PoolOptions extends SendingOptions {
  readonly url: ConnectionUrl
  readonly connectionsMax: number
  /** Receives how many connections are in use, and how many callers wait for one. */
  readonly meter?: Meter | undefined
  /** What these connections are called in measurements; `data` by default. */
  readonly part?: string | undefined
  /** What the commits of these connections wait for; `on` by default. */
  readonly commits?: Commits | undefined
  /** Called with each new connection before anybody gets it; when it rejects, the connection is closed, and that is the caller's error. */
  readonly admit?: ((connection: Connection) => Promise<void>) | undefined
}

/** How long a server may take to close a connection when the pool is closed. */
const goodbyeMillis = 1_000

/** Connections that are made when they are needed, at most so many. */
export interface Pool {
  /** Takes a connection for itself until `work` is done. One that broke is thrown away. */
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>

  /** Lets the work end that has begun, then ends all connections, also when the server does not answer any more. */
  close(): Promise<void>
}

export function createPool(options: PoolOptions & { readonly onError: (error: Error) => void }): Pool {
  const { connectionsMax, onError, meter, part = 'data' } = options
  const pool = new pg.Pool({
    ...clientConfigOf(options.url, options.pipeline),
    Client: ClosingClient,
    max: connectionsMax,
    idleTimeoutMillis: 60_000,
  })
  // A connection that breaks while it is idle: the next caller gets another one.
  pool.on('error', onError)
  meter?.gauge('connections_open', part, () => pool.totalCount)
  meter?.gauge('connections_used', part, () => pool.totalCount - pool.idleCount)
  meter?.gauge('connections_waiting', part, () => pool.waitingCount)

  const closing = closingOf(pool)
  const admitted = new WeakMap<pg.PoolClient, Examined>()

  async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new NotConnected('no connection', { cause: error })
    })
    // Without a listener an error of a connection that is in use would end the process. Its statement is rejected as well.
    let broken: Error | undefined
    const onBroken = (error: Error): void => void (broken = error)
    client.on('error', onBroken)
    try {
      const examined = admitted.get(client) ?? (await admitClient(client, options))
      admitted.set(client, examined)
      return await work(connectionOf(client, options, examined))
    } catch (error) {
      // What the socket, TLS or pg throw then is of many kinds. Only what the server answered before that stands for itself.
      const thrown =
        broken === undefined || error instanceof pg.DatabaseError
          ? error
          : new ConnectionBroke('the connection broke', { cause: error })
      // One that did not answer in time may still work on what was sent.
      const isUnanswered = broken === undefined && !(thrown instanceof pg.DatabaseError)
      if (isUnanswered && isConnectionLost(thrown)) cancelUnanswered(client)
      if (isConnectionLost(thrown) || isStale(thrown))
        broken ??= new Error('the connection is not used again', { cause: thrown })
      throw thrown
    } finally {
      client.off('error', onBroken)
      client.release(broken ?? (!admitted.has(client) || isUnusable(client)))
    }
  }

  const underWay = new Set<Promise<unknown>>()
  return {
    withConnection(work) {
      const running = withConnection(work)
      underWay.add(running)
      const isOver = (): void => void underWay.delete(running)
      running.then(isOver, isOver)
      return running
    },

    async close() {
      // pg refuses what still waits for a connection when its pool ends.
      await Promise.allSettled(underWay)
      await closing.end()
    },
  }
}

/**
 * Asks a new connection for nothing before it is known that its server may be used. Where statements are not prepared or not pipelined, a
 * pooler is assumed that cannot be noticed.
 */
async function admitClient(client: pg.PoolClient, options: PoolOptions): Promise<Examined> {
  const { admit = () => Promise.resolve(), commits = 'on', pipeline, prepare } = options
  const { processID } = client as unknown as { readonly processID: number | null }
  const processId = pipeline && prepare ? processID : null
  const plain = connectionOf(client, { pipeline, prepare: false })
  const examined = await examineConnection(plain, { processId, commits })
  await admit(plain)
  return examined
}

/** Ends a pool, and resolves once its connections are closed. A server that is gone does not close them, so after a moment they are cut. */
function closingOf(pool: pg.Pool): { end(): Promise<void> } {
  const open = new Map<pg.PoolClient, Promise<undefined>>()
  pool.on('connect', (client) => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    open.set(client, promise)
    client.once('end', () => {
      open.delete(client)
      resolve(undefined)
    })
  })
  return {
    async end() {
      const timer = setTimeout(() => {
        for (const client of open.keys()) socketOf(client).destroy()
      }, goodbyeMillis)
      await pool.end()
      await Promise.all(open.values())
      clearTimeout(timer)
    },
  }
}

/** Whether a connection must not be used again: its transaction is still open, because a ROLLBACK failed or was never sent. */
function isUnusable(client: pg.PoolClient): boolean {
  return client.getTransactionStatus() !== 'I'
}

import type { Meter } from '@sotto/core'
import pg from 'pg'
import { cancelUnanswered } from './cancel.ts'
import { socketOf } from './client.ts'
import { createConnecting, thrownOn, type ConnectingOptions } from './connecting.ts'
import { connectionOf, type Connection } from './connection.ts'
import { isConnectionLost, isStale } from './errors.ts'

export interface PoolOptions extends ConnectingOptions {
  /** Receives how many connections are in use, and how many callers wait for one. */
  readonly meter?: Meter | undefined
  /** What these connections are called in measurements; `data` by default. */
  readonly part?: string | undefined
}

/** How long a server may take to close a connection when the pool is closed. */
const goodbyeMillis = 1_000

/** Connections that are made when they are needed, up to a number. */
export interface Pool {
  /** Takes a connection for itself until `work` is done. One that broke is thrown away. */
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>

  /** Waits for the work that has begun, then ends all connections, also when the server does not answer any more. */
  close(): Promise<void>
}

export function createPool(options: PoolOptions & { readonly onError: (error: Error) => void }): Pool {
  const { onError, meter, part = 'data' } = options
  const { pool, take } = createConnecting(options)
  // A connection that breaks while it is idle: the next caller gets another one.
  pool.on('error', onError)
  meter?.gauge('connections_open', part, () => pool.totalCount)
  meter?.gauge('connections_used', part, () => pool.totalCount - pool.idleCount)
  meter?.gauge('connections_waiting', part, () => pool.waitingCount)
  const closing = closingOf(pool)

  async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await take()
    try {
      return await work(connectionOf(client, options, client.examined))
    } catch (error) {
      const thrown = thrownOn(client, error)
      // One that did not answer in time may still work on what was sent.
      const isUnanswered = client.broken === undefined && !(thrown instanceof pg.DatabaseError)
      if (isUnanswered && isConnectionLost(thrown)) cancelUnanswered(client)
      if (isConnectionLost(thrown) || isStale(thrown))
        client.broken ??= new Error('the connection is not used again', { cause: thrown })
      throw thrown
    } finally {
      client.release(client.broken ?? isUnusable(client))
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

import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Meter } from '@sotto/core'
import pg from 'pg'
import { clientConfigOf, type ClientOptions } from './client-config.ts'
import { ConnectionBroke, isConnectionLost, isStale, NotConnected } from './errors.ts'
import type { Asked, Sql, Statement, Value } from './sql.ts'

export interface PoolOptions extends ClientOptions {
  readonly connectionsMax: number
  /** Receives how many connections are in use, and how many callers wait for one. */
  readonly meter?: Meter | undefined
  /** What these connections are called in measurements; `data` by default. */
  readonly part?: string | undefined
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

/** One connection. */
export interface Connection extends Sql {
  /** Whether a statement may be sent before the one before it is answered. */
  readonly isPipelined: boolean

  /**
   * Sends a command that has neither parameters nor rows, such as BEGIN, and resolves to its tag.
   * @param limitMillis the longest that the answer may take, if not as long as any other one
   */
  command(text: string, limitMillis?: number): Promise<string>
}

export function createPool(options: PoolOptions & { readonly onError: (error: Error) => void }): Pool {
  const { connectionsMax, onError, meter, part = 'data', admit = () => Promise.resolve() } = options
  const pool = new pg.Pool({
    ...clientConfigOf(options),
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
  const admitted = new WeakSet<pg.PoolClient>()

  async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new NotConnected('no connection', { cause: error })
    })
    // Without a listener an error of a connection that is in use would end the process. Its statement is rejected as well.
    let broken: Error | undefined
    const onBroken = (error: Error): void => void (broken = error)
    client.on('error', onBroken)
    try {
      const connection = connectionOf(client, options)
      if (!admitted.has(client)) {
        await admit(connection)
        admitted.add(client)
      }
      return await work(connection)
    } catch (error) {
      // What the socket, TLS or pg throw then is of many kinds. Only what the server answered before that stands for itself.
      const thrown =
        broken === undefined || error instanceof pg.DatabaseError
          ? error
          : new ConnectionBroke('the connection broke', { cause: error })
      // One that did not answer in time may still work on what was sent.
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
 * A client that closes its socket when it cannot go on. pg leaves that to the server, which waits for a minute (its authentication_timeout)
 * for a password that is missing; until then the process could not end.
 */
class ClosingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    connectionIn(this).on('error', () => socketOf(this).destroy())
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

/** pg has no other way to end a connection immediately. */
function socketOf(client: object): Duplex {
  return connectionIn(client).stream
}

/** What a client of pg has below it, which its types do not show. */
function connectionIn(client: object): EventEmitter & { readonly stream: Duplex } {
  return (client as { readonly connection: EventEmitter & { readonly stream: Duplex } }).connection
}

/** Whether a connection must not be used again: its transaction is still open, because a ROLLBACK failed or was never sent. */
function isUnusable(client: pg.PoolClient): boolean {
  return client.getTransactionStatus() !== 'I'
}

export function connectionOf(
  client: pg.ClientBase,
  { prepare, pipeline }: Pick<PoolOptions, 'prepare' | 'pipeline'>,
): Connection {
  const run = (statement: Statement, values: readonly Value[]) =>
    client.query<unknown[]>({
      ...(prepare ? statement : { text: statement.text }),
      values: [...values],
      rowMode: 'array',
    })
  return {
    isPipelined: pipeline,
    rows: async <Row>(statement: Statement, values: readonly Value[] = []) =>
      (await run(statement, values)).rows as Row[],
    row: async <Row>(statement: Statement, values: readonly Value[] = []) =>
      (await run(statement, values)).rows[0] as Row | undefined,
    changes: async (statement, values = []) => (await run(statement, values)).rowCount ?? 0,
    async all(asked) {
      const rows = async ({ statement, values }: Asked) => (await run(statement, values)).rows
      if (pipeline) return Promise.allSettled(inOnePacket(client, () => asked.map(rows)))
      const settled: PromiseSettledResult<unknown[][]>[] = []
      for (const each of asked) settled.push(...(await Promise.allSettled([rows(each)])))
      return settled
    },
    command: async (text, limitMillis) =>
      (await client.query({ text, ...(limitMillis === undefined ? {} : { query_timeout: limitMillis }) }))
        .command,
  }
}

/** What `send` sends leaves together, which is one call of the system instead of one for each statement. */
function inOnePacket<T>(client: pg.ClientBase, send: () => T): T {
  const socket = socketOf(client)
  socket.cork()
  try {
    return send()
  } finally {
    socket.uncork()
  }
}

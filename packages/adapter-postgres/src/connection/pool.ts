import pg from 'pg'
import { isConnectionLost, NotConnected } from './errors.ts'
import type { Sql, Statement, Value } from './sql.ts'
import type { ConnectionUrl } from './url.ts'

export interface PoolOptions {
  readonly url: ConnectionUrl
  readonly connectionsMax: number
  readonly pipeline: boolean
  readonly prepare: boolean
  /** Settings of the server for these connections, such as `-c synchronous_commit=off`; see `options` of libpq. */
  readonly settings?: string | undefined
}

/** How long to wait for a connection, new or free. */
const connectMillis = 5_000
/** The longest that the server works on one statement. */
const statementMillis = 10_000
/** The longest that an answer may take: somewhat more than the server's own limit. */
const answerMillis = 15_000

/** What every connection is opened with. Nothing in it may be logged: it holds the credentials. */
export function clientConfigOf({
  url,
  pipeline,
  settings,
}: Pick<PoolOptions, 'url' | 'pipeline' | 'settings'>): pg.ClientConfig {
  return {
    ...url.config,
    application_name: url.applicationName,
    connectionTimeoutMillis: connectMillis,
    statement_timeout: statementMillis,
    idle_in_transaction_session_timeout: answerMillis,
    query_timeout: answerMillis,
    keepAlive: true,
    pipeline,
    types,
    ...(settings === undefined ? {} : { options: settings }),
  }
}

/** Times and counts are whole numbers far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((...asked: Parameters<typeof pg.types.getTypeParser>): unknown =>
    asked[0] === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(...asked)) as typeof pg.types.getTypeParser,
}

/** Connections that are made when they are needed, at most so many. */
export interface Pool {
  /** Takes a connection for itself until `work` is done. One that broke is thrown away. */
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>

  /** Ends all connections once they are free. */
  close(): Promise<void>
}

/** One connection. */
export interface Connection extends Sql {
  /** Whether a statement may be sent before the one before it is answered. */
  readonly isPipelined: boolean

  /** Sends a command that has neither parameters nor rows, such as BEGIN, and resolves to its tag. */
  command(text: string): Promise<string>
}

export function createPool(options: PoolOptions & { readonly onError: (error: Error) => void }): Pool {
  const { connectionsMax, onError } = options
  const pool = new pg.Pool({ ...clientConfigOf(options), max: connectionsMax, idleTimeoutMillis: 60_000 })
  // A connection that breaks while it is idle: the next caller gets another one.
  pool.on('error', onError)

  return {
    async withConnection(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw new NotConnected('no connection', { cause: error })
      })
      // Without a listener an error of a connection that is in use would end the process. Its statement is rejected as well.
      let broken: Error | undefined
      const onBroken = (error: Error): void => void (broken = error)
      client.on('error', onBroken)
      try {
        return await work(connectionOf(client, options))
      } catch (error) {
        // One that did not answer in time may still work on what was sent.
        if (isConnectionLost(error)) broken ??= new Error('the connection was lost', { cause: error })
        throw error
      } finally {
        client.off('error', onBroken)
        client.release(broken ?? isUnusable(client))
      }
    },

    close: () => pool.end(),
  }
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
    command: async (text) => (await client.query(text)).command,
  }
}

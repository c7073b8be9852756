import type pg from 'pg'
import { socketOf } from './client.ts'
import type { Examined } from './fitness.ts'
import type { Asked, Sql, Statement, Value } from './sql.ts'

/** One connection. */
export interface Connection extends Sql {
  /** Whether a statement may be sent before the one before it is answered. */
  readonly isPipelined: boolean

  /** The statement with which each transaction begins, because the connection is a pooler's and keeps no settings. */
  readonly eachTransaction?: string | undefined

  /**
   * Sends a command that has neither parameters nor rows, such as BEGIN, and resolves to its tag.
   * @param limitMillis the longest that the answer may take, if not as long as any other one
   */
  command(text: string, limitMillis?: number): Promise<string>
}

export type Isolation = 'SERIALIZABLE' | 'READ COMMITTED'

/** Begins a transaction; READ COMMITTED by default. */
export async function begin(
  { command, eachTransaction }: Connection,
  isolation: Isolation = 'READ COMMITTED',
): Promise<void> {
  const begin = `BEGIN ISOLATION LEVEL ${isolation}`
  await command(eachTransaction === undefined ? begin : `${begin}; ${eachTransaction}`)
}

/** How statements are sent. */
export interface SendingOptions {
  readonly pipeline: boolean
  readonly prepare: boolean
}

/** @param examined what is known of the connection; nothing while it is examined */
export function connectionOf(
  client: pg.ClientBase,
  { prepare, pipeline }: SendingOptions,
  examined?: Examined,
): Connection {
  const isPrepared = prepare && examined?.isPooled !== true
  const run = (statement: Statement, values: readonly Value[]) =>
    client.query<unknown[]>({
      ...(isPrepared ? statement : { text: statement.text }),
      values: [...values],
      rowMode: 'array',
    })
  return {
    isPipelined: pipeline,
    eachTransaction: eachTransactionOf(examined),
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

function eachTransactionOf(examined: Examined | undefined): string | undefined {
  if (examined?.isPooled !== true || examined.commits === undefined) return undefined
  return `SET LOCAL synchronous_commit TO ${examined.commits}`
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

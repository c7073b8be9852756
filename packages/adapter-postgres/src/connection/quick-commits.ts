import { createDatabase, type Database } from './database.ts'
import { createPool, type PoolOptions } from './pool.ts'

/** How many connections count the quota: one for accounts, one for addresses. */
const connectionsMax = 2

const setLocal = { name: 'quick_commit', text: 'SET LOCAL synchronous_commit TO off' }

/**
 * A database on connections of its own whose writes do not wait for the disk. A crash of the server may lose those of the latest moments
 * (`synchronous_commit` of PostgreSQL), which no write of another connection can depend on.
 *
 * The connections are opened with the setting. Behind a pooler, which is assumed where statements are not prepared or not pipelined, other
 * clients would later get them with the setting. So each transaction sets it for itself.
 */
export function createQuickDatabase(
  options: PoolOptions & { readonly onError: (error: Error) => void },
): Database & { close(): Promise<void> } {
  const { prepare, pipeline } = options
  const measuring = { meter: options.meter, part: 'quota' }
  if (prepare && pipeline) {
    const settings = { synchronous_commit: 'off' }
    return createDatabase(createPool({ ...options, ...measuring, connectionsMax, settings }), measuring)
  }
  const db = createDatabase(createPool({ ...options, ...measuring, connectionsMax }), measuring)
  return {
    ...db,
    statement: (work, writeOptions) =>
      db.transaction(
        async (sql) => {
          await sql.changes(setLocal)
          return work(sql)
        },
        { ...writeOptions, isolation: 'READ COMMITTED' },
      ),
  }
}

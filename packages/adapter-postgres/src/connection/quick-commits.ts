import { createDatabase, type Database } from './database.ts'
import { createPool, type PoolOptions } from './pool.ts'

/** How many connections count the quota: one for accounts, one for addresses. */
const connectionsMax = 2

/**
 * A database on connections of its own whose writes do not wait for the disk. A crash of the server may lose those of the latest moments
 * (`synchronous_commit` of PostgreSQL), which no write of another connection can depend on.
 */
export function createQuickDatabase(
  options: PoolOptions & { readonly onError: (error: Error) => void },
): Database & { close(): Promise<void> } {
  const measuring = { meter: options.meter, part: 'quota' }
  return createDatabase(createPool({ ...options, ...measuring, connectionsMax, commits: 'off' }), measuring)
}

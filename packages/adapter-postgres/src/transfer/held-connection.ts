import type { Connection } from '../connection/connection.ts'
import type { Pool } from '../connection/pool.ts'

/** A connection that is kept until it is released. */
export interface HeldConnection {
  readonly connection: Connection
  /** Ends the pool, and what was not committed is undone. */
  close(): Promise<void>
}

/** Rejects with what the pool rejects with. */
export function holdConnection(pool: Pool): Promise<HeldConnection> {
  return new Promise((resolve, reject) => {
    const held = pool.withConnection(
      (connection) =>
        new Promise<void>((release) => {
          resolve({
            connection,
            async close() {
              await connection.command('ROLLBACK').catch(() => undefined)
              release()
              await held.catch(() => undefined)
              await pool.close()
            },
          })
        }),
    )
    held.catch(reject)
  })
}

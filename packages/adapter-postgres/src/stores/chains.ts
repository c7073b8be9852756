import type { Uuid } from '@sotto/core'
import type { Sql, Value } from '../connection/sql.ts'

/** The deliveries to one target about one secret. They are sent one after the other. */
export interface Chain {
  /** See `targetKey`. */
  readonly target: readonly Value[]
  readonly secretId: Uuid
}

const first = {
  name: 'chains_first',
  text: `SELECT id FROM deliveries
    WHERE target_kind = $1 AND target_id = $2 AND secret_id = $3 AND dead_at IS NULL
    ORDER BY event_at, event_id LIMIT 1`,
}
const setHead = { name: 'chains_set_head', text: 'UPDATE deliveries SET is_head = $2 WHERE id = $1' }

/**
 * Runs a change to the deliveries of a chain, whose target is locked. Afterwards the first of those that are not dead is its head, and no
 * other one.
 */
export async function changeChain(
  sql: Sql,
  { target, secretId }: Chain,
  change: () => Promise<void>,
): Promise<void> {
  const [before] = (await sql.row<[Uuid]>(first, [...target, secretId])) ?? []
  await change()
  const [after] = (await sql.row<[Uuid]>(first, [...target, secretId])) ?? []
  if (before === after) return
  if (before !== undefined) await sql.changes(setHead, [before, false])
  if (after !== undefined) await sql.changes(setHead, [after, true])
}

import { changes, row, type Dialect, type SqlValue, type Work } from '../engine/engine.ts'
import type { TargetKey } from './targets.ts'

/** The deliveries to one target about one secret, or one request. They are sent one after the other. */
export interface Chain {
  readonly target: TargetKey
  /** The secret's or the request's id as the database spells it. */
  readonly secretId: SqlValue
}

/**
 * Runs a change to the deliveries of a chain, whose target is locked. Afterwards the first of those that are not dead is its head, and no
 * other one.
 */
export function* changeChain(dialect: Dialect, chain: Chain, change: () => Work<void>): Work<void> {
  const before = yield* firstOf(chain)
  yield* change()
  const after = yield* firstOf(chain)
  if (before !== undefined && after !== undefined && dialect.id.out(before) === dialect.id.out(after)) return
  if (before !== undefined) yield* setHead(dialect, before, false)
  if (after !== undefined) yield* setHead(dialect, after, true)
}

function* firstOf({ target, secretId }: Chain): Work<SqlValue> {
  const [id] =
    (yield* row<[SqlValue]>(
      `SELECT id FROM deliveries WHERE target_kind = $1 AND target_id = $2 AND secret_id = $3 AND dead_at IS NULL
       ORDER BY event_at, event_id LIMIT 1`,
      ...[...target, secretId],
    )) ?? []
  return id
}

function* setHead({ flag }: Dialect, id: SqlValue, isHead: boolean): Work<void> {
  yield* changes('UPDATE deliveries SET is_head = $2 WHERE id = $1', id, flag.in(isHead))
}

import { subjectOf, type NewDelivery } from '@sotto/core'
import { changeChain, type Chain } from './chains.ts'
import { changes, row, type Dialect, type SqlValue, type Work } from '../engine/engine.ts'
import { eventColumns, eventValues } from '../shared/events.ts'
import { refreshTarget, targetKey } from './targets.ts'

/** Adds a delivery to a locked target, or lets it join another one. */
export function* addDelivery(dialect: Dialect, delivery: NewDelivery): Work<void> {
  const { event, joins, dueAtMicros } = delivery
  const target = targetKey(dialect, delivery.target)
  const chain = { target, secretId: dialect.id.in(subjectOf(event)) }
  yield* changeChain(dialect, chain, function* () {
    const joined = joins ? yield* findToJoin(dialect, chain, event.type) : undefined
    if (joined !== undefined) return yield* join(dialect, joined, event)
    yield* changes(
      `INSERT INTO deliveries (id, target_kind, target_id, joins, due_at, ${eventColumns})
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      ...[dialect.id.in(delivery.id), ...target, dialect.flag.in(joins), dueAtMicros],
      ...eventValues(dialect, event),
    )
  })
  yield* refreshTarget(target)
}

type LastRow = [id: SqlValue, type: string, joins: unknown, wasLeased: unknown, count: number]

interface Joined {
  readonly id: SqlValue
  readonly isPause: boolean
}

/** The delivery that a new one joins. */
function* findToJoin({ flag }: Dialect, { target, secretId }: Chain, type: string): Work<Joined | undefined> {
  const last = yield* row<LastRow>(
    `SELECT id, event_type, joins, was_leased, count FROM deliveries
     WHERE target_kind = $1 AND target_id = $2 AND secret_id = $3 AND dead_at IS NULL
     ORDER BY event_at DESC, event_id DESC LIMIT 1`,
    ...[...target, secretId],
  )
  if (last === undefined) return undefined
  const [id, lastType, joins, wasLeased, count] = last
  const isJoined = lastType === type && flag.out(joins) && !flag.out(wasLeased)
  return isJoined ? { id, isPause: count === 0 } : undefined
}

/**
 * What a delivery says after an event has joined it: a pause takes the event's id; the others keep theirs, so that a message is sent under one
 * id.
 */
function* join(dialect: Dialect, { id, isPause }: Joined, event: NewDelivery['event']): Work<void> {
  const [eventId, ...values] = eventValues(dialect, event)
  const says = `event_type = $2, account_id = $3, secret_id = $4, folder_id = $5, event_at = $6, opens = $7, opens_left = $8,
    expires_at = $9, count = count + 1`
  if (isPause) {
    yield* changes(`UPDATE deliveries SET ${says}, event_id = $10 WHERE id = $1`, id, ...values, eventId)
  } else if (
    (yield* changes(`UPDATE deliveries SET ${says} WHERE id = $1 AND opens <= $7`, id, ...values)) === 0
  ) {
    yield* changes('UPDATE deliveries SET count = count + 1 WHERE id = $1', id)
  }
}

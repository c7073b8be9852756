import type { Cursor, Delivery, DeliveryFilter, DeliveryStore } from '@sotto/core'
import { cursorOf } from '../engine/codec.ts'
import { deliveryOf, deliveryRows } from './delivery-rows.ts'
import { rows, type Dialect, type Engine, type Work } from '../engine/engine.ts'

/** What is to be sent, or to be sent again, and what was given up. Neither is a pause. */
export const isWaiting = 'dead_at IS NULL AND count > 0'
const isDead = 'dead_at IS NOT NULL AND count > 0'

export function createDeliveryPage({ dialect, read }: Engine): DeliveryStore['page'] {
  return (filter, after, limit) =>
    read(function* () {
      const waiting = filter.dead === true ? [] : yield* page(dialect, isWaiting, filter, after, limit)
      const dead = filter.dead === false ? [] : yield* page(dialect, isDead, filter, after, limit)
      if (waiting.length === 0) return dead
      return dead.length === 0 ? waiting : [...waiting, ...dead].sort(byTime).slice(0, limit)
    })
}

function* page(
  dialect: Dialect,
  which: string,
  { accountId }: DeliveryFilter,
  after: Cursor | undefined,
  limit: number,
): Work<readonly Delivery[]> {
  const owner = accountId === undefined ? [] : [dialect.id.in(accountId)]
  const { columns, read } = deliveryRows(dialect)
  const found = yield* rows(
    `SELECT ${columns} FROM deliveries WHERE ${which}${accountId === undefined ? '' : ' AND account_id = $4'}
     AND (event_at, id) > ($1, $2) ORDER BY event_at, id LIMIT $3`,
    ...[...cursorOf(dialect, after), limit, ...owner],
  )
  return found.map((each) => deliveryOf(read(each)))
}

function byTime(one: Delivery, other: Delivery): number {
  return one.event.createdAtMicros - other.event.createdAtMicros || (one.id < other.id ? -1 : 1)
}

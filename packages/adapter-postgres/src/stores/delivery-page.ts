import type { Cursor, Delivery, DeliveryFilter, DeliveryStore } from '@sotto/core'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { cursorOf } from './codec.ts'
import { deliveryColumns, deliveryOf, type DeliveryRow } from './delivery-rows.ts'

/** What is to be sent, or to be sent again, and what was given up. Neither is a pause. */
export const isWaiting = 'dead_at IS NULL AND count > 0'
const isDead = 'dead_at IS NOT NULL AND count > 0'

const pageOf = (name: string, which: string, owned: string) => ({
  name: `deliveries_page_${name}`,
  text: `SELECT ${deliveryColumns} FROM deliveries
    WHERE ${which}${owned} AND (event_at, id) > ($1, $2) ORDER BY event_at, id LIMIT $3`,
})
const waiting = {
  all: pageOf('waiting', isWaiting, ''),
  ofAccount: pageOf('waiting_account', isWaiting, ' AND account_id = $4'),
}
const dead = {
  all: pageOf('dead', isDead, ''),
  ofAccount: pageOf('dead_account', isDead, ' AND account_id = $4'),
}

export function createDeliveryPage(db: Database): DeliveryStore['page'] {
  return (filter, after, limit) =>
    db.read(async (sql) => {
      const alive = filter.dead === true ? [] : await readRows(sql, waiting, filter, after, limit)
      const given = filter.dead === false ? [] : await readRows(sql, dead, filter, after, limit)
      if (alive.length === 0) return given
      return given.length === 0 ? alive : [...alive, ...given].sort(byTime).slice(0, limit)
    })
}

async function readRows(
  sql: Sql,
  { all, ofAccount }: typeof waiting,
  { accountId }: DeliveryFilter,
  after: Cursor | undefined,
  limit: number,
): Promise<readonly Delivery[]> {
  const range = [...cursorOf(after), limit]
  const rows = await (accountId === undefined
    ? sql.rows<DeliveryRow>(all, range)
    : sql.rows<DeliveryRow>(ofAccount, [...range, accountId]))
  return rows.map(deliveryOf)
}

function byTime(one: Delivery, other: Delivery): number {
  return one.event.createdAtMicros - other.event.createdAtMicros || (one.id < other.id ? -1 : 1)
}

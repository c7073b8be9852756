import type { Cursor, Delivery, DeliveryFilter, DeliveryStore } from '@sotto/core'
import type { Connections } from '../file/connections.ts'
import { cursorOf, uuidBytes } from './codec.ts'
import { deliveryOf, deliveryRead, type DeliveryRow } from './delivery-rows.ts'
import type { TargetRow } from './targets.ts'

/** What is to be sent, or to be sent again, and what was given up. Neither is a pause. */
export const isWaiting = 'dead_at IS NULL AND count > 0'
const isDead = 'dead_at IS NOT NULL AND count > 0'

type Row = [nr: number, accountId: string, webhookId: string, ...DeliveryRow]

export function createDeliveryPage(connections: Connections): DeliveryStore['page'] {
  const [readWaiting, readDead] = [
    createReadRows(connections, isWaiting),
    createReadRows(connections, isDead),
  ]
  return (filter, after, limit) =>
    connections.read(() => {
      const waiting = filter.dead === true ? [] : readWaiting(filter, after, limit)
      const dead = filter.dead === false ? [] : readDead(filter, after, limit)
      if (waiting.length === 0) return dead
      return dead.length === 0 ? waiting : [...waiting, ...dead].sort(byTime).slice(0, limit)
    })
}

function createReadRows(
  { reader }: Connections,
  which: string,
): (filter: DeliveryFilter, after: Cursor | undefined, limit: number) => readonly Delivery[] {
  const webhookId = '(SELECT webhook_id FROM targets WHERE nr = target_nr)'
  const prepare = (owned: string) =>
    reader
      .prepare<(Buffer | number)[], Row>(
        `SELECT target_nr, hex(account_id), hex(${webhookId}), ${deliveryRead} FROM deliveries
         WHERE ${owned}${which} AND (event_at, id) > (?, ?) ORDER BY event_at, id LIMIT ?`,
      )
      .raw()
  const [all, ofAccount] = [prepare(''), prepare('account_id = ? AND ')]
  return ({ accountId }, after, limit) => {
    const range = [...cursorOf(after), limit] as const
    const rows = accountId === undefined ? all.all(...range) : ofAccount.all(uuidBytes(accountId), ...range)
    return rows.map(([nr, account, webhook, ...columns]) => {
      const target: TargetRow = [nr, account, webhook]
      return deliveryOf(columns, target)
    })
  }
}

function byTime(one: Delivery, other: Delivery): number {
  return one.event.createdAtMicros - other.event.createdAtMicros || (one.id < other.id ? -1 : 1)
}

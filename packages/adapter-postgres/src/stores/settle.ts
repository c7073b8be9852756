import type { DeliveryStore, Settlement, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { changeChain } from './chains.ts'
import { lockLease, refreshTarget, targetKey } from './targets.ts'

const find = {
  name: 'settle_find',
  text: 'SELECT secret_id FROM deliveries WHERE id = $1 AND target_kind = $2 AND target_id = $3',
}

export function createSettle(db: Database): DeliveryStore['settle'] {
  return (lease, deliveryId, settlement) =>
    db.transaction(
      async (sql) => {
        if ((await lockLease(sql, lease)) !== 'mine') return ok(false)
        const target = targetKey(lease.target)
        const row = await sql.row<[Uuid]>(find, [deliveryId, ...target])
        if (row === undefined) return ok(false)
        await changeChain(sql, { target, secretId: row[0] }, () => apply(sql, deliveryId, settlement))
        await refreshTarget(sql, target)
        return ok(true)
      },
      { isolation: 'READ COMMITTED' },
    )
}

const remove = { name: 'settle_done', text: 'DELETE FROM deliveries WHERE id = $1' }
const pause = {
  name: 'settle_pause',
  text: `UPDATE deliveries SET due_at = $2, count = 0, attempts = 0, last_failure = NULL, was_leased = false
    WHERE id = $1`,
}
const retry = {
  name: 'settle_retry',
  text: 'UPDATE deliveries SET due_at = $2, attempts = attempts + 1, last_failure = $3 WHERE id = $1',
}
const giveUp = {
  name: 'settle_dead',
  text: 'UPDATE deliveries SET dead_at = $2, attempts = attempts + 1, last_failure = $3 WHERE id = $1',
}

async function apply(sql: Sql, id: Uuid, settlement: Settlement): Promise<void> {
  switch (settlement.outcome) {
    case 'done':
      await sql.changes(remove, [id])
      break
    case 'pause':
      await sql.changes(pause, [id, settlement.untilMicros])
      break
    case 'retry':
      await sql.changes(retry, [id, settlement.dueAtMicros, settlement.failure])
      break
    case 'dead':
      await sql.changes(giveUp, [id, settlement.atMicros, settlement.failure])
  }
}

import type { NewDelivery, Uuid } from '@sotto/core'
import type { Sql } from '../connection/sql.ts'
import { changeChain, type Chain } from './chains.ts'
import { eventColumns, eventValues } from './events.ts'
import { refreshTarget, targetKey } from './targets.ts'

const insert = {
  name: 'deliveries_insert',
  text: `INSERT INTO deliveries (id, target_kind, target_id, joins, due_at, ${eventColumns})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
}
const join = {
  name: 'deliveries_join',
  text: `UPDATE deliveries SET count = count + 1,
      event_id = CASE WHEN count = 0 THEN $2::uuid ELSE event_id END, event_type = $3, account_id = $4,
      secret_id = $5, folder_id = $6, event_at = $7, opens = $8, opens_left = $9, expires_at = $10
    WHERE id = $1 AND (count = 0 OR opens <= $8)`,
}
const countOnly = {
  name: 'deliveries_count',
  text: 'UPDATE deliveries SET count = count + 1 WHERE id = $1',
}

/** Adds a delivery to a locked target, or lets it join another one. */
export async function addDelivery(sql: Sql, delivery: NewDelivery): Promise<void> {
  const { id, event, joins, dueAtMicros } = delivery
  const target = targetKey(delivery.target)
  const chain = { target, secretId: event.secretId }
  await changeChain(sql, chain, async () => {
    const joined = joins ? await findToJoin(sql, chain, event.type) : undefined
    if (joined === undefined) {
      await sql.changes(insert, [id, ...target, joins, dueAtMicros, ...eventValues(event)])
    } else if ((await sql.changes(join, [joined, ...eventValues(event)])) === 0) {
      await sql.changes(countOnly, [joined])
    }
  })
  await refreshTarget(sql, target)
}

const last = {
  name: 'deliveries_last',
  text: `SELECT id, event_type, joins, was_leased FROM deliveries
    WHERE target_kind = $1 AND target_id = $2 AND secret_id = $3 AND dead_at IS NULL
    ORDER BY event_at DESC, event_id DESC LIMIT 1`,
}

/** The delivery that a new one joins. */
async function findToJoin(sql: Sql, { target, secretId }: Chain, type: string): Promise<Uuid | undefined> {
  const row = await sql.row<[Uuid, string, boolean, boolean]>(last, [...target, secretId])
  const [id, lastType, joins, wasLeased] = row ?? []
  return lastType === type && joins === true && wasLeased === false ? id : undefined
}

import type { DeliveryStore, Target, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { changeChain } from './chains.ts'
import { createDeliveryPage } from './delivery-page.ts'
import { createLease } from './leases.ts'
import { createNextDue, createQueueState } from './queue-state.ts'
import { createSettle } from './settle.ts'
import { eraseTarget, lockLease, refreshTarget, releaseTarget, targetKey } from './targets.ts'

const readCommitted = { isolation: 'READ COMMITTED' } as const

export function createDeliveries(db: Database): DeliveryStore {
  return {
    lease: createLease(db),

    settle: createSettle(db),

    release: (lease) =>
      db.transaction(async (sql) => {
        const found = await lockLease(sql, lease)
        if (found !== 'mine') return ok(found === 'nobody')
        const key = targetKey(lease.target)
        await releaseTarget(sql, key)
        await refreshTarget(sql, key)
        return ok(true)
      }, readCommitted),

    nextDue: createNextDue(db),

    page: createDeliveryPage(db),

    retry: (id, nowMicros) =>
      db.transaction(async (sql) => ok(await retry(sql, id, nowMicros)), readCommitted),

    eraseTarget: (target) =>
      db.statement(async (sql) => {
        await eraseTarget(sql, target)
        return ok()
      }),

    eraseDead: (deadByMicros, limit) =>
      db.transaction(async (sql) => ok(await eraseDead(sql, deadByMicros, limit)), readCommitted),

    state: createQueueState(db),
  }
}

type TargetRow = [kind: Target['kind'], id: Uuid]

const targetOfDelivery = {
  name: 'deliveries_target',
  text: `SELECT t.kind, t.id FROM targets t JOIN deliveries d ON d.target_kind = t.kind AND d.target_id = t.id
    WHERE d.id = $1 FOR UPDATE OF t`,
}
const find = {
  name: 'deliveries_find',
  text: 'SELECT secret_id FROM deliveries WHERE id = $1 AND count > 0',
}
const makeDue = {
  name: 'deliveries_make_due',
  text: 'UPDATE deliveries SET due_at = $2, attempts = 0, dead_at = NULL WHERE id = $1',
}

async function retry(sql: Sql, id: Uuid, nowMicros: number): Promise<boolean> {
  const target = await sql.row<TargetRow>(targetOfDelivery, [id])
  // Read after the lock: the delivery may be gone since, or a pause.
  const row = await sql.row<[Uuid]>(find, [id])
  if (target === undefined || row === undefined) return false
  await changeChain(sql, { target, secretId: row[0] }, async () => {
    await sql.changes(makeDue, [id, nowMicros])
  })
  await refreshTarget(sql, target)
  return true
}

const targetsOfDead = {
  name: 'deliveries_dead_targets',
  text: `SELECT kind, id FROM targets WHERE (kind, id) IN
      (SELECT target_kind, target_id FROM deliveries WHERE dead_at <= $1 ORDER BY dead_at LIMIT $2)
    ORDER BY kind, id FOR UPDATE`,
}
const removeDead = {
  name: 'deliveries_erase_dead',
  text: `DELETE FROM deliveries WHERE id IN
      (SELECT d.id FROM deliveries d WHERE d.dead_at <= $1
        AND (d.target_kind, d.target_id) IN (SELECT * FROM unnest($3::text[], $4::uuid[]))
       ORDER BY d.dead_at LIMIT $2)
    AND dead_at <= $1`,
}

/** Only deliveries to the targets that it has locked: others may be among the oldest by then. The dead are in no chain any more. */
async function eraseDead(sql: Sql, deadByMicros: number, limit: number): Promise<number> {
  const targets = await sql.rows<TargetRow>(targetsOfDead, [deadByMicros, limit])
  const [kinds, ids] = [targets.map(([kind]) => kind), targets.map(([, id]) => id)]
  const erased = await sql.changes(removeDead, [deadByMicros, limit, kinds, ids])
  for (const target of targets) await refreshTarget(sql, target)
  return erased
}

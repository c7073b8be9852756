import type { Delivery, DeliveryStore, Lease, LeaseOptions, Target, Uuid } from '@sotto/core'
import { ok, okAsync } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { deliveryColumns, deliveryOf, type DeliveryRow } from './delivery-rows.ts'
import { leaseTarget, refreshTarget } from './targets.ts'

type TargetRow = [kind: Target['kind'], id: Uuid]

/** Whether there is a target to lease, or one that a clock that ran ahead keeps waiting. */
const isAny = {
  name: 'leases_is_any',
  text: `SELECT EXISTS (SELECT 1 FROM targets WHERE kind = $1 AND due_at <= $2)
    OR EXISTS (SELECT 1 FROM targets WHERE kind = $1 AND due_at > $3)`,
}
/** Targets that another transaction has locked are left out: it leases them, or changes when they are due. */
const due = {
  name: 'leases_due',
  text: `SELECT kind, id FROM targets WHERE kind = $1 AND due_at <= $2
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
}
const ahead = {
  name: 'leases_ahead',
  text: `SELECT kind, id FROM targets WHERE kind = $1 AND due_at > $2
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
}

export function createLease(db: Database): DeliveryStore['lease'] {
  const isWaiting = ({ kind, nowMicros, latestMicros }: LeaseOptions) =>
    db.read(async (sql) => (await sql.row<[boolean]>(isAny, [kind, nowMicros, latestMicros]))?.[0] === true)
  const leaseAll = (options: LeaseOptions) =>
    db.transaction(async (sql) => ok(await leaseDue(sql, options)), { isolation: 'READ COMMITTED' })
  // Most calls find nothing. They write nothing either.
  return (options) => isWaiting(options).andThen((found) => (found ? leaseAll(options) : okAsync([])))
}

async function leaseDue(sql: Sql, options: LeaseOptions): Promise<readonly Lease[]> {
  const { kind, nowMicros, ids } = options
  await correctFuture(sql, options)
  const leases: Lease[] = []
  for (const [at, key] of (await sql.rows<TargetRow>(due, [kind, nowMicros, ids.length])).entries()) {
    const lease = await leaseOne(sql, key, ids[at] ?? '', options)
    if (lease !== undefined) leases.push(lease)
  }
  return leases
}

const endAheadLease = {
  name: 'leases_end_ahead',
  text: 'UPDATE targets SET leased_until = NULL WHERE kind = $1 AND id = $2 AND leased_until > $3',
}
/** Makes those deliveries to a target due that a clock that ran ahead put off. */
const makeAheadDue = {
  name: 'leases_make_due',
  text: `UPDATE deliveries SET due_at = $3 WHERE id IN
    (SELECT id FROM deliveries WHERE target_kind = $1 AND target_id = $2 AND is_head AND due_at > $4
     ORDER BY due_at LIMIT $5)`,
}

/** Corrects what a clock that ran ahead has left, of as many targets as can be leased. */
async function correctFuture(sql: Sql, options: LeaseOptions): Promise<void> {
  const { kind, nowMicros, latestMicros, ids, perTarget } = options
  for (const key of await sql.rows<TargetRow>(ahead, [kind, latestMicros, ids.length])) {
    await sql.changes(endAheadLease, [...key, latestMicros])
    await sql.changes(makeAheadDue, [...key, nowMicros, latestMicros, perTarget])
    await refreshTarget(sql, key)
  }
}

const dueHeads = {
  name: 'leases_due_heads',
  text: `SELECT ${deliveryColumns} FROM deliveries
    WHERE target_kind = $1 AND target_id = $2 AND is_head AND due_at <= $3
    ORDER BY due_at, event_at, event_id LIMIT $4`,
}
const markLeased = {
  name: 'leases_mark',
  text: 'UPDATE deliveries SET was_leased = true WHERE id = ANY ($1::uuid[])',
}

/** Leases a locked target; `undefined` when nothing of it is due after all. */
async function leaseOne(
  sql: Sql,
  key: TargetRow,
  id: Lease['id'],
  { nowMicros, untilMicros, latestMicros, perTarget }: LeaseOptions,
): Promise<Lease | undefined> {
  await sql.changes(makeAheadDue, [...key, nowMicros, latestMicros, perTarget])
  const rows = await sql.rows<DeliveryRow>(dueHeads, [...key, nowMicros, perTarget])
  const deliveries = rows.map(deliveryOf).sort(byEvent)
  const [first] = deliveries
  if (first === undefined) {
    await refreshTarget(sql, key)
    return undefined
  }
  await leaseTarget(sql, key, { id, untilMicros })
  await refreshTarget(sql, key)
  await sql.changes(markLeased, [deliveries.map((delivery) => delivery.id)])
  return { id, target: first.target, deliveries }
}

function byEvent({ event: one }: Delivery, { event: other }: Delivery): number {
  return one.createdAtMicros - other.createdAtMicros || (one.id < other.id ? -1 : 1)
}

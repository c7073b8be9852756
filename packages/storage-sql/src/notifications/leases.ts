import type { Delivery, DeliveryStore, Lease, LeaseOptions } from '@sotto/core'
import { ok, okAsync } from 'neverthrow'
import { deliveryOf, deliveryRows } from './delivery-rows.ts'
import {
  changes,
  exists,
  rows,
  type Dialect,
  type Engine,
  type SqlValue,
  type Work,
} from '../engine/engine.ts'
import { leaseTarget, refreshTarget, type TargetKey } from './targets.ts'

export function createLease({ dialect, read, write }: Engine): DeliveryStore['lease'] {
  const isAny = (options: LeaseOptions) =>
    read(function* () {
      const { kind, nowMicros, latestMicros } = options
      return (
        (yield* exists('SELECT 1 FROM targets WHERE kind = $1 AND due_at <= $2 LIMIT 1', kind, nowMicros)) ||
        (yield* exists('SELECT 1 FROM targets WHERE kind = $1 AND due_at > $2 LIMIT 1', kind, latestMicros))
      )
    })
  const leaseAll = (options: LeaseOptions) =>
    write(
      function* () {
        return ok(yield* leaseDue(dialect, options))
      },
      { isolation: 'locks' },
    )
  // Most calls find nothing. They write nothing either, and wait for no other writer.
  return (options) => isAny(options).andThen((found) => (found ? leaseAll(options) : okAsync([])))
}

/** Targets that another transaction has locked are left out: it leases them, or changes when they are due. */
const lockTargets = (which: string, { skipLocked }: Dialect) =>
  `SELECT kind, id FROM targets WHERE kind = $1 AND due_at ${which} $2 ORDER BY due_at LIMIT $3${skipLocked}`

function* leaseDue(dialect: Dialect, options: LeaseOptions): Work<readonly Lease[]> {
  const { kind, nowMicros, ids } = options
  yield* correctFuture(dialect, options)
  const leases: Lease[] = []
  const due = yield* rows<TargetKey>(lockTargets('<=', dialect), kind, nowMicros, ids.length)
  for (const [at, key] of due.entries()) {
    const lease = yield* leaseOne(dialect, key, ids[at] ?? '', options)
    if (lease !== undefined) leases.push(lease)
  }
  return leases
}

/** Corrects what a clock that ran ahead has left, of as many targets as can be leased. */
function* correctFuture(dialect: Dialect, options: LeaseOptions): Work<void> {
  const { kind, latestMicros, ids } = options
  for (const key of yield* rows<TargetKey>(lockTargets('>', dialect), kind, latestMicros, ids.length)) {
    yield* changes(
      'UPDATE targets SET leased_until = NULL WHERE kind = $1 AND id = $2 AND leased_until > $3',
      ...[...key, latestMicros],
    )
    yield* makeAheadDue(key, options)
    yield* refreshTarget(key)
  }
}

/** Makes those deliveries to a target due that such a clock put off. */
function* makeAheadDue(key: TargetKey, { nowMicros, latestMicros, perTarget }: LeaseOptions): Work<void> {
  yield* changes(
    `UPDATE deliveries SET due_at = $3 WHERE id IN
       (SELECT id FROM deliveries WHERE target_kind = $1 AND target_id = $2 AND is_head AND due_at > $4
        ORDER BY due_at LIMIT $5)`,
    ...[...key, nowMicros, latestMicros, perTarget],
  )
}

/** Leases a locked target; `undefined` when nothing of it is due after all. */
function* leaseOne(
  dialect: Dialect,
  key: TargetKey,
  leaseId: Lease['id'],
  options: LeaseOptions,
): Work<Lease | undefined> {
  const { nowMicros, untilMicros, perTarget } = options
  yield* makeAheadDue(key, options)
  const { columns, read } = deliveryRows(dialect)
  const found = yield* rows(
    `SELECT ${columns} FROM deliveries WHERE target_kind = $1 AND target_id = $2 AND is_head AND due_at <= $3
     ORDER BY due_at, event_at, event_id LIMIT $4`,
    ...[...key, nowMicros, perTarget],
  )
  const deliveries = found.map((each) => deliveryOf(read(each))).sort(byEvent)
  const [first] = deliveries
  if (first === undefined) {
    yield* refreshTarget(key)
    return undefined
  }
  yield* leaseTarget(dialect, key, { id: leaseId, untilMicros })
  yield* refreshTarget(key)
  for (const { id } of deliveries) yield* markLeased(dialect, dialect.id.in(id))
  return { id: leaseId, target: first.target, deliveries }
}

function* markLeased({ flag }: Dialect, id: SqlValue): Work<void> {
  yield* changes('UPDATE deliveries SET was_leased = $2 WHERE id = $1', id, flag.in(true))
}

function byEvent({ event: one }: Delivery, { event: other }: Delivery): number {
  return one.createdAtMicros - other.createdAtMicros || (one.id < other.id ? -1 : 1)
}

import type { Delivery, DeliveryStore, Lease, LeaseOptions, Target } from '@sotto/core'
import { ok, okAsync } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { uuidBytes } from './codec.ts'
import { deliveryOf, deliveryRead, type DeliveryRow } from './delivery-rows.ts'
import { createTargets, targetOf, targetRead, type TargetRow } from './targets.ts'

const dueTargets = `SELECT ${targetRead} FROM targets t WHERE kind = ? AND due_at <= ? ORDER BY due_at LIMIT ?`

/** Targets that a clock that ran ahead keeps waiting. */
const aheadTargets = `SELECT nr FROM targets WHERE kind = ? AND due_at > ? ORDER BY due_at LIMIT ?`

/** Makes those deliveries to a target due that such a clock put off. */
const makeAheadDue = `UPDATE deliveries SET due_at = ? WHERE nr IN
  (SELECT nr FROM deliveries WHERE target_nr = ? AND is_head = 1 AND due_at > ? ORDER BY due_at LIMIT ?)`

type DueParameters = [kind: Target['kind'], nowMicros: number, limit: number]

export function createLease(connections: Connections): DeliveryStore['lease'] {
  const { reader, writer, read, write } = connections
  const isDue = reader.prepare<DueParameters, TargetRow>(dueTargets).raw()
  const due = writer.prepare<DueParameters, TargetRow>(dueTargets).raw()
  const isAhead = reader.prepare<DueParameters, number>(aheadTargets).pluck()
  const correctFuture = createCorrectFuture(connections)
  const leaseTarget = createLeaseTarget(connections)

  const isAny = ({ kind, nowMicros, latestMicros }: LeaseOptions): boolean =>
    isDue.get(kind, nowMicros, 1) !== undefined || isAhead.get(kind, latestMicros, 1) !== undefined
  const leaseAll = (options: LeaseOptions): readonly Lease[] => {
    correctFuture(options)
    return due
      .all(options.kind, options.nowMicros, options.ids.length)
      .map((target, at) => leaseTarget(target, options.ids[at] ?? '', options))
  }

  // Most calls find nothing. They write nothing either, and wait for no other writer.
  return (options) =>
    read(() => isAny(options)).andThen((found) => (found ? write(() => ok(leaseAll(options))) : okAsync([])))
}

/** Makes the function that corrects, inside a job, what a clock that ran ahead has left, of as many targets as can be leased. */
function createCorrectFuture({ writer }: Connections): (options: LeaseOptions) => void {
  const ahead = writer.prepare<DueParameters, number>(aheadTargets).pluck()
  const targets = createTargets({ writer })
  const endLease = writer.prepare('UPDATE targets SET leased_until = NULL WHERE nr = ? AND leased_until > ?')
  const makeDue = writer.prepare(makeAheadDue)
  return ({ kind, nowMicros, latestMicros, ids, perTarget }) => {
    for (const nr of ahead.all(kind, latestMicros, ids.length)) {
      endLease.run(nr, latestMicros)
      makeDue.run(nowMicros, nr, latestMicros, perTarget)
      targets.refresh(nr)
    }
  }
}

type HeadRow = [nr: number, ...DeliveryRow]

/** Makes the function that leases a target, inside a job. */
function createLeaseTarget(
  connections: Connections,
): (row: TargetRow, id: Lease['id'], options: LeaseOptions) => Lease {
  const { writer } = connections
  const targets = createTargets(connections)
  const dueHeads = writer
    .prepare<[number, number, number], HeadRow>(
      `SELECT nr, ${deliveryRead} FROM deliveries
       WHERE target_nr = ? AND is_head = 1 AND due_at <= ? ORDER BY due_at, event_at, event_id LIMIT ?`,
    )
    .raw()
  const makeDue = writer.prepare(makeAheadDue)
  const markLeased = writer.prepare('UPDATE deliveries SET was_leased = 1 WHERE nr = ?')

  return (row, id, { nowMicros, untilMicros, latestMicros, perTarget }) => {
    const [targetNr] = row
    makeDue.run(nowMicros, targetNr, latestMicros, perTarget)
    const heads = dueHeads.all(targetNr, nowMicros, perTarget)
    targets.lease(targetNr, uuidBytes(id), untilMicros)
    targets.refresh(targetNr)
    for (const [nr] of heads) markLeased.run(nr)
    const deliveries = heads.map(([, ...columns]) => deliveryOf(columns, row))
    return { id, target: targetOf(row), deliveries: deliveries.sort(byEvent) }
  }
}

function byEvent({ event: one }: Delivery, { event: other }: Delivery): number {
  return one.createdAtMicros - other.createdAtMicros || (one.id < other.id ? -1 : 1)
}

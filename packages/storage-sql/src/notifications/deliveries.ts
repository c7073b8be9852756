import type { DeliveryStore, Target, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { changeChain } from './chains.ts'
import { createDeliveryPage } from './delivery-page.ts'
import { changes, row, rows, type Dialect, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { createLease } from './leases.ts'
import { createNextDue, createQueueState } from './queue-state.ts'
import { createSettle } from './settle.ts'
import {
  eraseTarget,
  lockLease,
  lockTarget,
  refreshTarget,
  releaseTarget,
  targetKey,
  targetOf,
} from './targets.ts'

const byLocks = { isolation: 'locks' } as const

/** The deliveries of messages. */
export function createDeliveries(engine: Engine): DeliveryStore {
  const { dialect, write } = engine
  return {
    lease: createLease(engine),

    settle: createSettle(engine),

    release: (lease) =>
      write(function* () {
        const found = yield* lockLease(dialect, lease)
        if (found !== 'mine') return ok(found === 'nobody')
        const key = targetKey(dialect, lease.target)
        yield* releaseTarget(key)
        yield* refreshTarget(key)
        return ok(true)
      }, byLocks),

    nextDue: createNextDue(engine),

    page: createDeliveryPage(engine),

    retry: (id, nowMicros) =>
      write(function* () {
        return ok(yield* retry(dialect, id, nowMicros))
      }, byLocks),

    eraseTarget: (target: Target) =>
      write(function* () {
        yield* eraseTarget(dialect, target)
        return ok()
      }, byLocks),

    eraseDead: (deadByMicros, limit) =>
      write(function* () {
        return ok(yield* eraseDead(dialect, deadByMicros, limit))
      }, byLocks),

    state: createQueueState(engine),
  }
}

function* retry(dialect: Dialect, deliveryId: Uuid, nowMicros: number): Work<boolean> {
  const id = dialect.id.in(deliveryId)
  const target = yield* row<[SqlValue, SqlValue]>(
    `SELECT kind, id FROM targets WHERE (kind, id) = (SELECT target_kind, target_id FROM deliveries WHERE id = $1)
     ${dialect.forUpdate}`,
    id,
  )
  // Read after the lock: the delivery may be gone since, or a pause.
  const [secretId] =
    (yield* row<[SqlValue]>('SELECT secret_id FROM deliveries WHERE id = $1 AND count > 0', id)) ?? []
  if (target === undefined || secretId === undefined) return false
  yield* changeChain(dialect, { target, secretId }, function* () {
    yield* changes(
      'UPDATE deliveries SET due_at = $2, attempts = 0, dead_at = NULL WHERE id = $1',
      id,
      nowMicros,
    )
  })
  yield* refreshTarget(target)
  return true
}

type DeadRow = [id: SqlValue, targetKind: Target['kind'], targetId: unknown, accountId: unknown]

/** A delivery that is tried again in the meantime stays. The dead are in no chain any more. */
function* eraseDead(dialect: Dialect, deadByMicros: number, limit: number): Work<number> {
  const { id } = dialect
  const dead = yield* rows<DeadRow>(
    `SELECT id, target_kind, target_id, account_id FROM deliveries WHERE dead_at <= $1 ORDER BY dead_at LIMIT $2`,
    ...[deadByMicros, limit],
  )
  const byTarget = Map.groupBy(dead, ([, kind, targetId]) => `${kind} ${id.out(targetId)}`)
  let erased = 0
  // The deliveries are taken in the order in which targets are locked.
  for (const [, ofTarget] of [...byTarget].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [first] = ofTarget
    if (first === undefined) continue
    const target = targetOf(first[1], id.out(first[2]), id.out(first[3]))
    yield* lockTarget(dialect, target)
    for (const [deliveryId] of ofTarget)
      erased += yield* changes(
        'DELETE FROM deliveries WHERE id = $1 AND dead_at <= $2',
        deliveryId,
        deadByMicros,
      )
    yield* refreshTarget(targetKey(dialect, target))
  }
  return erased
}

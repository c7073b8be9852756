import type { DeliveryStore, Settlement } from '@sotto/core'
import { ok } from 'neverthrow'
import { changeChain } from './chains.ts'
import { changes, row, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { lockLease, refreshTarget, targetKey } from './targets.ts'

export function createSettle({ dialect, write }: Engine): DeliveryStore['settle'] {
  return (lease, deliveryId, settlement) =>
    write(
      function* () {
        if ((yield* lockLease(dialect, lease)) !== 'mine') return ok(false)
        const [id, target] = [dialect.id.in(deliveryId), targetKey(dialect, lease.target)]
        const [secretId] =
          (yield* row<[SqlValue]>(
            'SELECT secret_id FROM deliveries WHERE id = $1 AND target_kind = $2 AND target_id = $3',
            ...[id, ...target],
          )) ?? []
        if (secretId === undefined) return ok(false)
        yield* changeChain(dialect, { target, secretId }, () => apply(id, settlement, dialect.flag.in(false)))
        yield* refreshTarget(target)
        return ok(true)
      },
      { isolation: 'locks' },
    )
}

/** Changes the row of a delivery. @param no false, as the database spells it */
function* apply(id: SqlValue, settlement: Settlement, no: SqlValue): Work<void> {
  switch (settlement.outcome) {
    case 'done':
      yield* changes('DELETE FROM deliveries WHERE id = $1', id)
      break
    case 'pause':
      yield* changes(
        `UPDATE deliveries SET due_at = $2, count = 0, attempts = 0, last_failure = NULL, was_leased = $3 WHERE id = $1`,
        ...[id, settlement.untilMicros, no],
      )
      break
    case 'retry':
      yield* changes(
        'UPDATE deliveries SET due_at = $2, attempts = attempts + 1, last_failure = $3 WHERE id = $1',
        ...[id, settlement.dueAtMicros, settlement.failure],
      )
      break
    case 'dead':
      yield* changes(
        'UPDATE deliveries SET dead_at = $2, attempts = attempts + 1, last_failure = $3 WHERE id = $1',
        ...[id, settlement.atMicros, settlement.failure],
      )
  }
}

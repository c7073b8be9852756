import type { Lease, Target, Uuid } from '@sotto/core'
import { changes, row, type Dialect, type SqlValue, type Work } from '../engine/engine.ts'

/** The values under which a target is found: `kind`, and the id of its webhook, or of its account for its email address. */
export type TargetKey = readonly [kind: SqlValue, id: SqlValue]

export function targetKey({ id }: Dialect, target: Target): TargetKey {
  return [target.kind, id.in(targetId(target))]
}

function targetId(target: Target): Uuid {
  switch (target.kind) {
    case 'mail':
      return target.accountId
    case 'webhook':
      return target.webhookId
  }
}

export function targetOf(kind: Target['kind'], id: Uuid, accountId: Uuid): Target {
  switch (kind) {
    case 'mail':
      return { kind, accountId }
    case 'webhook':
      return { kind, accountId, webhookId: id }
  }
}

/**
 * Adds a target where it is missing, and locks it until the transaction ends; DO NOTHING would not lock one that is there. Whoever changes a
 * target's deliveries or its lease holds this lock. Several targets are locked in the order of {@link byKey}.
 */
export function* lockTarget(dialect: Dialect, target: Target): Work<void> {
  yield* changes(
    `INSERT INTO targets (kind, id, account_id) VALUES ($1, $2, $3)
     ON CONFLICT (kind, id) DO UPDATE SET account_id = excluded.account_id`,
    ...[...targetKey(dialect, target), dialect.id.in(target.accountId)],
  )
}

/** The order in which targets are locked, so that no two transactions wait for each other. */
export function byKey(one: Target, other: Target): number {
  return spelled(one) < spelled(other) ? -1 : 1
}

export function spelled(target: Target): string {
  return `${target.kind} ${targetId(target)}`
}

/**
 * Locks the target of a lease, and finds out whether that is still the latest lease of it. `nobody`: its row was removed since, with the
 * deliveries that were leased.
 */
export function* lockLease(
  dialect: Dialect,
  { id, target }: Pick<Lease, 'id' | 'target'>,
): Work<'mine' | 'other' | 'nobody'> {
  const [leaseId = null] =
    (yield* row(
      `SELECT lease_id FROM targets WHERE kind = $1 AND id = $2${dialect.forUpdate}`,
      ...targetKey(dialect, target),
    )) ?? []
  if (leaseId === null) return 'nobody'
  return dialect.id.out(leaseId) === id ? 'mine' : 'other'
}

export function* leaseTarget(
  { id }: Dialect,
  key: TargetKey,
  lease: { readonly id: Uuid; readonly untilMicros: number },
): Work<void> {
  yield* changes(
    'UPDATE targets SET lease_id = $3, leased_until = $4 WHERE kind = $1 AND id = $2',
    ...[...key, id.in(lease.id), lease.untilMicros],
  )
}

export function* releaseTarget(key: TargetKey): Work<void> {
  yield* changes('UPDATE targets SET leased_until = NULL WHERE kind = $1 AND id = $2', ...key)
}

const removeEmpty = `DELETE FROM targets WHERE kind = $1 AND id = $2 AND leased_until IS NULL
  AND NOT EXISTS (SELECT 1 FROM deliveries WHERE target_kind = $1 AND target_id = $2)`

const setDue = `UPDATE targets SET due_at = (
    SELECT CASE WHEN targets.leased_until > d.due_at THEN targets.leased_until ELSE d.due_at END FROM deliveries d
    WHERE d.target_kind = $1 AND d.target_id = $2 AND d.is_head ORDER BY d.due_at LIMIT 1
  ) WHERE kind = $1 AND id = $2`

/** Called after a change to a target's deliveries or its lease: sets when it is due, or removes it if it has no deliveries and no lease. */
export function* refreshTarget(key: TargetKey): Work<void> {
  if ((yield* changes(removeEmpty, ...key)) === 0) yield* changes(setDue, ...key)
}

/** Erases all deliveries to a target. */
export function* eraseTarget(dialect: Dialect, target: Target): Work<void> {
  yield* changes('DELETE FROM targets WHERE kind = $1 AND id = $2', ...targetKey(dialect, target))
}

/** The deliveries that one transaction erases, so that other writes do not wait long. */
const deliveriesAtOnce = 500

/**
 * Erases some deliveries to a target: of each secret the last ones first, so that what is left is in order. True when there may be more;
 * otherwise its target is gone, too.
 */
export function* eraseSomeDeliveries(dialect: Dialect, target: Target): Work<boolean> {
  const key = targetKey(dialect, target)
  const count = yield* changes(
    `DELETE FROM deliveries WHERE id IN
       (SELECT id FROM deliveries WHERE target_kind = $1 AND target_id = $2
        ORDER BY secret_id DESC, event_at DESC, event_id DESC LIMIT $3)`,
    ...[...key, deliveriesAtOnce],
  )
  if (count < deliveriesAtOnce) yield* eraseTarget(dialect, target)
  else yield* refreshTarget(key)
  return count === deliveriesAtOnce
}

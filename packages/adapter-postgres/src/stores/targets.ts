import type { Lease, Target, Uuid } from '@sotto/core'
import type { Sql, Value } from '../connection/sql.ts'

/** The values under which a target is found: `kind`, and the id of its webhook, or of its account for its email address. */
export function targetKey(target: Target): [kind: Target['kind'], id: Uuid] {
  return [target.kind, target.kind === 'mail' ? target.accountId : target.webhookId]
}

export function targetOf(kind: Target['kind'], id: Uuid, accountId: Uuid): Target {
  return kind === 'mail' ? { kind, accountId } : { kind, accountId, webhookId: id }
}

/** Locks the row that was there before, too: DO NOTHING would not. */
const put = {
  name: 'targets_put',
  text: `INSERT INTO targets (kind, id, account_id) VALUES ($1, $2, $3)
    ON CONFLICT (kind, id) DO UPDATE SET account_id = excluded.account_id`,
}

/**
 * Adds a target where it is missing, and locks it until the transaction ends. Whoever changes a target's deliveries or its lease holds this
 * lock. Several targets are locked in the order of {@link byKey}.
 */
export async function lockTarget(sql: Sql, target: Target): Promise<void> {
  await sql.changes(put, [...targetKey(target), target.accountId])
}

/** The order in which targets are locked, so that no two transactions wait for each other. */
export function byKey(one: Target, other: Target): number {
  return targetKey(one).join() < targetKey(other).join() ? -1 : 1
}

const findLease = {
  name: 'targets_find_lease',
  text: 'SELECT lease_id FROM targets WHERE kind = $1 AND id = $2 FOR UPDATE',
}

/**
 * Locks the target of a lease, and finds out whether that is still the latest lease of it. `nobody`: its row was removed since, with the
 * deliveries that were leased.
 */
export async function lockLease(
  sql: Sql,
  { id, target }: Pick<Lease, 'id' | 'target'>,
): Promise<'mine' | 'other' | 'nobody'> {
  const [leaseId = null] = (await sql.row<[Uuid | null]>(findLease, targetKey(target))) ?? []
  if (leaseId === null) return 'nobody'
  return leaseId === id ? 'mine' : 'other'
}

const setLease = {
  name: 'targets_lease',
  text: 'UPDATE targets SET lease_id = $3, leased_until = $4 WHERE kind = $1 AND id = $2',
}
const endLease = {
  name: 'targets_release',
  text: 'UPDATE targets SET leased_until = NULL WHERE kind = $1 AND id = $2',
}

export async function leaseTarget(
  sql: Sql,
  key: readonly Value[],
  lease: { readonly id: Uuid; readonly untilMicros: number },
): Promise<void> {
  await sql.changes(setLease, [...key, lease.id, lease.untilMicros])
}

export async function releaseTarget(sql: Sql, key: readonly Value[]): Promise<void> {
  await sql.changes(endLease, key)
}

const removeEmpty = {
  name: 'targets_remove_empty',
  text: `DELETE FROM targets WHERE kind = $1 AND id = $2 AND leased_until IS NULL
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE target_kind = $1 AND target_id = $2)`,
}
const setDue = {
  name: 'targets_set_due',
  text: `UPDATE targets SET due_at = (
      SELECT greatest(d.due_at, targets.leased_until) FROM deliveries d
      WHERE d.target_kind = $1 AND d.target_id = $2 AND d.is_head ORDER BY d.due_at LIMIT 1
    ) WHERE kind = $1 AND id = $2`,
}

/** Called after a change to a target's deliveries or its lease: sets when it is due, or removes it if it has no deliveries and no lease. */
export async function refreshTarget(sql: Sql, key: readonly Value[]): Promise<void> {
  if ((await sql.changes(removeEmpty, key)) === 0) await sql.changes(setDue, key)
}

const erase = { name: 'targets_erase', text: 'DELETE FROM targets WHERE kind = $1 AND id = $2' }

/** Erases all deliveries to a target. */
export async function eraseTarget(sql: Sql, target: Target): Promise<void> {
  await sql.changes(erase, targetKey(target))
}

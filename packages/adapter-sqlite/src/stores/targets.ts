import type { Lease, Target } from '@sotto/core'
import type { Connections } from '../file/connections.ts'
import { noBytes } from './secret-rows.ts'
import { uuidBytes, uuidOf } from './codec.ts'

/** The columns of a target that tell which one it is, in the order of {@link TargetRow}. */
export const targetRead = 't.nr, hex(t.account_id), hex(t.webhook_id)'

export type TargetRow = [nr: number, accountId: string, webhookId: string, ...more: unknown[]]

export function targetOf([, account, webhook]: TargetRow): Target {
  const accountId = uuidOf(account)
  return webhook === ''
    ? { kind: 'mail', accountId }
    : { kind: 'webhook', accountId, webhookId: uuidOf(webhook) }
}

/** The values under which a target is found. */
export function targetKey(target: Target): [accountId: Buffer, webhookId: Buffer] {
  return [uuidBytes(target.accountId), target.kind === 'mail' ? noBytes : uuidBytes(target.webhookId)]
}

/** What the stores do with rows of `targets`, inside a job. */
export interface Targets {
  /** The number of a target, which is added if it is missing. */
  put(target: Target): number
  /**
   * The number of the target of a lease, if that is the latest lease of it. `nobody`: its row was removed since, with the deliveries that
   * were leased.
   */
  leased(lease: Pick<Lease, 'id' | 'target'>): number | 'other' | 'nobody'
  lease(nr: number, id: Buffer, untilMicros: number): void
  release(nr: number): void
  /** Called after a change to a target's deliveries or its lease: sets when it is due, or removes it if it has no deliveries and no lease. */
  refresh(nr: number): void
}

export function createTargets({ writer }: Pick<Connections, 'writer'>): Targets {
  const find = writer
    .prepare<[Buffer, Buffer], [nr: number, leaseId: Buffer | null]>(
      'SELECT nr, lease_id FROM targets WHERE account_id = ? AND webhook_id = ?',
    )
    .raw()
  const insert = writer.prepare('INSERT INTO targets (kind, account_id, webhook_id) VALUES (?, ?, ?)')
  const lease = writer.prepare('UPDATE targets SET lease_id = ?, leased_until = ? WHERE nr = ?')
  const release = writer.prepare('UPDATE targets SET leased_until = NULL WHERE nr = ?')
  const setDue = writer.prepare(
    `UPDATE targets SET due_at = (
       SELECT max(deliveries.due_at, coalesce(targets.leased_until, deliveries.due_at)) FROM deliveries
       WHERE target_nr = targets.nr AND is_head = 1 ORDER BY deliveries.due_at LIMIT 1
     ) WHERE nr = ?`,
  )
  const removeEmpty = writer.prepare(
    `DELETE FROM targets WHERE nr = ? AND leased_until IS NULL
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE target_nr = targets.nr)`,
  )

  return {
    put(target) {
      const key = targetKey(target)
      return find.get(...key)?.[0] ?? Number(insert.run(target.kind, ...key).lastInsertRowid)
    },
    leased({ id, target }) {
      const [nr, leaseId = null] = find.get(...targetKey(target)) ?? []
      if (nr === undefined || leaseId === null) return 'nobody'
      return leaseId.equals(uuidBytes(id)) ? nr : 'other'
    },
    lease(nr, id, untilMicros) {
      lease.run(id, untilMicros, nr)
    },
    release(nr) {
      release.run(nr)
    },
    refresh(nr) {
      if (removeEmpty.run(nr).changes === 0) setDue.run(nr)
    },
  }
}

/** Makes the function that erases all deliveries to a target, inside a job. */
export function createEraseTarget({ writer }: Pick<Connections, 'writer'>): (target: Target) => void {
  const erase = writer.prepare('DELETE FROM targets WHERE account_id = ? AND webhook_id = ?')
  return (target) => {
    erase.run(...targetKey(target))
  }
}

/** The deliveries that one job erases, so that other writes do not wait long. */
const deliveriesAtOnce = 500

/**
 * Makes the function that erases, inside a job, some deliveries to a target: of each secret the last ones first, so that what is left is in
 * order. True when there may be more.
 */
export function createEraseSomeDeliveries({
  writer,
}: Pick<Connections, 'writer'>): (target: Target) => boolean {
  const find = writer
    .prepare<[Buffer, Buffer], number>('SELECT nr FROM targets WHERE account_id = ? AND webhook_id = ?')
    .pluck()
  const erase = writer.prepare<[number, number]>(
    `DELETE FROM deliveries WHERE nr IN
       (SELECT nr FROM deliveries WHERE target_nr = ?
        ORDER BY secret_id DESC, dead_at DESC, event_at DESC, event_id DESC LIMIT ?)`,
  )
  const { refresh } = createTargets({ writer })
  return (target) => {
    const nr = find.get(...targetKey(target))
    if (nr === undefined) return false
    const { changes } = erase.run(nr, deliveriesAtOnce)
    refresh(nr)
    return changes === deliveriesAtOnce
  }
}

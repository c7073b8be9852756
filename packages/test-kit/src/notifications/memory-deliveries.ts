import type { Delivery, DeliveryFilter, DeliveryStore, Lease, Settlement, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import {
  isSameTarget,
  pageOf,
  targetKey,
  type DeliveryRow,
  type MemoryConnection,
  type MemoryData,
} from '../stores/memory-data.ts'
import { eraseTargets, forgetLease, leaseTargets, nextDue } from './memory-leases.ts'

export function createMemoryDeliveries({ data, answer }: MemoryConnection): DeliveryStore {
  const { deliveries, leases, outbox } = data
  const isHeld = ({ id, target }: Pick<Lease, 'id' | 'target'>): boolean =>
    leases.get(targetKey(target))?.id === id
  const all = (): readonly Delivery[] => [...deliveries.values()].map(({ delivery }) => delivery)
  const erase = (limit: number, isErased: (delivery: Delivery) => boolean): number => {
    const erased = all().filter(isErased).slice(0, limit)
    for (const { id } of erased) deliveries.delete(id)
    for (const { target } of erased) forgetLease(data, target)
    return erased.length
  }
  return {
    lease: (options) => answer(() => ok(leaseTargets(data, options))),

    settle: (lease, deliveryId, settlement) =>
      answer(() => {
        const row = deliveries.get(deliveryId)
        if (row === undefined || !isHeld(lease) || !isSameTarget(row.delivery.target, lease.target))
          return ok(false)
        settle(data, row, settlement)
        return ok(true)
      }),

    release: (lease) =>
      answer(() => {
        if (!leases.has(targetKey(lease.target))) return ok(true)
        if (!isHeld(lease)) return ok(false)
        leases.set(targetKey(lease.target), { id: lease.id, target: lease.target, untilMicros: -Infinity })
        forgetLease(data, lease.target)
        return ok(true)
      }),

    nextDue: (kind) => answer(() => ok(nextDue(data, kind))),

    page: (filter, after, limit) =>
      answer(() => {
        const listed = all().filter((delivery) => delivery.count > 0 && passes(filter, delivery))
        const positions = listed.map((delivery) => ({ ...positionOf(delivery), delivery }))
        return ok(pageOf(positions, after, limit).map(({ delivery }) => delivery))
      }),

    retry: (id, nowMicros) => answer(() => ok(retry(data, id, nowMicros))),

    eraseTarget: (target) =>
      answer(() => {
        eraseTargets(data, (each) => isSameTarget(each, target))
        return ok()
      }),

    eraseDead: (deadByMicros, limit) =>
      answer(() => ok(erase(limit, ({ deadAtMicros = Infinity }) => deadAtMicros <= deadByMicros))),

    state: () =>
      answer(() => {
        const dead = all().filter(({ deadAtMicros }) => deadAtMicros !== undefined)
        const waiting = all().filter(({ deadAtMicros, count }) => deadAtMicros === undefined && count > 0)
        const times = [...outbox.values(), ...waiting.map(({ event }) => event)].map(
          ({ createdAtMicros }) => createdAtMicros,
        )
        return ok({
          events: outbox.size,
          waiting: waiting.length,
          dead: dead.length,
          oldestMicros: times.length === 0 ? undefined : Math.min(...times),
        })
      }),
  }
}

function settle(data: MemoryData, { delivery, isTouched }: DeliveryRow, settlement: Settlement): void {
  const { id, target } = delivery
  if (settlement.outcome === 'done') {
    data.deliveries.delete(id)
    forgetLease(data, target)
    return
  }
  data.deliveries.set(id, {
    delivery: settled(delivery, settlement),
    isTouched: isTouched && settlement.outcome !== 'pause',
  })
}

function settled(delivery: Delivery, settlement: Exclude<Settlement, { outcome: 'done' }>): Delivery {
  switch (settlement.outcome) {
    case 'pause':
      return {
        ...delivery,
        dueAtMicros: settlement.untilMicros,
        count: 0,
        attempts: 0,
        lastFailure: undefined,
      }
    case 'retry':
      return {
        ...delivery,
        dueAtMicros: settlement.dueAtMicros,
        attempts: delivery.attempts + 1,
        lastFailure: settlement.failure,
      }
    case 'dead':
      return {
        ...delivery,
        deadAtMicros: settlement.atMicros,
        attempts: delivery.attempts + 1,
        lastFailure: settlement.failure,
      }
  }
}

function passes({ accountId, dead }: DeliveryFilter, { target, deadAtMicros }: Delivery): boolean {
  const isListed = dead === undefined || dead === (deadAtMicros !== undefined)
  return isListed && (accountId === undefined || target.accountId === accountId)
}

/** The position of a delivery in a list. */
function positionOf({ id, event: { createdAtMicros } }: Delivery): { createdAtMicros: number; id: Uuid } {
  return { createdAtMicros, id }
}

function retry({ deliveries }: MemoryData, id: Uuid, nowMicros: number): boolean {
  const row = deliveries.get(id)
  if (row === undefined || row.delivery.count === 0) return false
  const delivery = { ...row.delivery, dueAtMicros: nowMicros, attempts: 0, deadAtMicros: undefined }
  deliveries.set(id, { ...row, delivery })
  return true
}

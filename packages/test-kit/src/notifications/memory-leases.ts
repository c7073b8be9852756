import { subjectOf, type Delivery, type Lease, type LeaseOptions, type Target } from '@sotto/core'
import { inOrder, targetKey, type MemoryData } from '../stores/memory-data.ts'

/** Leases targets that have a due delivery; those that could be leased the longest come first. */
export function leaseTargets(data: MemoryData, options: LeaseOptions): readonly Lease[] {
  const { nowMicros, untilMicros, ids, perTarget, kind } = options
  correctFuture(data, options)
  const heldUntil = (target: Target): number => data.leases.get(targetKey(target))?.untilMicros ?? -Infinity
  const freeSince = ({ target, dueAtMicros }: Delivery): number => Math.max(dueAtMicros, heldUntil(target))
  const targets = firstsByTarget(data, kind)
    .map((firsts) => firsts.filter(({ dueAtMicros }) => dueAtMicros <= nowMicros).toSorted(byDue))
    .flatMap((due) =>
      due[0] !== undefined && freeSince(due[0]) <= nowMicros ? [{ first: due[0], due }] : [],
    )
    .toSorted((one, other) => freeSince(one.first) - freeSince(other.first))
  return targets.slice(0, ids.length).flatMap(({ first: { target }, due }, at) => {
    const id = ids[at]
    if (id === undefined) return []
    const deliveries = due.slice(0, perTarget).toSorted((one, other) => inOrder(one.event, other.event))
    data.leases.set(targetKey(target), { id, target, untilMicros })
    for (const delivery of deliveries) data.deliveries.set(delivery.id, { delivery, isTouched: true })
    return [{ id, target, deliveries }]
  })
}

/** Forgets the lease of a target that is free and has no deliveries. */
export function forgetLease({ deliveries, leases }: MemoryData, target: Target): void {
  const key = targetKey(target)
  const isEmpty = deliveries.values().every(({ delivery }) => targetKey(delivery.target) !== key)
  if (isEmpty && leases.get(key)?.untilMicros === -Infinity) leases.delete(key)
}

/** Erases targets, with their leases and all deliveries to them. */
export function eraseTargets(
  { deliveries, leases }: MemoryData,
  isErased: (target: Target) => boolean,
): void {
  for (const [key, { target }] of leases) if (isErased(target)) leases.delete(key)
  for (const { delivery } of deliveries.values())
    if (isErased(delivery.target)) deliveries.delete(delivery.id)
}

/** Corrects what a clock that ran ahead has left: due times become now, leases end. */
function correctFuture(data: MemoryData, { kind, nowMicros, latestMicros }: LeaseOptions): void {
  for (const delivery of firstsByTarget(data, kind).flat()) {
    const key = targetKey(delivery.target)
    const held = data.leases.get(key)
    if (held !== undefined && held.untilMicros > latestMicros) {
      data.leases.set(key, { ...held, untilMicros: -Infinity })
    }
    const row = data.deliveries.get(delivery.id)
    if (row === undefined || delivery.dueAtMicros <= latestMicros) continue
    data.deliveries.set(delivery.id, { ...row, delivery: { ...delivery, dueAtMicros: nowMicros } })
  }
}

/** When the next target can be leased. */
export function nextDue(data: MemoryData, kind: Target['kind']): number | undefined {
  const times = firstsByTarget(data, kind).flatMap((firsts) => {
    const [first] = firsts.toSorted(byDue)
    if (first === undefined) return []
    return Math.max(first.dueAtMicros, data.leases.get(targetKey(first.target))?.untilMicros ?? -Infinity)
  })
  return times.length === 0 ? undefined : Math.min(...times)
}

/** The deliveries of each target that wait for no other one: the first about each secret. */
function firstsByTarget({ deliveries }: MemoryData, kind: Target['kind']): readonly (readonly Delivery[])[] {
  const targets = new Map<string, Map<string, Delivery>>()
  const waiting = [...deliveries.values()]
    .map(({ delivery }) => delivery)
    .filter(({ target, deadAtMicros }) => target.kind === kind && deadAtMicros === undefined)
    .toSorted((one, other) => inOrder(one.event, other.event))
  for (const delivery of waiting) {
    const firsts = targets.get(targetKey(delivery.target)) ?? new Map<string, Delivery>()
    const subject = subjectOf(delivery.event)
    if (!firsts.has(subject)) firsts.set(subject, delivery)
    targets.set(targetKey(delivery.target), firsts)
  }
  return [...targets.values()].map((firsts) => [...firsts.values()])
}

function byDue(one: Delivery, other: Delivery): number {
  return one.dueAtMicros - other.dueAtMicros
}

import type { DeliveryStore } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { createChangeChain, type Chain } from './chains.ts'
import { uuidBytes } from './codec.ts'
import { createDeliveryPage } from './delivery-page.ts'
import { createLease } from './leases.ts'
import { createNextDue, createQueueState } from './queue-state.ts'
import { createSettle } from './settle.ts'
import { createEraseTarget, createTargets } from './targets.ts'

export function createDeliveries(connections: Connections): DeliveryStore {
  const { write } = connections
  const eraseTarget = createEraseTarget(connections)
  return {
    lease: createLease(connections),

    settle: createSettle(connections),

    release: createRelease(connections),

    nextDue: createNextDue(connections),

    page: createDeliveryPage(connections),

    retry: createRetry(connections),

    eraseTarget: (target) =>
      write(() => {
        eraseTarget(target)
        return ok()
      }),

    eraseDead: createEraseDead(connections),

    state: createQueueState(connections),
  }
}

function createRelease(connections: Connections): DeliveryStore['release'] {
  const targets = createTargets(connections)
  return (lease) =>
    connections.write(() => {
      const nr = targets.leased(lease)
      if (nr === 'other') return ok(false)
      if (nr === 'nobody') return ok(true)
      targets.release(nr)
      targets.refresh(nr)
      return ok(true)
    })
}

function createRetry(connections: Connections): DeliveryStore['retry'] {
  const { writer, write } = connections
  const find = writer.prepare<[Buffer], Chain & { readonly nr: number }>(
    'SELECT nr, target_nr AS targetNr, secret_id AS secretId FROM deliveries WHERE id = ? AND count > 0',
  )
  const makeDue = writer.prepare(
    'UPDATE deliveries SET due_at = ?, attempts = 0, dead_at = NULL WHERE nr = ?',
  )
  const changeChain = createChangeChain(connections)
  const targets = createTargets(connections)

  return (id, nowMicros) =>
    write(() => {
      const delivery = find.get(uuidBytes(id))
      if (delivery === undefined) return ok(false)
      changeChain(delivery, () => makeDue.run(nowMicros, delivery.nr))
      targets.refresh(delivery.targetNr)
      return ok(true)
    })
}

function createEraseDead(connections: Connections): DeliveryStore['eraseDead'] {
  const { writer, write } = connections
  // They are in no chain any more.
  const erase = writer
    .prepare<[number, number], number>(
      `DELETE FROM deliveries WHERE nr IN
         (SELECT nr FROM deliveries WHERE dead_at <= ? ORDER BY dead_at LIMIT ?) RETURNING target_nr`,
    )
    .pluck()
  const targets = createTargets(connections)

  return (deadByMicros, limit) =>
    write(() => {
      const targetNrs = erase.all(deadByMicros, limit)
      new Set(targetNrs).forEach((nr) => targets.refresh(nr))
      return ok(targetNrs.length)
    })
}

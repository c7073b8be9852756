import type { DeliveryStore, Settlement } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { createChangeChain } from './chains.ts'
import { uuidBytes } from './codec.ts'
import { createTargets } from './targets.ts'

export function createSettle(connections: Connections): DeliveryStore['settle'] {
  const { writer, write } = connections
  const find = writer
    .prepare<[Buffer, number], [nr: number, secretId: Buffer]>(
      'SELECT nr, secret_id FROM deliveries WHERE id = ? AND target_nr = ?',
    )
    .raw()
  const targets = createTargets(connections)
  const changeChain = createChangeChain(connections)
  const apply = createApply(connections)

  return (lease, deliveryId, settlement) =>
    write(() => {
      const targetNr = targets.leased(lease)
      if (typeof targetNr === 'string') return ok(false)
      const row = find.get(uuidBytes(deliveryId), targetNr)
      if (row === undefined) return ok(false)
      const [nr, secretId] = row
      changeChain({ targetNr, secretId }, () => apply(nr, settlement))
      targets.refresh(targetNr)
      return ok(true)
    })
}

/** Makes the function that changes the row of a delivery, inside a job. */
function createApply({ writer }: Connections): (nr: number, settlement: Settlement) => void {
  const remove = writer.prepare('DELETE FROM deliveries WHERE nr = ?')
  const pause = writer.prepare(
    `UPDATE deliveries SET due_at = ?, count = 0, attempts = 0, last_failure = NULL, was_leased = 0 WHERE nr = ?`,
  )
  const retry = writer.prepare(
    'UPDATE deliveries SET due_at = ?, attempts = attempts + 1, last_failure = ? WHERE nr = ?',
  )
  const giveUp = writer.prepare(
    'UPDATE deliveries SET dead_at = ?, attempts = attempts + 1, last_failure = ? WHERE nr = ?',
  )
  return (nr, settlement) => {
    switch (settlement.outcome) {
      case 'done':
        remove.run(nr)
        break
      case 'pause':
        pause.run(settlement.untilMicros, nr)
        break
      case 'retry':
        retry.run(settlement.dueAtMicros, settlement.failure, nr)
        break
      case 'dead':
        giveUp.run(settlement.atMicros, settlement.failure, nr)
    }
  }
}

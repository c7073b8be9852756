import type { NewDelivery } from '@sotto/core'
import type { Connections } from '../file/connections.ts'
import { isAccountSql } from './accounts.ts'
import { createChangeChain, type Chain } from './chains.ts'
import { uuidBytes } from './codec.ts'
import { eventColumns, eventValues } from './events.ts'
import { createTargets } from './targets.ts'

/** Makes the function that adds a delivery, inside a job, or lets it join another one. Adds nothing for an account that is absent. */
export function createAddDelivery(connections: Connections): (delivery: NewDelivery) => void {
  const { writer } = connections
  const isAccount = writer.prepare<[Buffer], number>(isAccountSql).pluck()
  const targets = createTargets(connections)
  const changeChain = createChangeChain(connections)
  const findToJoin = createFindToJoin(connections)
  const insert = writer.prepare(
    `INSERT INTO deliveries (id, target_nr, joins, due_at, ${eventColumns})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const join = writer.prepare(
    `UPDATE deliveries SET (${eventColumns}) = (iif(count = 0, ?, event_id), ?, ?, ?, ?, ?, ?, ?, ?), count = count + 1
     WHERE nr = ? AND (count = 0 OR opens <= ?)`,
  )
  const countOnly = writer.prepare('UPDATE deliveries SET count = count + 1 WHERE nr = ?')

  return (delivery) => {
    const { id, target, event, joins, dueAtMicros } = delivery
    if (isAccount.get(uuidBytes(target.accountId)) === undefined) return
    const targetNr = targets.put(target)
    const chain = { targetNr, secretId: uuidBytes(event.secretId) }
    changeChain(chain, () => {
      const joined = joins ? findToJoin(chain, event.type) : undefined
      if (joined !== undefined) {
        if (join.run(...eventValues(event), joined, event.opens).changes === 0) countOnly.run(joined)
      } else insert.run(uuidBytes(id), targetNr, Number(joins), dueAtMicros, ...eventValues(event))
    })
    targets.refresh(targetNr)
  }
}

type LastRow = [nr: number, type: string, joins: number, wasLeased: number]

/** Makes the function that finds the delivery that a new one joins. */
function createFindToJoin({ writer }: Connections): (chain: Chain, type: string) => number | undefined {
  const last = writer
    .prepare<[number, Buffer], LastRow>(
      `SELECT nr, event_type, joins, was_leased FROM deliveries
       WHERE target_nr = ? AND secret_id = ? AND dead_at IS NULL ORDER BY event_at DESC, event_id DESC LIMIT 1`,
    )
    .raw()
  return ({ targetNr, secretId }, type) => {
    const [nr, lastType, joins, wasLeased] = last.get(targetNr, secretId) ?? []
    return lastType === type && joins === 1 && wasLeased === 0 ? nr : undefined
  }
}

import type { Connections } from '../file/connections.ts'

/** The deliveries to one target about one secret. They are sent one after the other. */
export interface Chain {
  readonly targetNr: number
  readonly secretId: Buffer
}

/**
 * Runs a change to the deliveries of a chain, inside a job. Afterwards the first of those that are not dead is its head, and no other one.
 */
export type ChangeChain = (chain: Chain, change: () => void) => void

export function createChangeChain({ writer }: Pick<Connections, 'writer'>): ChangeChain {
  const first = writer
    .prepare<[number, Buffer], number>(
      `SELECT nr FROM deliveries WHERE target_nr = ? AND secret_id = ? AND dead_at IS NULL
       ORDER BY event_at, event_id LIMIT 1`,
    )
    .pluck()
  const setHead = writer.prepare('UPDATE deliveries SET is_head = ? WHERE nr = ?')

  return ({ targetNr, secretId }, change) => {
    const before = first.get(targetNr, secretId)
    change()
    const after = first.get(targetNr, secretId)
    if (before === after) return
    if (before !== undefined) setHead.run(0, before)
    if (after !== undefined) setHead.run(1, after)
  }
}

import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterMillis, type After } from '@sotto/http-fastify/plugin'

/** Does work at a later time that does not depend on the work. The work never rejects. */
export type Later = (work: () => Promise<unknown>) => void

export interface LaterOptions {
  readonly after?: After
  /** How long the next work waits. */
  readonly waitMillis?: () => number
}

/** How long work waits. Whoever is mailed a link waits no longer than that for it. */
const [shortestMillis, longestMillis] = [2_000, 12_000]

/** How many works wait at the same time. The oldest begins when there are more. */
export const waitingMax = 1_000

/** How long closing waits for work that has begun. */
const closeMillis = 5_000

/**
 * Work waits in memory for a random time, so that nobody who measures answers can tell which request it follows. What still waits when the
 * application closes begins then.
 */
export function createLater(
  app: Pick<FastifyInstance, 'addHook'>,
  { after = afterMillis, waitMillis = () => randomInt(shortestMillis, longestMillis) }: LaterOptions = {},
): Later {
  /** What begins the work before its time, the oldest first. */
  const waiting = new Set<() => void>()
  const underWay = new Set<Promise<unknown>>()
  app.addHook('onClose', async () => {
    for (const begin of waiting) begin()
    await new Promise<void>((resolve) => {
      const cancel = after(closeMillis, resolve)
      void Promise.all(underWay).then(() => {
        cancel()
        resolve()
      })
    })
  })
  return (work) => {
    const begin = (): void => {
      cancel()
      waiting.delete(begin)
      const done = work()
      underWay.add(done)
      void done.then(() => underWay.delete(done))
    }
    const cancel = after(waitMillis(), begin)
    waiting.add(begin)
    const [oldest] = waiting
    if (waiting.size > waitingMax) oldest?.()
  }
}

import { createSharedTurns } from './shared-turns.ts'

/**
 * Resolves when a request for a list may be authenticated and counted: at once, unless {@link admittedPerTurn} have been in this turn of
 * the event loop. When a thousand arrive together, other requests do not wait for all of them. The requests are admitted in their order.
 */
export type AdmitList = () => Promise<void>

/** To authenticate, count and refuse a list takes about 0.2 ms. */
const admittedPerTurn = 4

/** The callers are not known yet, so all requests count as those of one account. */
const anybody = ''

export function createAdmission(): AdmitList {
  const turn = createSharedTurns(admittedPerTurn)
  return () => turn(anybody, () => true)
}

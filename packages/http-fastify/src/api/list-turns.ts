import { createRotation, createSharedTurns } from './shared-turns.ts'

/** Spreads the pages of lists over the turns of the event loop. The accounts alternate in both kinds of turns. */
export interface ListTurns {
  /**
   * Resolves when the caller may read a first page: at once, unless {@link firstPagesPerTurn} have been read in this turn of the event loop.
   * Most lists have no other page, and waiting would halve how many of them are answered. But the first pages of an account that has long
   * lists under way take the same turns as further pages.
   */
  firstTurn(accountId: string): Promise<void>
  /** Resolves when the caller may read a further page: at most one for all lists in {@link turnsPerPage} turns of the event loop. */
  turn(accountId: string): Promise<void>
}

/** A first page takes up to 1.5 ms, and another request waits for a few turns of the event loop. */
const firstPagesPerTurn = 4

/**
 * Turns of the event loop between two pages. A new connection is accepted in one turn, its request is read in the next, and answering takes
 * some more; they should not wait for a page in each of them. A turn in which nothing happens costs microseconds.
 */
const turnsPerPage = 4

/** @param isBusy whether an account has long lists under way */
export function createTurns(isBusy: (accountId: string) => boolean): ListTurns {
  const turn = createFurtherTurns()
  const atOnce = createSharedTurns(firstPagesPerTurn)
  return {
    turn,
    async firstTurn(accountId) {
      if (!isBusy(accountId)) await atOnce(accountId, () => !isBusy(accountId))
      if (isBusy(accountId)) await turn(accountId)
    },
  }
}

function createFurtherTurns(): ListTurns['turn'] {
  const waiting = createRotation()
  let isRunning = false
  // An immediate that is set in an immediate runs in the next turn, after the requests that have arrived by then.
  const inTurns = (turns: number): void => {
    setImmediate(() => {
      if (turns > 1) inTurns(turns - 1)
      else run()
    })
  }
  const run = (): void => {
    const next = waiting.next()
    isRunning = next !== undefined
    if (next === undefined) return
    next()
    inTurns(turnsPerPage)
  }
  return (accountId) =>
    new Promise((resolve) => {
      waiting.add(accountId, resolve)
      if (isRunning) return
      isRunning = true
      inTurns(1)
    })
}

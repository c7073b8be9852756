/** Spreads the pages of lists over the turns of the event loop. The accounts alternate in both kinds of turns. */
export interface ListTurns {
  /**
   * Resolves when the caller may read a first page: immediately, unless {@link firstPagesPerTurn} have been read in this turn of the event
   * loop. Most lists have no other page, and waiting would halve how many of them are answered. But the first pages of an account that has
   * long lists under way take the same turns as further pages.
   */
  firstTurn(accountId: string): Promise<void>
  /** Resolves when the caller may read a further page: at most one for all lists in {@link turnsPerPage} turns of the event loop. */
  turn(accountId: string): Promise<void>
}

/** The first pages that are read in one turn. One takes up to 1.5 ms, and another request waits for a few turns of the event loop. */
const firstPagesPerTurn = 4

/**
 * Turns of the event loop between two pages. A new connection is accepted in one turn, its request is read in the next, and answering takes
 * some more; they should not wait for a page in each of them. A turn in which nothing happens costs microseconds.
 */
const turnsPerPage = 4

/**
 * Makes the turns that the pages of all lists take.
 * @param isBusy whether an account has long lists under way
 */
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

/**
 * Lets some calls begin in each turn of the event loop.
 * @returns a function that waits for a turn, which is not counted when `needed` is false by then
 */
export function createSharedTurns(
  perTurn: number,
): (accountId: string, needed: () => boolean) => Promise<void> {
  const waiting = createRotation()
  let begun = 0
  const count = (): void => {
    begun += 1
    if (begun === 1) setImmediate(begin)
  }
  const begin = (): void => {
    begun = 0
    while (begun < perTurn) {
      const next = waiting.next()
      if (next === undefined) return
      next()
    }
  }
  return (accountId, needed) => {
    if (begun < perTurn) {
      count()
      return Promise.resolve()
    }
    return new Promise((resolve) =>
      waiting.add(accountId, () => {
        if (needed()) count()
        resolve()
      }),
    )
  }
}

/** Calls that wait, in rotation by account. */
export interface Rotation {
  add(accountId: string, call: () => void): void
  /** Takes the next call out. */
  next(): (() => void) | undefined
}

export function createRotation(): Rotation {
  // The waiting calls by account, the one whose turn is next first. An account without waiting calls is not in it.
  const waiting = new Map<string, (() => void)[]>()
  return {
    add(accountId, call) {
      const calls = waiting.get(accountId)
      if (calls === undefined) waiting.set(accountId, [call])
      else calls.push(call)
    },
    next() {
      for (const [accountId, calls] of waiting) {
        const call = calls.shift()
        waiting.delete(accountId)
        if (calls.length > 0) waiting.set(accountId, calls)
        return call
      }
      return undefined
    },
  }
}

/** Decides when the lists of one plugin instance read their pages, so that they leave time for other requests. */
export interface ListScheduler {
  /**
   * Resolves when the caller may read one page beyond its first: at most one for all lists in a turn of the event loop, the accounts in
   * rotation. First pages do not wait: most lists have no other, and waiting would halve how many of them are answered.
   */
  turn(accountId: string): Promise<void>
  /**
   * Waits for a place among the long lists that are under way. A list needs one beyond its first page.
   * @param signal ends the wait when the client is gone
   * @returns a function that frees the place, which may be called more than once; `undefined` when there is none in time
   */
  place(accountId: string, signal: AbortSignal): Promise<(() => void) | undefined>
}

export interface ListSchedulerOptions {
  /** Long lists under way of one account; 2 by default. */
  readonly perAccount?: number
  /** Long lists under way in all; 4 by default. */
  readonly inAll?: number
  /** Lists that may wait for a place, each of which holds its first page; 256 by default. */
  readonly waitingMax?: number
  /** How long a list waits for a place; 10,000 by default. */
  readonly waitMillis?: number
  /** Calls back after some milliseconds, and returns a function that cancels it. */
  readonly after?: (millis: number, callBack: () => void) => () => void
}

/** A list that waits for a place. */
interface Waiter {
  readonly accountId: string
  settle(free: (() => void) | undefined): void
}

export function createListScheduler(options: ListSchedulerOptions = {}): ListScheduler {
  return { turn: createTurns(), place: createPlaces(options) }
}

/**
 * Turns of the event loop between two pages. A new connection is accepted in one turn, its request is read in the next, and answering takes
 * some more; they should not wait for a page in each of them. A turn in which nothing happens costs microseconds.
 */
const turnsPerPage = 4

function createTurns(): ListScheduler['turn'] {
  // By account, the one whose turn is next first. An account without waiting lists is not in it.
  const waiting = new Map<string, (() => void)[]>()
  let isRunning = false
  // An immediate that is set in an immediate runs in the next turn, after the requests that have arrived by then.
  const inTurns = (turns: number): void => {
    setImmediate(() => {
      if (turns > 1) inTurns(turns - 1)
      else run()
    })
  }
  const run = (): void => {
    for (const [accountId, [first, ...others]] of waiting) {
      waiting.delete(accountId)
      if (others.length > 0) waiting.set(accountId, others)
      first?.()
      inTurns(turnsPerPage)
      return
    }
    isRunning = false
  }
  return (accountId) =>
    new Promise((resolve) => {
      waiting.set(accountId, [...(waiting.get(accountId) ?? []), resolve])
      if (isRunning) return
      isRunning = true
      inTurns(1)
    })
}

function createPlaces({
  perAccount = 2,
  inAll = 4,
  waitingMax = 256,
  waitMillis = 10_000,
  after = afterMillis,
}: ListSchedulerOptions): ListScheduler['place'] {
  // Both are bounded: by `inAll` and by `waitingMax`.
  const underWay = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let total = 0
  const of = (accountId: string): number => underWay.get(accountId) ?? 0

  const take = (accountId: string): (() => void) => {
    total += 1
    underWay.set(accountId, of(accountId) + 1)
    let held = true
    return () => {
      if (!held) return
      held = false
      total -= 1
      if (of(accountId) === 1) underWay.delete(accountId)
      else underWay.set(accountId, of(accountId) - 1)
      const next = nextOf(waiting, of)
      if (next !== undefined && of(next.accountId) < perAccount) next.settle(take(next.accountId))
    }
  }

  return (accountId, signal) => {
    if (signal.aborted) return Promise.resolve(undefined)
    if (total < inAll && of(accountId) < perAccount) return Promise.resolve(take(accountId))
    if (waiting.size >= waitingMax) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const leave = (): void => waiter.settle(undefined)
      const waiter: Waiter = {
        accountId,
        settle(free) {
          waiting.delete(waiter)
          cancel()
          signal.removeEventListener('abort', leave)
          resolve(free)
        },
      }
      const cancel = after(waitMillis, leave)
      signal.addEventListener('abort', leave)
      waiting.add(waiter)
    })
  }
}

/** The longest waiting one among those whose accounts have the fewest lists under way. So no account keeps the others waiting. */
function nextOf(waiting: ReadonlySet<Waiter>, of: (accountId: string) => number): Waiter | undefined {
  let next: Waiter | undefined
  for (const waiter of waiting) {
    if (next === undefined || of(waiter.accountId) < of(next.accountId)) next = waiter
  }
  return next
}

function afterMillis(millis: number, callBack: () => void): () => void {
  const timer = setTimeout(callBack, millis)
  return () => clearTimeout(timer)
}

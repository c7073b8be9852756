import { afterMillis, type After } from '../../http/after.ts'

export interface FairSemaphoreOptions {
  /** Long lists under way of one account; 2 by default. */
  readonly perAccount?: number
  /** Long lists under way in all; 4 by default. */
  readonly inAll?: number
  /** Lists that may wait for their first permit; 64 by default: more could not get one in time. */
  readonly waitingMax?: number
  /** How long a list waits for a permit; 10,000 by default. */
  readonly waitMillis?: number
  /** Calls back after some milliseconds, and returns a function that cancels it. */
  readonly after?: After
}

/** Permits, and those that wait for them. Each permit is a function that releases it. */
export interface FairSemaphore {
  /** A permit if one is free. */
  tryAcquire(accountId: string): (() => void) | undefined
  acquire(accountId: string, signal: AbortSignal): Promise<(() => void) | undefined>
  /** Whether a list of an account may not wait for its first permit. Remembers that the account was refused, if so. */
  refuses(accountId: string): boolean
  isBusy(accountId: string): boolean
  isFull(accountId: string): boolean
}

/** A list that waits for a permit. */
interface Waiter {
  readonly accountId: string
  settle(release: (() => void) | undefined): void
}

export function createFairSemaphore({
  perAccount = 2,
  inAll = 4,
  waitingMax = 64,
  waitMillis = 10_000,
  after = afterMillis,
}: FairSemaphoreOptions): FairSemaphore {
  const underWay = new Map<string, number>()
  const waiting = new Set<Waiter>()
  const waitingOf = new Map<string, number>()
  // Accounts that had a list refused while too many waited. Empty as soon as another list may wait.
  const refused = new Set<string>()
  let total = 0
  const of = (accountId: string): number => underWay.get(accountId) ?? 0

  const tryAcquire: FairSemaphore['tryAcquire'] = (accountId) => {
    if (total >= inAll || of(accountId) >= perAccount) return undefined
    total += 1
    add(underWay, accountId, 1)
    let held = true
    return () => {
      if (!held) return
      held = false
      total -= 1
      add(underWay, accountId, -1)
      const next = nextOf(waiting, of)
      const release = next && tryAcquire(next.accountId)
      if (release !== undefined) next?.settle(release)
    }
  }

  const acquire: FairSemaphore['acquire'] = (accountId, signal) => {
    const now = signal.aborted ? undefined : tryAcquire(accountId)
    if (signal.aborted || now !== undefined) return Promise.resolve(now)
    return new Promise((resolve) => {
      const leave = (): void => waiter.settle(undefined)
      const waiter: Waiter = {
        accountId,
        settle(release) {
          if (waiting.delete(waiter)) add(waitingOf, accountId, -1)
          if (waiting.size < waitingMax) refused.clear()
          cancel()
          signal.removeEventListener('abort', leave)
          resolve(release)
        },
      }
      const cancel = after(waitMillis, leave)
      signal.addEventListener('abort', leave)
      waiting.add(waiter)
      add(waitingOf, accountId, 1)
    })
  }

  const isCrowded = (): boolean => waiting.size >= waitingMax
  return {
    tryAcquire,
    acquire,
    refuses(accountId) {
      if (isCrowded()) refused.add(accountId)
      return isCrowded()
    },
    isBusy: (accountId) => underWay.has(accountId) || waitingOf.has(accountId) || refused.has(accountId),
    isFull: (accountId) => isCrowded() && (underWay.has(accountId) || refused.has(accountId)),
  }
}

/** Adds to a count; one that reaches 0 is removed. */
function add(counts: Map<string, number>, accountId: string, change: 1 | -1): void {
  const count = (counts.get(accountId) ?? 0) + change
  if (count === 0) counts.delete(accountId)
  else counts.set(accountId, count)
}

/** The longest waiting one among those whose accounts have the fewest lists under way. So no account keeps the others waiting. */
function nextOf(waiting: ReadonlySet<Waiter>, of: (accountId: string) => number): Waiter | undefined {
  let next: Waiter | undefined
  for (const waiter of waiting) {
    if (next === undefined || of(waiter.accountId) < of(next.accountId)) next = waiter
  }
  return next
}

import { afterMillis, type After } from '../../http/after.ts'
import { createFairSemaphore, type FairSemaphoreOptions } from './fair-semaphore.ts'

/** A permit among the long lists that are under way. */
export interface ListPermit {
  /**
   * Pauses the list, which has sent what it has read. If it does not go on within 5 s, because its client does not take what was sent,
   * another list gets the permit.
   * @param cutOff ends the answer; called if too many such lists are left, the oldest first
   */
  pause(cutOff: () => void): void
  /** Resolves to whether the list may read on: immediately if it has its permit, and else when it has waited for another one. */
  resume(): Promise<boolean>
  /** May be called more than once. */
  release(): void
}

/** Bounds the long lists that are under way. A list needs a permit beyond its first page. */
export interface ListSemaphore {
  /** Whether an account has long lists under way or waiting, or one of its long lists was refused while too many waited. */
  isBusy(accountId: string): boolean
  /**
   * Whether a further list of an account is refused immediately, long or not. It is when too many lists wait, and this account has long
   * lists under way or had one refused for that reason. Whether a list is long costs a page to find out. Other accounts can still ask for
   * short ones.
   */
  isFull(accountId: string): boolean
  /** A permit if one is free. */
  tryAcquire(accountId: string, signal: AbortSignal): ListPermit | undefined
  /**
   * Waits for a permit, up to 10 s. Of the accounts with the fewest lists under way, the list that has waited longest is next.
   * @param signal ends the wait when the client is gone, and releases the permit
   * @returns `undefined` when there is none in time
   */
  acquire(accountId: string, signal: AbortSignal): Promise<ListPermit | undefined>
}

export type ListSemaphoreOptions = FairSemaphoreOptions & PausedListsOptions

export function createListSemaphore(options: ListSemaphoreOptions = {}): ListSemaphore {
  const semaphore = createFairSemaphore(options)
  const paused = createPausedLists(options)
  const permitOf = (accountId: string, signal: AbortSignal, release: () => void): ListPermit =>
    createPermit({ release, again: () => semaphore.acquire(accountId, signal), signal, paused })

  const tryAcquire: ListSemaphore['tryAcquire'] = (accountId, signal) => {
    const release = signal.aborted ? undefined : semaphore.tryAcquire(accountId)
    return release && permitOf(accountId, signal, release)
  }
  return {
    isBusy: semaphore.isBusy,
    isFull: semaphore.isFull,
    tryAcquire,
    async acquire(accountId, signal) {
      const now = tryAcquire(accountId, signal)
      if (now !== undefined || semaphore.refuses(accountId)) return now
      const release = await semaphore.acquire(accountId, signal)
      return release && permitOf(accountId, signal, release)
    },
  }
}

interface PermitParts {
  readonly release: () => void
  /** Waits for another permit. */
  readonly again: () => Promise<(() => void) | undefined>
  readonly signal: AbortSignal
  readonly paused: PausedLists
}

function createPermit({ release: given, again, signal, paused }: PermitParts): ListPermit {
  let held: (() => void) | undefined = given
  let goOn = (): void => undefined
  const give = (): void => {
    held?.()
    held = undefined
  }
  const release = (): void => {
    goOn()
    give()
  }
  const hold = (permit: (() => void) | undefined): void => {
    held = permit
    // The client may have gone since the permit was given.
    if (signal.aborted) give()
  }
  signal.addEventListener('abort', release, { once: true })
  hold(given)
  return {
    release,
    pause(cutOff) {
      goOn = paused.begin({ give, cutOff })
    },
    async resume() {
      goOn()
      if (held === undefined) hold(await again())
      return held !== undefined
    },
  }
}

export interface PausedListsOptions {
  /** How long a list keeps its permit while its client takes nothing; 5,000 by default. */
  readonly pauseMillis?: number
  /** Lists without a permit whose clients take nothing. Each holds a page and the buffers of a socket. 64 by default. */
  readonly pausedMax?: number
  /** Calls back after some milliseconds, and returns a function that cancels it. */
  readonly after?: After
}

/** The lists whose clients take nothing. */
export interface PausedLists {
  /** @returns a function that ends the pause, which may be called more than once */
  begin(list: { give(): void; cutOff(): void }): () => void
}

export function createPausedLists({
  pauseMillis = 5_000,
  pausedMax = 64,
  after = afterMillis,
}: PausedListsOptions): PausedLists {
  // The lists that have given up their permits, the oldest first.
  const withoutPermit = new Set<{ cutOff(): void }>()
  return {
    begin(list) {
      const cancel = after(pauseMillis, () => {
        list.give()
        withoutPermit.add(list)
        for (const oldest of withoutPermit) {
          if (withoutPermit.size <= pausedMax) return
          withoutPermit.delete(oldest)
          oldest.cutOff()
        }
      })
      return () => {
        cancel()
        withoutPermit.delete(list)
      }
    },
  }
}

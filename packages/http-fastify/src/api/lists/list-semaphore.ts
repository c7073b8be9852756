import { afterMillis, type After } from '../../http/after.ts'
import { createPlaceQueue, type PlaceQueueOptions } from './fair-semaphore.ts'

/** A place among the long lists that are under way. */
export interface ListPlace {
  /**
   * Pauses the list, which has sent what it has read. If it does not go on within 5 s, because its client does not take what was sent,
   * another list gets the place.
   * @param cutOff ends the answer; called if too many such lists are left, the oldest first
   */
  pause(cutOff: () => void): void
  /** Resolves to whether the list may read on: immediately if it has its place, and else when it has waited for another one. */
  resume(): Promise<boolean>
  /** May be called more than once. */
  free(): void
}

/** Bounds the long lists that are under way. A list needs a place beyond its first page. */
export interface ListPlaces {
  /** Whether an account has long lists under way or waiting, or one of its long lists was refused while too many waited. */
  isBusy(accountId: string): boolean
  /**
   * Whether a further list of an account is refused immediately, long or not. It is when too many lists wait, and this account has long
   * lists under way or had one refused for that reason. Whether a list is long costs a page to find out. Other accounts can still ask for
   * short ones.
   */
  isFull(accountId: string): boolean
  /** A place if one is free. */
  placeNow(accountId: string, signal: AbortSignal): ListPlace | undefined
  /**
   * Waits for a place, up to 10 s. Of the accounts with the fewest lists under way, the list that has waited longest is next.
   * @param signal ends the wait when the client is gone, and frees the place
   * @returns `undefined` when there is none in time
   */
  place(accountId: string, signal: AbortSignal): Promise<ListPlace | undefined>
}

export type ListPlacesOptions = PlaceQueueOptions & PausedListsOptions

export function createPlaces(options: ListPlacesOptions = {}): ListPlaces {
  const queue = createPlaceQueue(options)
  const paused = createPausedLists(options)
  const placeOf = (accountId: string, signal: AbortSignal, free: () => void): ListPlace =>
    createPlace({ free, again: () => queue.wait(accountId, signal), signal, paused })

  const placeNow: ListPlaces['placeNow'] = (accountId, signal) => {
    const free = signal.aborted ? undefined : queue.take(accountId)
    return free && placeOf(accountId, signal, free)
  }
  return {
    isBusy: queue.isBusy,
    isFull: queue.isFull,
    placeNow,
    async place(accountId, signal) {
      const now = placeNow(accountId, signal)
      if (now !== undefined || queue.refuses(accountId)) return now
      const free = await queue.wait(accountId, signal)
      return free && placeOf(accountId, signal, free)
    },
  }
}

interface PlaceParts {
  readonly free: () => void
  /** Waits for another place. */
  readonly again: () => Promise<(() => void) | undefined>
  readonly signal: AbortSignal
  readonly paused: PausedLists
}

function createPlace({ free: given, again, signal, paused }: PlaceParts): ListPlace {
  let held: (() => void) | undefined = given
  let goOn = (): void => undefined
  const give = (): void => {
    held?.()
    held = undefined
  }
  const free = (): void => {
    goOn()
    give()
  }
  const hold = (place: (() => void) | undefined): void => {
    held = place
    // The client may have gone since the place was given.
    if (signal.aborted) give()
  }
  signal.addEventListener('abort', free, { once: true })
  hold(given)
  return {
    free,
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
  /** How long a list keeps its place while its client takes nothing; 5,000 by default. */
  readonly pauseMillis?: number
  /** Lists without a place whose clients take nothing. Each holds a page and the buffers of a socket. 64 by default. */
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
  // The lists that have given up their places, the oldest first.
  const placeless = new Set<{ cutOff(): void }>()
  return {
    begin(list) {
      const cancel = after(pauseMillis, () => {
        list.give()
        placeless.add(list)
        for (const oldest of placeless) {
          if (placeless.size <= pausedMax) return
          placeless.delete(oldest)
          oldest.cutOff()
        }
      })
      return () => {
        cancel()
        placeless.delete(list)
      }
    },
  }
}

/** A place among the long lists that are under way. */
export interface ListPlace {
  /**
   * The list has sent what it has read. If it does not go on within 5 s, because its client does not take what was sent, another list gets
   * the place.
   * @param cutOff ends the answer; called if too many such lists are left, the oldest first
   */
  pause(cutOff: () => void): void
  /** Resolves to whether the list may read on: at once if it has its place, and else when it has waited for another one. */
  resume(): Promise<boolean>
  /** May be called more than once. */
  free(): void
}

/** Bounds the long lists that are under way. A list needs a place beyond its first page. */
export interface ListPlaces {
  /** Whether an account has long lists under way or waiting, or one of its long lists was refused while too many waited. */
  isBusy(accountId: string): boolean
  /**
   * Whether a further list of an account is refused at once, long or not: too many lists wait, and this account has long lists under way,
   * or had one refused for that reason. Whether a list is long costs a page to find out. Other accounts can still ask for short ones.
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

export interface ListPlacesOptions {
  /** Long lists under way of one account; 2 by default. */
  readonly perAccount?: number
  /** Long lists under way in all; 4 by default. */
  readonly inAll?: number
  /** Lists that may wait for their first place; 64 by default: more could not get one in time. */
  readonly waitingMax?: number
  /** How long a list waits for a place; 10,000 by default. */
  readonly waitMillis?: number
  /** How long a list keeps its place while its client takes nothing; 5,000 by default. */
  readonly pauseMillis?: number
  /** Lists without a place whose clients take nothing. Each holds a page and the buffers of a socket. 64 by default. */
  readonly pausedMax?: number
  /** Calls back after some milliseconds, and returns a function that cancels it. */
  readonly after?: (millis: number, callBack: () => void) => () => void
}

/** A list that waits for a place. */
interface Waiter {
  readonly accountId: string
  settle(free: (() => void) | undefined): void
}

export function createPlaces(options: ListPlacesOptions = {}): ListPlaces {
  const queue = createQueue(options)
  const paused = createPaused(options)
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
  readonly paused: Paused
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

/** The lists whose clients take nothing. */
interface Paused {
  /** @returns a function that ends the pause, which may be called more than once */
  begin(list: { give(): void; cutOff(): void }): () => void
}

function createPaused({
  pauseMillis = 5_000,
  pausedMax = 64,
  after = afterMillis,
}: ListPlacesOptions): Paused {
  // Those that have given their places up, the oldest first.
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

/** Places, and those that wait for them. Each place is a function that frees it. */
interface Queue {
  /** A place if one is free. */
  take(accountId: string): (() => void) | undefined
  wait(accountId: string, signal: AbortSignal): Promise<(() => void) | undefined>
  /** Whether a list of an account may not wait for its first place. Remembers that the account was refused, if so. */
  refuses(accountId: string): boolean
  isBusy(accountId: string): boolean
  isFull(accountId: string): boolean
}

function createQueue({
  perAccount = 2,
  inAll = 4,
  waitingMax = 64,
  waitMillis = 10_000,
  after = afterMillis,
}: ListPlacesOptions): Queue {
  const underWay = new Map<string, number>()
  const waiting = new Set<Waiter>()
  const waitingOf = new Map<string, number>()
  // Accounts that had a list refused while too many waited. Empty as soon as another list may wait.
  const refused = new Set<string>()
  let total = 0
  const of = (accountId: string): number => underWay.get(accountId) ?? 0

  const take: Queue['take'] = (accountId) => {
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
      const free = next && take(next.accountId)
      if (free !== undefined) next?.settle(free)
    }
  }

  const wait: Queue['wait'] = (accountId, signal) => {
    const now = signal.aborted ? undefined : take(accountId)
    if (signal.aborted || now !== undefined) return Promise.resolve(now)
    return new Promise((resolve) => {
      const leave = (): void => waiter.settle(undefined)
      const waiter: Waiter = {
        accountId,
        settle(free) {
          if (waiting.delete(waiter)) add(waitingOf, accountId, -1)
          if (waiting.size < waitingMax) refused.clear()
          cancel()
          signal.removeEventListener('abort', leave)
          resolve(free)
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
    take,
    wait,
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

function afterMillis(millis: number, callBack: () => void): () => void {
  const timer = setTimeout(callBack, millis)
  return () => clearTimeout(timer)
}

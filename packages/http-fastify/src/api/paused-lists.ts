import { afterMillis, type After } from '../http/after.ts'

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

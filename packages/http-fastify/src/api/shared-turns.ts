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
  // By account, the one whose turn is next first. An account without waiting calls is not in it.
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

import type { Queue } from './batches.ts'

interface KeyedQueuesOptions<Call> {
  /** What a call is about. */
  readonly keyOf: (call: Call) => string
  /** How many calls are in a batch at most. */
  readonly sizeMax: number
  /** How many of them have the same key at most. */
  readonly perKeyMax: number
}

/**
 * A queue of calls for each key, in the order of their arrival. A key is in one batch at a time, so that a process never competes with
 * itself for a row. The queues take turns: one with many calls, or whose calls have to be run again, makes no other queue wait for more
 * than a batch.
 */
export function createKeyedQueues<Call>({
  keyOf,
  sizeMax,
  perKeyMax,
}: KeyedQueuesOptions<Call>): Queue<Call> {
  /** The calls of every key that wait or are under way. */
  const queues = new Map<string, Call[]>()
  /** The keys whose calls can be taken; the one that has waited longest is the first. */
  const ready: string[] = []

  function open(key: string): Call[] {
    const queue: Call[] = []
    queues.set(key, queue)
    ready.push(key)
    return queue
  }

  return {
    add(call) {
      const key = keyOf(call)
      const queue = queues.get(key) ?? open(key)
      queue.push(call)
    },

    isReady: () => ready.length > 0,

    take() {
      const batch: Call[] = []
      while (batch.length < sizeMax) {
        const key = ready.shift()
        if (key === undefined) break
        const queue = queues.get(key) ?? []
        batch.push(...queue.splice(0, Math.min(perKeyMax, sizeMax - batch.length)))
      }
      return batch
    },

    done(batch, again) {
      const repeated = Map.groupBy(again, keyOf)
      for (const key of new Set(batch.map(keyOf))) {
        const queue = queues.get(key) ?? []
        queue.unshift(...(repeated.get(key) ?? []))
        if (queue.length > 0) ready.push(key)
        else queues.delete(key)
      }
    },
  }
}

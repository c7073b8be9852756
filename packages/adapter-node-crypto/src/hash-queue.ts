import { availableParallelism } from 'node:os'
import { err, ok, type Result } from 'neverthrow'
import type { CipherBusy } from '@sotto/core'

/** Hashing for recipients and hashing for owners wait apart, so that neither keeps the other out. */
export type Lane = 'open' | 'create'

export interface HashQueueOptions {
  /** How many run at once. By default {@link defaultConcurrency}. */
  readonly concurrency?: number | undefined
  /** How many may wait in each lane. By default 32 for each that runs at once. */
  readonly maxWaiting?: number | undefined
  /** How long one may wait before it is turned away, in milliseconds. By default 2,000. */
  readonly maxWaitMillis?: number | undefined
  /** Calls `run` after `millis` unless the function that it returns is called before. By default `setTimeout`. */
  readonly setTimer?: ((millis: number, run: () => void) => () => void) | undefined
}

interface Waiting {
  start(): void
  refuse(): void
  cancelTimer(): void
}

/** Runs costly jobs, a few at a time, the lanes in turn, each lane in order of arrival. */
export class HashQueue {
  readonly #concurrency: number
  readonly #maxWaiting: number
  readonly #maxWaitMillis: number
  readonly #setTimer: (millis: number, run: () => void) => () => void
  readonly #lanes: Record<Lane, Set<Waiting>> = { open: new Set(), create: new Set() }
  #next: Lane = 'open'
  #running = 0
  #closed = false
  #idle: (() => void)[] = []

  constructor(options: HashQueueOptions = {}) {
    this.#concurrency = options.concurrency ?? defaultConcurrency()
    this.#maxWaiting = options.maxWaiting ?? 32 * this.#concurrency
    this.#maxWaitMillis = options.maxWaitMillis ?? 2_000
    this.#setTimer = options.setTimer ?? setTimeoutTimer
  }

  /**
   * Ok with what the job resolves to.
   * @errors `cipher_busy` when the lane is full, the wait too long, or the queue closed; also when the job rejects, which
   * hashing with sound parameters does for want of memory only
   */
  run<T>(lane: Lane, job: () => Promise<T>): Promise<Result<T, CipherBusy>> {
    return new Promise((resolve) => {
      const start = (): void => void this.#start(job).then(resolve)
      const refuse = (): void => resolve(err({ code: 'cipher_busy' }))
      // Whoever finds a free place finds nobody waiting for it.
      if (this.#closed) refuse()
      else if (this.#running < this.#concurrency) start()
      else if (this.#lanes[lane].size < this.#maxWaiting) this.#wait(lane, start, refuse)
      else refuse()
    })
  }

  /** Turns away all that waits and all that comes. Resolves when nothing runs any more. */
  close(): Promise<void> {
    this.#closed = true
    for (const lane of Object.values(this.#lanes)) {
      for (const waiting of lane) {
        waiting.cancelTimer()
        waiting.refuse()
      }
      lane.clear()
    }
    return this.#running === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #wait(lane: Lane, start: () => void, refuse: () => void): void {
    const cancelTimer = this.#setTimer(this.#maxWaitMillis, () => {
      this.#lanes[lane].delete(waiting)
      refuse()
    })
    const waiting: Waiting = { start, refuse, cancelTimer }
    this.#lanes[lane].add(waiting)
  }

  async #start<T>(job: () => Promise<T>): Promise<Result<T, CipherBusy>> {
    this.#running += 1
    try {
      return ok(await job())
    } catch {
      return err({ code: 'cipher_busy' })
    } finally {
      this.#running -= 1
      this.#startNext()
    }
  }

  #startNext(): void {
    const lane = this.#lanes[this.#next].size > 0 ? this.#next : otherLane(this.#next)
    const [first] = this.#lanes[lane]
    if (first !== undefined) {
      this.#lanes[lane].delete(first)
      this.#next = otherLane(lane)
      first.cancelTimer()
      first.start()
    } else if (this.#running === 0) {
      for (const resolve of this.#idle.splice(0)) resolve()
    }
  }
}

/**
 * One less than the processors, so that requests are answered meanwhile; but always less than the threads of libuv's pool
 * (UV_THREADPOOL_SIZE, 4 by default): hashing runs on them, and so do files and name look-ups, which would stand still.
 */
export function defaultConcurrency(
  processors = availableParallelism(),
  threadPoolSize = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4),
): number {
  const threads = Number.isInteger(threadPoolSize) && threadPoolSize > 0 ? threadPoolSize : 4
  return Math.max(1, Math.min(processors, threads) - 1)
}

function otherLane(lane: Lane): Lane {
  return lane === 'open' ? 'create' : 'open'
}

function setTimeoutTimer(millis: number, run: () => void): () => void {
  const timer = setTimeout(run, millis)
  return () => clearTimeout(timer)
}

import { availableParallelism } from 'node:os'
import { err, ok, type Result } from 'neverthrow'
import type { HasherBusy, Meter } from '@sotto/core'
import { WaitingJobs, type WaitingJob } from './waiting-jobs.ts'

/** How much is hashed at the same time, and how long a job may wait for its turn. */
export interface HashQueuesOptions {
  /** How many jobs run at the same time. By default {@link defaultConcurrency}. */
  readonly concurrency?: number | undefined
  /** How many jobs may wait in each queue. By default 32 for each that runs at the same time. */
  readonly maxWaiting?: number | undefined
  /** How long a job may wait before it is refused, in milliseconds. By default 2,000. */
  readonly maxWaitMillis?: number | undefined
  /** Calls `run` after `millis`, unless the function that it returns is called first. By default `setTimeout`. */
  readonly setTimer?: ((millis: number, run: () => void) => () => void) | undefined
  /** Receives how many jobs wait and run, and how long each has waited, by the name of its queue. */
  readonly meter?: Meter | undefined
}

interface Waiting extends WaitingJob {
  cancelTimer(): void
}

/** Where a job waits. */
export interface Place {
  /** The name of its queue. */
  readonly queue: string
  /** The owner of the job. */
  readonly owner?: string | undefined
}

/**
 * Runs costly jobs, a few at a time. Jobs wait in queues with names. The queues are served in turn, so that a full queue does not delay the
 * others, and so are the owners within a queue. A full queue takes the job of an owner who has few by refusing the latest of the owner who has
 * most. A queue exists while a job waits in it.
 */
export class HashQueues {
  readonly #concurrency: number
  readonly #maxWaiting: number
  readonly #maxWaitMillis: number
  readonly #setTimer: (millis: number, run: () => void) => () => void
  /** The queues in the order in which they are served. None is empty. */
  readonly #queues = new Map<string, WaitingJobs<Waiting>>()
  readonly #meter: Meter | undefined
  #running = 0
  #isClosed = false
  #whenIdle: (() => void)[] = []

  constructor(options: HashQueuesOptions = {}) {
    this.#concurrency = options.concurrency ?? defaultConcurrency()
    this.#maxWaiting = options.maxWaiting ?? 32 * this.#concurrency
    this.#maxWaitMillis = options.maxWaitMillis ?? 2_000
    this.#setTimer = options.setTimer ?? setTimeoutTimer
    this.#meter = options.meter
    this.#meter?.gauge('hash_queue_length', 'all', () => this.#waiting())
    this.#meter?.gauge('hashes_running', 'all', () => this.#running)
  }

  /**
   * Ok with what the job resolves to.
   * @errors `hasher_busy` when the queue is full, the wait too long, or the queues are closed; also when the job rejects, which hashing
   * with sound parameters does only when memory runs out
   */
  run<T>({ queue, owner = '' }: Place, job: () => Promise<T>): Promise<Result<T, HasherBusy>> {
    return new Promise((resolve) => {
      const begin = this.#meter && this.#waitMeter(queue, this.#meter)
      const start = (): void => {
        begin?.()
        void this.#start(job).then(resolve)
      }
      const refuse = (): void => resolve(err({ code: 'hasher_busy' }))
      if (this.#isClosed) refuse()
      // While fewer jobs run than may run, none waits.
      else if (this.#running < this.#concurrency) start()
      else if (this.#hasPlace(queue, owner)) this.#wait(queue, owner, { start, refuse })
      else refuse()
    })
  }

  /** Refuses every job that waits and every later one. Resolves when no job runs any more. */
  close(): Promise<void> {
    this.#isClosed = true
    for (const queue of this.#queues.values()) queue.all().forEach(refuseWaiting)
    this.#queues.clear()
    return this.#running === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  #waiting(): number {
    let waiting = 0
    for (const queue of this.#queues.values()) waiting += queue.size
    return waiting
  }

  /** Returns what is to be called when the job begins. */
  #waitMeter(queue: string, meter: Meter): () => void {
    const sinceMillis = performance.now()
    return () => meter.observe('hash_wait_seconds', queue, (performance.now() - sinceMillis) / 1_000)
  }

  /** Whether a further job may wait. Refuses another one for it where that is fairer. */
  #hasPlace(name: string, owner: string): boolean {
    const queue = this.#queues.get(name)
    if ((queue?.size ?? 0) < this.#maxWaiting) return true
    const other = queue?.takeForPlaceOf(owner)
    if (other !== undefined) refuseWaiting(other)
    return other !== undefined
  }

  #wait(name: string, owner: string, { start, refuse }: WaitingJob): void {
    const cancelTimer = this.#setTimer(this.#maxWaitMillis, () => {
      this.#remove(name, owner, waiting)
      refuse()
    })
    const waiting: Waiting = { start, refuse, cancelTimer }
    const queue = this.#queues.get(name) ?? new WaitingJobs()
    queue.add(owner, waiting)
    this.#queues.set(name, queue)
  }

  #remove(name: string, owner: string, waiting: Waiting): void {
    const queue = this.#queues.get(name)
    queue?.remove(owner, waiting)
    if (queue?.size === 0) this.#queues.delete(name)
  }

  async #start<T>(job: () => Promise<T>): Promise<Result<T, HasherBusy>> {
    this.#running += 1
    try {
      return ok(await job())
    } catch {
      return err({ code: 'hasher_busy' })
    } finally {
      this.#running -= 1
      this.#startNext()
    }
  }

  #startNext(): void {
    const next = this.#takeNext()
    if (next !== undefined) {
      next.cancelTimer()
      next.start()
    } else if (this.#running === 0) {
      for (const resolve of this.#whenIdle.splice(0)) resolve()
    }
  }

  /** The first job of the queue whose turn it is. That queue's next turn comes after those of all others. */
  #takeNext(): Waiting | undefined {
    const [next] = this.#queues
    if (next === undefined) return undefined
    const [name, queue] = next
    const first = queue.takeNext()
    this.#queues.delete(name)
    if (queue.size > 0) this.#queues.set(name, queue)
    return first
  }
}

function refuseWaiting(waiting: Waiting): void {
  waiting.cancelTimer()
  waiting.refuse()
}

/**
 * One fewer than the processors, so that the event loop has one. It is always fewer than the threads of libuv's pool (UV_THREADPOOL_SIZE, 4
 * by default): hashing runs on them. Files and name look-ups use them, too, and would otherwise wait.
 */
export function defaultConcurrency(
  processors = availableParallelism(),
  threadPoolSize = Number(process.env['UV_THREADPOOL_SIZE']),
): number {
  const threads = Number.isInteger(threadPoolSize) && threadPoolSize > 0 ? threadPoolSize : 4
  return Math.max(1, Math.min(processors, threads) - 1)
}

function setTimeoutTimer(millis: number, run: () => void): () => void {
  const timer = setTimeout(run, millis)
  return () => clearTimeout(timer)
}

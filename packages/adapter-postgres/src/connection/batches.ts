import { busy } from './errors.ts'
import type { StorageError } from '@sotto/core'
import { err, errAsync, ResultAsync, type Result } from 'neverthrow'

/** One call that waits to be part of a batch. */
export interface Waiting<Input, Output, E> {
  readonly input: Input
  /** When the call was made, on the clock of `performance.now()`. */
  readonly sinceMillis: number
  answer(result: Result<Output, E | StorageError>): void
}

/** When the calls of a batch were made, for {@link WriteOptions.askedMillis}. */
export function askedMillisOf(batch: readonly Pick<Waiting<never, never, never>, 'sinceMillis'>[]): number[] {
  return batch.map(({ sinceMillis }) => sinceMillis)
}

/** The calls that wait, and which of them make up the next batch. */
export interface Queue<Call> {
  add(call: Call): void
  /** Whether {@link take} would take any. */
  isReady(): boolean
  /** Takes the calls of the next batch out. */
  take(): readonly Call[]
  /** Called when the batch is over. @param again those of its calls that wait again, before those that came later */
  done(batch: readonly Call[], again: readonly Call[]): void
}

type BatchesOptions<Input, Output, E> = Bounds & (InLine<Input, Output, E> | InQueue<Input, Output, E>)

interface Bounds {
  /** How many batches are under way at most. */
  readonly atOnce: number
  /** How many calls are in a batch at most. */
  readonly sizeMax: number
  /** How long calls wait while another batch is under way, unless they fill a batch; {@link defaultPatienceMillis} by default. */
  readonly patienceMillis?: number
  /** How many calls may wait. One more is refused as `busy`. */
  readonly waitingMax?: number
  /** Called once, with what tells how many calls wait to be part of a batch. */
  readonly measureQueue?: ((length: () => number) => void) | undefined
}

interface InLine<Input, Output, E> extends Sizes {
  /** Answers every call of the batch; it must not reject. */
  readonly run: (batch: readonly Waiting<Input, Output, E>[]) => Promise<void>
}

interface Sizes {
  /** How many of so many calls make up a batch, for statements that are prepared for some sizes. By default all of them do. */
  readonly sizeOf?: (waiting: number) => number
}

interface InQueue<Input, Output, E> {
  /** Decides which calls are in a batch. */
  readonly queue: Queue<Waiting<Input, Output, E>>
  /** Answers every call of the batch but those that it resolves to, which are run again; it must not reject. */
  readonly run: (batch: readonly Waiting<Input, Output, E>[]) => Promise<readonly Waiting<Input, Output, E>[]>
}

/** Longer than a batch takes, unless the server is far away, has too much to do, or makes the batch wait for a lock. */
const defaultPatienceMillis = 20

/**
 * Gathers calls into batches: those that arrive in one turn of the event loop, and those that arrive while a batch is under way. A large
 * batch costs little more than a small one, so a further one begins beside it only when it is full, or after a while.
 * Under little load a call is a batch of its own.
 */
export function createBatches<Input, Output, E>({
  atOnce,
  sizeMax,
  patienceMillis = defaultPatienceMillis,
  waitingMax = 10_000,
  measureQueue,
  ...options
}: BatchesOptions<Input, Output, E>): (input: Input) => ResultAsync<Output, E | StorageError> {
  const queue = 'queue' in options ? options.queue : createLine<Waiting<Input, Output, E>>(sizeMax, options)
  let waiting = 0
  let underWay = 0
  let isScheduled = false
  let patience: NodeJS.Timeout | undefined
  measureQueue?.(() => waiting)

  function schedule(isLate = false): void {
    if (isScheduled || underWay >= atOnce || !queue.isReady()) return
    if (underWay > 0 && waiting < sizeMax && !isLate) {
      patience ??= setTimeout(() => {
        patience = undefined
        schedule(true)
      }, patienceMillis)
      return
    }
    clearTimeout(patience)
    patience = undefined
    isScheduled = true
    setImmediate(() => void start())
  }

  async function start(): Promise<void> {
    isScheduled = false
    const batch = queue.take()
    waiting -= batch.length
    underWay += 1
    schedule()
    const again = await runAll(batch)
    underWay -= 1
    waiting += again.length
    queue.done(batch, again)
    schedule()
  }

  /** Resolves to the calls to run again. */
  async function runAll(batch: readonly Waiting<Input, Output, E>[]): Promise<typeof batch> {
    try {
      return (await options.run(batch)) ?? []
    } catch (error) {
      // A mistake of this program. Whoever waits gets an answer all the same.
      const detail = error instanceof Error ? error.name : 'unknown'
      for (const { answer } of batch) answer(err({ code: 'storage_failed', detail }))
      return []
    }
  }

  return (input) => {
    if (waiting >= waitingMax) return errAsync(busy)
    const { promise, resolve } = Promise.withResolvers<Result<Output, E | StorageError>>()
    waiting += 1
    queue.add({ input, sinceMillis: performance.now(), answer: resolve })
    schedule()
    return new ResultAsync(promise)
  }
}

/** One line of calls: the first come into the next batch. */
function createLine<Call>(sizeMax: number, { sizeOf = (size) => size }: Sizes): Queue<Call> {
  const line: Call[] = []
  return {
    add: (call) => void line.push(call),
    isReady: () => line.length > 0,
    take: () => line.splice(0, sizeOf(Math.min(line.length, sizeMax))),
    done: (_, again) => void line.unshift(...again),
  }
}

import { busy } from './errors.ts'
import type { StorageError } from '@sotto/core'
import { err, errAsync, ResultAsync, type Result } from 'neverthrow'

/** One call that waits to be part of a batch. */
export interface Waiting<Input, Output, E> {
  readonly input: Input
  answer(result: Result<Output, E | StorageError>): void
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
  /** How many batches are under way at most. The calls that arrive while all are busy make up the next batch. */
  readonly atOnce: number
  /** How many calls may wait. One more is refused as `busy`. */
  readonly waitingMax?: number
}

interface InLine<Input, Output, E> extends Sizes {
  /** Answers every call of the batch; it must not reject. */
  readonly run: (batch: readonly Waiting<Input, Output, E>[]) => Promise<void>
}

interface Sizes {
  /** How many calls are in a batch at most: those that came first. */
  readonly sizeMax: number
  /** Whether each batch has as many calls as a power of two: for statements that are prepared for each size. By default any size will do. */
  readonly sizes?: 'any' | 'powers of two'
}

interface InQueue<Input, Output, E> {
  /** Decides which calls are in a batch. */
  readonly queue: Queue<Waiting<Input, Output, E>>
  /** Answers every call of the batch but those that it resolves to, which are run again; it must not reject. */
  readonly run: (batch: readonly Waiting<Input, Output, E>[]) => Promise<readonly Waiting<Input, Output, E>[]>
}

/**
 * Gathers calls into batches: those that arrive in one turn of the event loop, and those that arrive while `atOnce` batches are under way.
 * Under little load a call is a batch of its own.
 */
export function createBatches<Input, Output, E>({
  atOnce,
  waitingMax = 10_000,
  ...options
}: BatchesOptions<Input, Output, E>): (input: Input) => ResultAsync<Output, E | StorageError> {
  const queue = 'queue' in options ? options.queue : createLine<Waiting<Input, Output, E>>(options)
  let waiting = 0
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || underWay >= atOnce || !queue.isReady()) return
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
    queue.add({ input, answer: resolve })
    schedule()
    return new ResultAsync(promise)
  }
}

/** One line of calls: the first come into the next batch. */
function createLine<Call>({ sizeMax, sizes = 'any' }: Sizes): Queue<Call> {
  const line: Call[] = []
  return {
    add: (call) => void line.push(call),
    isReady: () => line.length > 0,
    take() {
      const most = Math.min(line.length, sizeMax)
      return line.splice(0, sizes === 'any' ? most : 2 ** Math.floor(Math.log2(most)))
    },
    done: (_, again) => void line.unshift(...again),
  }
}

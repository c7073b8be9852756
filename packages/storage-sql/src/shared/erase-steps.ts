import type { StorageError } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'

/** What one transaction of an erasure did: there is nothing of that name, there is more of it to erase, or it is erased. */
export type EraseStep = 'absent' | 'more' | 'erased'

/** Repeats `step`, a transaction each time, while there is more to erase. Ok whether there was something to erase. */
export function eraseInSteps<E>(step: () => ResultAsync<EraseStep, E>): ResultAsync<boolean, E> {
  const eraseAll = async (): Promise<Result<boolean, E>> => {
    for (let isFirst = true; ; isFirst = false) {
      const done = await step()
      if (done.isErr()) return err(done.error)
      if (done.value === 'absent') return ok(!isFirst)
      if (done.value === 'erased') return ok(true)
    }
  }
  return new ResultAsync(eraseAll())
}

/** What one transaction erased, and whether to look for more. */
export interface Erased {
  /** How many rows were erased. */
  readonly rows: number
  /** Whether there may be more. */
  readonly more: boolean
}

/** Erases at most `limit` rows, in as many transactions as it takes. Ok with how many it erased. */
export function eraseUpTo(
  limit: number,
  eraseSome: (most: number) => ResultAsync<Erased, StorageError>,
): ResultAsync<number, StorageError> {
  const eraseAll = async (): Promise<Result<number, StorageError>> => {
    for (let rows = 0; ;) {
      const some = await eraseSome(limit - rows)
      if (some.isErr()) return err(some.error)
      rows += some.value.rows
      if (rows >= limit || !some.value.more) return ok(rows)
    }
  }
  return new ResultAsync(eraseAll())
}

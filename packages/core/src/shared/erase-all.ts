import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { StorageError } from './errors.ts'

/** Rows erased in one transaction: few, so that other writers do not wait long. */
const batchSize = 50

/** Erases in batches until none is full. Ok with how much it erased. */
export async function eraseAll(
  eraseSome: (limit: number) => ResultAsync<number, StorageError>,
  shouldStop: () => boolean = () => false,
): Promise<Result<number, StorageError>> {
  let erased = 0
  while (!shouldStop()) {
    const batch = await eraseSome(batchSize)
    if (batch.isErr()) return err(batch.error)
    erased += batch.value
    if (batch.value < batchSize) break
  }
  return ok(erased)
}

import { err, ok, type Result, type ResultAsync } from 'neverthrow'

/** What one job of an erasure did: there is nothing of that name, there is more of it to erase, or it is erased. */
export type EraseStep = 'absent' | 'more' | 'erased'

/** Repeats `step`, a job each time, while there is more to erase. Ok whether there was something to erase. */
export async function eraseInSteps<E>(step: () => ResultAsync<EraseStep, E>): Promise<Result<boolean, E>> {
  for (let isFirst = true; ; isFirst = false) {
    const done = await step()
    if (done.isErr()) return err(done.error)
    if (done.value === 'absent') return ok(!isFirst)
    if (done.value === 'erased') return ok(true)
  }
}

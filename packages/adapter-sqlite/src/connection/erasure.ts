import type { Erasure } from '@sotto/core'
import type { Checkpointer } from './checkpointer.ts'

/** Whether erased data is gone from the file that this checkpointer works on. */
export function erasureOf(checkpointer: Checkpointer): Erasure {
  return {
    pendingForMillis: () => checkpointer.pendingForMillis(),
    finish: () => checkpointer.empty(),
  }
}

/** Decides which of several processes that have the files open empties their logs: one is enough, and they would be in each other's way. */
export interface CheckpointTurn {
  /** Whether it is this process's turn. Once it is, it stays so. */
  isMine(): boolean
  /** Called for each erasure in a file while it is another process's turn, which has to hear of it within a second. */
  pass(file: string): void
  /**
   * Registers a listener that is called when it has become this process's turn, and when another process has passed an erasure in the file.
   */
  onPassed(file: string, listener: () => void): void
}

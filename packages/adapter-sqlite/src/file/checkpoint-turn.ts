/** Decides which of several processes that have the files open empties their logs: one is enough, and they would be in each other's way. */
export interface CheckpointTurn {
  /** Whether it is this process. Once it is, it stays so. */
  isMine(): boolean
  /** Called for each erasure in a file while it is not. Whoever's turn it is has to hear of it within a second. */
  pass(file: string): void
  /** Takes what is to be called when it has become this process's turn, and when another process has passed an erasure in the file. */
  onPassed(file: string, listener: () => void): void
}

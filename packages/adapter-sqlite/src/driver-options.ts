import type { CheckpointTurn } from './connection/checkpoint-turn.ts'
import type { Timers } from './connection/timers.ts'

/** Where the databases are. */
export interface SqliteDriverOptions {
  /** The directory of `sotto.sqlite`, `quota.sqlite`, `files` and what SQLite keeps beside them. It must be on a local disk. */
  readonly dataDir: string
  /** The timers; the system's by default. Tests pass their own. */
  readonly timers?: Timers | undefined
  /** Decides which process empties the logs where several serve one installation together. By default each does. */
  readonly checkpoints?: CheckpointTurn | undefined
}

import type { CreateMemory } from './create-memory.ts'
import type { LongList } from './long-list.ts'
import type { Passwords } from './passwords.ts'
import type { Queue } from './queue.ts'
import type { Measured } from './rounds.ts'
import type { SlowDisk } from './slow-disk.ts'
import type { Start } from './start.ts'

/** Everything that one run measured. */
export interface Results {
  readonly machine: string
  /** YYYY-MM-DD */
  readonly date: string
  readonly rounds: number
  readonly millis: number
  /** Load average of the minute before the run and of its last minute. */
  readonly loads: readonly [before: number, after: number]
  readonly smallSecrets: number
  readonly largeSecrets: number
  readonly fillSeconds: number
  readonly measured: readonly Measured[]
  readonly longList: LongList
  readonly passwords: Passwords
  readonly queue: Queue
  readonly slowDisk: readonly SlowDisk[]
  readonly start: Start
  readonly createMemory: CreateMemory
}

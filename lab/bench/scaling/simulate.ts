import { createChance } from '../../campaigns/support/chance.ts'

/** What a batch of calls costs when nobody else wants its row. */
export interface Costs {
  /** Milliseconds of a processor, of the process and of the database's server together. */
  readonly batchMillis: number
  /** The share of it in which the row is read, and in which it is written; the row is locked while it is written. */
  readonly readShare: number
  readonly writeShare: number
  /** Whether the write fails when another process has written since the read. */
  readonly isCompareAndSet: boolean
}

export interface Simulated {
  /** Calls a second. */
  readonly rate: number
  /** The share of the writes that lost against another process. */
  readonly lost: number
}

interface Process {
  phase: 'working' | 'reading' | 'writing'
  /** What is left of this phase. */
  left: number
  /** The version that it has read. */
  version: number
}

const step = 0.01

interface Given {
  readonly processes: number
  /** The calls in flight of all processes together. */
  readonly inFlight: number
  readonly millis: number
  /** How many they share. */
  readonly processors: number
}

/**
 * Processes that compete for one row. Each folds the calls that wait into a batch, reads the row, decides, and writes; when another process
 * has written in between it reads and writes again. Those that work at the same time share the processors. Durations vary by half.
 */
export function simulate(costs: Costs, { processes, inFlight, millis, processors }: Given): Simulated {
  const { batchMillis, readShare, writeShare, isCompareAndSet } = costs
  const chance = createChance(1)
  const batch = Math.max(1, Math.floor(inFlight / processes))
  const lasting = (share: number): number => (batchMillis * share * chance.between(50, 150)) / 100
  const work = 1 - readShare - writeShare
  const all = Array.from({ length: processes }, (): Process => {
    return { phase: 'working', left: lasting(work), version: 0 }
  })
  let version = 0
  let holder: Process | undefined
  const counts = { calls: 0, writes: 0, lost: 0 }

  function read(process: Process): void {
    Object.assign(process, { phase: 'reading', left: lasting(readShare), version })
  }

  function finishWrite(process: Process): void {
    holder = undefined
    counts.writes += 1
    if (isCompareAndSet && process.version !== version) {
      counts.lost += 1
      read(process)
      return
    }
    version += 1
    counts.calls += batch
    Object.assign(process, { phase: 'working', left: lasting(work) })
  }

  for (let now = 0; now < millis; now += step) {
    const running = all.filter((process) => process.phase !== 'writing' || (holder ??= process) === process)
    for (const process of running) {
      process.left -= step * Math.min(1, processors / running.length)
      if (process.left > 0) continue
      if (process.phase === 'working') read(process)
      else if (process.phase === 'reading') {
        Object.assign(process, { phase: 'writing', left: lasting(writeShare) })
      } else finishWrite(process)
    }
  }
  return { rate: (counts.calls / millis) * 1_000, lost: counts.lost / Math.max(counts.writes, 1) }
}
